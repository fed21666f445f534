"""Runs the stages that `pipescope-cli split` saved, one after another, in Python."""

import ast
import json

import torch


def default_of(argument):
    """None, True, 3 and the like; text that is no Python value is a text."""
    try:
        return ast.literal_eval(argument["default"])
    except (SyntaxError, ValueError):
        return argument["default"]


def run_chain(folder, *args):
    """Outputs of the saved stages on the model's arguments, as stages.json says they feed each other."""
    description = json.loads((folder / "stages.json").read_text())
    values = {argument["name"]: default_of(argument) for argument in description["arguments"] if argument["default"] is not None}
    values.update(zip([argument["name"] for argument in description["arguments"]], args))
    for stage in description["stages"]:
        module = torch.jit.load(str(folder / stage["file"]))
        outputs = module(*[values[name] for name in stage["inputs"]])
        values.update(zip(stage["outputs"], outputs))
    return [values[name] for name in description["outputs"]]
