"""Modules that fill a dict or list in turn: split between them, the stages are what the model is, in Python too."""

from typing import Dict, List

import pytest
import torch
from chain import run_chain
from torch.utils._pytree import tree_leaves


class Fills(torch.nn.Module):
    def __init__(self, source, target):
        super().__init__()
        self.source = source
        self.target = target
        self.lin = torch.nn.Linear(8, 8)

    def forward(self, data: Dict[str, torch.Tensor]) -> Dict[str, torch.Tensor]:
        data[self.target] = torch.nn.functional.relu(self.lin(data[self.source]), inplace=True)
        return data


class GivenADict(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b, self.c = Fills("x", "a"), Fills("a", "b"), Fills("b", "c")

    def forward(self, data: Dict[str, torch.Tensor]):
        return self.c(self.b(self.a(data)))


class MakesADict(GivenADict):
    def forward(self, x):
        data = self.c(self.b(self.a({"x": x})))
        return data["c"] + data["a"]


class Appends(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = torch.nn.Linear(8, 8)

    def forward(self, items: List[torch.Tensor]) -> List[torch.Tensor]:
        items.append(self.lin(items[-1] + items[0]))
        return items


class GivenAList(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b, self.c = Appends(), Appends(), Appends()

    def forward(self, items: List[torch.Tensor]):
        return self.c(self.b(self.a(items)))


# The model, the input that is saved, and as what the command line gets it.
CASES = {
    "a dict that is given": (GivenADict, lambda x: {"x": x}),
    "a dict that is made": (MakesADict, lambda x: x),
    "a list that is given": (GivenAList, lambda x: [x, x + 1]),
}


@pytest.mark.parametrize("make, wrap", CASES.values(), ids=CASES)
def test_stages_pass_on_what_the_modules_fill(cli, tmp_path, make, wrap):
    torch.manual_seed(0)
    model = torch.jit.script(make().eval())
    model.save(str(tmp_path / "model.pt"))
    x = torch.randn(6, 8)
    torch.save(wrap(x), tmp_path / "input.pt")
    name = model.forward.schema.arguments[1].name
    arguments = ["--split", "b", "--split", "c", "--input", f"{name}=@{tmp_path}/input.pt"]

    code, report = cli("run", tmp_path / "model.pt", *arguments, "--microbatches", "3")
    assert code == 0 and report["equivalent"] and report["max_abs_error"] == 0, report
    assert report["separable"]["holds"], report

    code, report = cli("split", tmp_path / "model.pt", *arguments, "--out", tmp_path / "out")
    assert code == 0, report
    assert len(report["files"]) == 3
    with torch.no_grad():
        given = wrap(x)
        outputs = run_chain(tmp_path / "out", given)
        assert len(tree_leaves(given)) == len(tree_leaves(wrap(x))), "the stages changed what the caller has"
        torch.testing.assert_close(tree_leaves(outputs[0]), tree_leaves(model(wrap(x))), rtol=0, atol=0)
