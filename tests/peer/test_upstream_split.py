"""The same model split by torch.distributed.pipelining and by us at the same points: same stage parameters, same outputs."""

import json

import pytest
import torch
from torch.distributed.pipelining import SplitPoint, pipeline


class MLP(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.net1 = torch.nn.Linear(width, width)
        self.relu = torch.nn.ReLU()
        self.net2 = torch.nn.Linear(width, width)

    def forward(self, x):
        return self.net2(self.relu(self.net1(x)))


class TransformerLike(torch.nn.Module):
    def __init__(self, width=16, layers=8):
        super().__init__()
        self.layers = torch.nn.Sequential(*[MLP(width) for _ in range(layers)])

    def forward(self, x):
        return self.layers(x)


class SharedWeight(torch.nn.Module):
    """One parameter used on both sides of the cut, and a value that skips a stage."""

    def __init__(self, width=16):
        super().__init__()
        self.w = torch.nn.Parameter(torch.randn(width, width))
        self.a = torch.nn.Linear(width, width)
        self.b = torch.nn.Linear(width, width)

    def forward(self, x):
        h = x @ self.w
        y = self.a(torch.relu(h))
        return self.b(y @ self.w) + h


@pytest.mark.parametrize(
    "model, splits",
    [
        (TransformerLike(), ["layers.4"]),
        (TransformerLike(), ["layers.2", "layers.4", "layers.6"]),
        (SharedWeight(), ["b"]),
    ],
    ids=["two stages", "four stages", "a shared weight"],
)
def test_stages_have_upstreams_parameters_and_outputs(cli, tmp_path, model, splits):
    torch.manual_seed(0)
    model = model.eval()
    x = torch.randn(4, 16)
    torch.save(x, tmp_path / "x.pt")
    torch.jit.script(model).save(str(tmp_path / "model.pt"))
    arguments = [word for split in splits for word in ("--split", split)]

    code, report = cli("split", tmp_path / "model.pt", "--input", f"x=@{tmp_path / 'x.pt'}", *arguments, "--out", tmp_path / "out")
    assert code == 0, report
    with torch.no_grad():
        expected = model(x)
        pipe = pipeline(model, (x,), split_spec={split: SplitPoint.BEGINNING for split in splits})
        assert torch.allclose(pipe(x)[0], expected)

    stages = json.loads((tmp_path / "out" / "stages.json").read_text())["stages"]
    assert len(stages) == pipe.num_stages == len(splits) + 1
    for index, stage in enumerate(stages):
        ours = {name for name, _ in torch.jit.load(str(tmp_path / "out" / stage["file"])).named_parameters()}
        theirs = {name for name, _ in pipe.get_stage_module(index).named_parameters()}
        assert ours == theirs

    code, report = cli("run", tmp_path / "model.pt", "--input", f"x=@{tmp_path / 'x.pt'}", *arguments, "--microbatches", "2")
    assert code == 0 and report["equivalent"] and report["max_abs_error"] == 0
