"""The same model split by torch.distributed.pipelining and by us at the same points: same parameters, buffers, outputs.

Upstream's own models mark their stages with pipe_split(), which torch.jit.script drops; ours are split at the nodes
that stand after the marks."""

import json

import pytest
import torch
from chain import run_chain
from torch.distributed.pipelining import SplitPoint, pipe_split, pipeline


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


class ExampleCode(torch.nn.Module):
    """A parameter in two stages, a value that skips one, and buffers."""

    def __init__(self, width=16):
        super().__init__()
        self.mm_param1 = torch.nn.Parameter(torch.randn(width, width))
        self.mm_param2 = torch.nn.Parameter(torch.randn(width, width))
        self.lin1 = torch.nn.Linear(width, width)
        self.norm = torch.nn.BatchNorm1d(width)
        self.lin2 = torch.nn.Linear(width, width)
        self.register_buffer("shift", torch.randn(width))

    def forward(self, x, y):
        skipping = torch.mm(x, self.mm_param1)
        first = torch.relu(skipping + y)
        pipe_split()
        second = self.norm(self.lin1(torch.mm(first, self.mm_param1)))
        pipe_split()
        third = torch.mm(torch.relu(second) + skipping, self.mm_param2)
        pipe_split()
        return self.lin2(third) + self.shift


class MultiMLP(torch.nn.Module):
    """The second input is first used in the last stage."""

    def __init__(self, width=16):
        super().__init__()
        self.mlp0 = MLP(width)
        self.mlp1 = MLP(width)
        self.mlp2 = MLP(width)
        self.mlp3 = MLP(width)

    def forward(self, x, y):
        x = self.mlp0(x)
        pipe_split()
        x = self.mlp1(x)
        pipe_split()
        x = self.mlp2(x)
        pipe_split()
        return self.mlp3(x) - y


class ModelWithParamAlias(torch.nn.Module):
    """One parameter and one layer under two names each, the second ones used after the mark."""

    def __init__(self, width=16):
        super().__init__()
        self.mm_param1 = self.mm_param0 = torch.nn.Parameter(torch.randn(width, width))
        self.lin1 = self.lin0 = torch.nn.Linear(width, width)

    def forward(self, x, y):
        x = torch.relu(self.lin0(torch.mm(x, self.mm_param0) + y))
        pipe_split()
        return self.lin1(torch.mm(x, self.mm_param1))


class ActorAndCritic(torch.nn.Module):
    """A network that forward does not call, and a buffer that it does not read."""

    def __init__(self, width=16):
        super().__init__()
        self.actor = torch.nn.Sequential(torch.nn.Linear(width, width), torch.nn.ReLU(), torch.nn.Linear(width, width))
        self.critic = torch.nn.Sequential(torch.nn.Linear(width, 4 * width), torch.nn.Linear(4 * width, 1))
        self.register_buffer("steps", torch.zeros(1))

    def forward(self, x):
        return self.actor(x)


class ActorAmongOperators(ActorAndCritic):
    """The stage that runs code of the model itself has none of what forward does not use either."""

    def forward(self, x):
        return torch.sin(self.actor(torch.cos(x)))


def first_names(model):
    """By name, the first name of the same tensor: upstream gives all uses of one tensor that name, ours keep theirs."""
    first = {}
    values = [*model.named_parameters(remove_duplicate=False), *model.named_buffers(remove_duplicate=False)]
    return {name: first.setdefault(id(value), name) for name, value in values}


def held(module):
    return {name for name, _ in [*module.named_parameters(), *module.named_buffers()]}


# The model, where ours begins its stages, and whether upstream is told the same or finds marks.
CASES = {
    "two stages": (TransformerLike, ["layers.4"], False),
    "four stages": (TransformerLike, ["layers.2", "layers.4", "layers.6"], False),
    "a shared weight": (SharedWeight, ["b"], False),
    "a skip and a shared weight": (ExampleCode, ["aten::mm#1", "aten::relu#1", "lin2"], True),
    "an input for the last stage": (MultiMLP, ["mlp1", "mlp2", "mlp3"], True),
    "a parameter under two names": (ModelWithParamAlias, ["aten::mm#1"], True),
    "a critic beside an actor": (ActorAndCritic, ["actor.2"], False),
    "a critic in the model's own stage": (ActorAmongOperators, ["actor.2"], False),
}


@pytest.mark.parametrize("make, splits, marked", CASES.values(), ids=CASES)
def test_stages_have_upstreams_parameters_buffers_and_outputs(cli, tmp_path, make, splits, marked):
    torch.manual_seed(0)
    model = make().eval()
    inputs = {name: torch.randn(4, 16) for name in (("x", "y") if marked else ("x",))}
    torch.jit.script(model).save(str(tmp_path / "model.pt"))
    arguments = [word for split in splits for word in ("--split", split)]
    for name, value in inputs.items():
        torch.save(value, tmp_path / f"{name}.pt")
        arguments += ["--input", f"{name}=@{tmp_path}/{name}.pt"]

    code, report = cli("split", tmp_path / "model.pt", *arguments, "--out", tmp_path / "out")
    assert code == 0, report
    spec = None if marked else {split: SplitPoint.BEGINNING for split in splits}
    with torch.no_grad():
        pipe = pipeline(model, tuple(inputs.values()), split_spec=spec)
        theirs = pipe(*inputs.values())[0]
        torch.testing.assert_close(theirs, model(*inputs.values()))
        torch.testing.assert_close(run_chain(tmp_path / "out", *inputs.values())[0], theirs)

    stages = json.loads((tmp_path / "out" / "stages.json").read_text())["stages"]
    assert len(stages) == pipe.num_stages == len(splits) + 1
    first = first_names(model)
    for index, stage in enumerate(stages):
        ours = held(torch.jit.load(str(tmp_path / "out" / stage["file"])))
        assert {first[name] for name in ours} == {first[name] for name in held(pipe.get_stage_module(index))}

    code, report = cli("run", tmp_path / "model.pt", *arguments, "--microbatches", "2")
    assert code == 0 and report["equivalent"] and report["max_abs_error"] == 0


def test_unused_parameters_are_kept_where_that_is_wanted(cli, tmp_path):
    model = ActorAndCritic().eval()
    torch.jit.script(model).save(str(tmp_path / "model.pt"))
    arguments = ["split", tmp_path / "model.pt", "--split", "actor.2", "--out", tmp_path / "out"]
    code, report = cli(*arguments)
    assert code == 0, report
    unused = {"steps", "critic.0.weight", "critic.0.bias", "critic.1.weight", "critic.1.bias"}
    assert set(report["unused"]["names"]) == unused
    assert set(json.loads((tmp_path / "out" / "stages.json").read_text())["left_out"]) == unused
    code, report = cli(*arguments, "--keep-unused")
    assert code == 0, report
    kept = {}
    for file in report["files"]:
        kept.update(torch.jit.load(str(tmp_path / "out" / file["file"])).state_dict())
    assert kept.keys() == model.state_dict().keys()
    model.load_state_dict(kept)
    assert json.loads((tmp_path / "out" / "stages.json").read_text())["left_out"] == []
