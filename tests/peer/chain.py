"""Runs the stages that `pipescope-cli split` saved, one after another, in Python."""

import json

import torch


def run_chain(folder, *args):
    """Outputs of the saved stages on the model's arguments, as stages.json says they feed each other."""
    description = json.loads((folder / "stages.json").read_text())
    values = dict(zip([argument["name"] for argument in description["arguments"]], args))
    for stage in description["stages"]:
        module = torch.jit.load(str(folder / stage["file"]))
        outputs = module(*[values[name] for name in stage["inputs"]])
        values.update(zip(stage["outputs"], outputs))
    return [values[name] for name in description["outputs"]]
