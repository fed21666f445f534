"""Objects of scripted classes that modules hold: the stages that use them are saved, and chained in Python they give the model."""

from typing import List

import pytest
import torch
from chain import run_chain
from torch import Tensor, nn


@torch.jit.script
class Pair:
    def __init__(self, a: Tensor, b: Tensor):
        self.a = a
        self.b = b


@torch.jit.script
class Coder:
    def __init__(self, weights: List[float], bias: Tensor):
        self.weights = weights
        self.bias = bias
        self.width = 3
        self.pair = Pair(torch.sin(bias), torch.cos(bias))

    def decode(self, x: Tensor) -> Tensor:
        return x * self.weights[1] + self.bias


class Holds(nn.Module):
    def __init__(self):
        super().__init__()
        self.coder = Coder([0.5, 2.0], torch.arange(6.0))


class Inner(nn.Module):
    def __init__(self):
        super().__init__()
        self.holds = Holds()

    def forward(self, x: Tensor) -> Tensor:
        return self.holds(x).sin()


class Reads(Holds):
    def forward(self, x: Tensor) -> Tensor:
        x = torch.sin(x * self.coder.weights[0])
        x = self.coder.decode(x) * self.coder.width
        return torch.cos(x) + self.coder.pair.a + self.coder.pair.b


class Assigns(Holds):
    def forward(self, x: Tensor) -> Tensor:
        self.coder.width += 1
        x = torch.sin(x * self.coder.width)
        self.coder.bias = self.coder.bias + x.sum(0)
        return torch.cos(x) + self.coder.bias


class Writes(Holds):
    def forward(self, x: Tensor) -> Tensor:
        x = torch.sin(x)
        self.coder.weights.append(1.0)
        x = x * len(self.coder.weights)
        self.coder.pair.a.add_(x.sum(0))
        return torch.cos(x) * self.coder.pair.a


class ReadsInside(Inner):
    def __init__(self):
        super().__init__()
        self.holds = Reads()


@pytest.mark.parametrize("make", [Reads, Assigns, Writes, ReadsInside], ids=lambda make: make.__name__)
def test_the_saved_stages_chain_to_the_model(cli, make, tmp_path):
    model = torch.jit.script(make().eval())
    model.save(str(tmp_path / "model.pt"))
    code, report = cli("inspect", tmp_path / "model.pt")
    assert code == 0, report
    places = [point["id"] for point in report["split_points"] if point["legal"]]
    assert places
    x = torch.arange(12.0).reshape(2, 6) / 7
    # In two, and in as many as there are; tst_class_objects cuts everywhere.
    for number, splits in enumerate([[places[len(places) // 2]], places]):
        words = [word for place in splits for word in ("--split", place)]
        code, report = cli("split", tmp_path / "model.pt", *words, "--out", tmp_path / str(number))
        assert code == 0, report
        fresh = torch.jit.load(str(tmp_path / "model.pt"))
        with torch.no_grad():
            assert torch.equal(run_chain(tmp_path / str(number), x)[0], fresh(x)), splits

