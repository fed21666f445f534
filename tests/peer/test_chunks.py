"""Random trees of tensors through upstream's split and merge and through ours: equal, errors included."""

import random
import subprocess

import pytest
import torch
from torch.distributed.pipelining.microbatch import (
    TensorChunkSpec,
    _Replicate,
    merge_chunks,
    split_args_kwargs_into_chunks,
)
from torch.utils._pytree import tree_flatten

CASES = 400

# Known deviations, (upstream's words, ours): of several faults in one spec, ours names those of its structure first.
DEVIATIONS = [("Dimension out of range", "zip() argument 2 is shorter")]


def random_tree(rng, depth=0):
    kind = rng.choice(["tensor"] * 9 + ["number"] + ["list", "tuple", "dict"] * 2 if depth < 2 else ["tensor"])
    if kind == "number":
        return rng.randint(0, 9)
    if kind == "tensor":
        if rng.random() < 0.02:
            return torch.tensor(1.0)
        rows = rng.choice([1, 2, 3, 4, 5, 7, 8, 10, 12])
        other = [rng.randint(1, 3) for _ in range(rng.randint(0, 2))]
        dtype = rng.choice([torch.float32, torch.float64, torch.int64, torch.bool])
        return torch.randint(0, 2, [rows, *other]).to(dtype)
    if kind == "dict":
        return {name: random_tree(rng, depth + 1) for name in rng.sample(["a", "b", "c"], rng.randint(1, 3))}
    items = [random_tree(rng, depth + 1) for _ in range(rng.randint(1, 3))]
    return items if kind == "list" else tuple(items)


def random_spec(rng, tree, mistakes=0.0):
    """A spec of the tree's shape for both sides: upstream's objects, and our text; so many leaves of it are wrong."""
    if isinstance(tree, torch.Tensor):
        dim = rng.choice([0, 0, 0, tree.dim() - 1, -1, -tree.dim()])
        if rng.random() < mistakes:
            dim = rng.choice([tree.dim(), tree.dim() + 2, -tree.dim() - 1])
        return TensorChunkSpec(dim), str(dim)
    if isinstance(tree, int):
        return (TensorChunkSpec(0), "0") if rng.random() < mistakes else (_Replicate, "replicate")
    if isinstance(tree, dict):
        both = {name: random_spec(rng, item, mistakes) for name, item in tree.items()}
        return {n: s[0] for n, s in both.items()}, "{" + ", ".join(f"{n}: {s[1]}" for n, s in both.items()) + "}"
    both = [random_spec(rng, item, mistakes) for item in tree]
    if both and rng.random() < mistakes:
        del both[-1]
    text = ", ".join(s[1] for s in both)
    if isinstance(tree, list):
        return [s[0] for s in both], f"[{text}]"
    return tuple(s[0] for s in both), f"({text}{',' if len(both) == 1 else ''})"


def make_case(seed):
    rng = random.Random(seed)
    args = tuple(random_tree(rng) for _ in range(rng.randint(0, 3)))
    kwargs = {name: random_tree(rng) for name in rng.sample(["x", "y", "z"], rng.randint(0, 2))}
    case = {"args": args, "kwargs": kwargs, "chunks": rng.randint(1, 6), "args_spec": None, "kwargs_spec": None}
    upstream = {"args_chunk_spec": None, "kwargs_chunk_spec": None}
    mistakes = rng.choice([0, 0, 0, 0.2])
    if rng.random() < 0.5:
        upstream["args_chunk_spec"], case["args_spec"] = random_spec(rng, args, mistakes)
        if mistakes == 0 and rng.random() < 0.15 and args:  # a spec that is one too short
            upstream["args_chunk_spec"] = upstream["args_chunk_spec"][1:]
            texts = [random_spec(random.Random(0), a)[1] for a in args[1:]]
            case["args_spec"] = "(" + ", ".join(texts) + ("," if len(texts) == 1 else "") + ")"
    if rng.random() < 0.5:
        upstream["kwargs_chunk_spec"], case["kwargs_spec"] = random_spec(rng, kwargs, mistakes)
    if rng.random() < 0.05 and args:  # with nothing to cut, upstream makes no chunks and ours refuses
        case["chunks"] = 0
    return case, upstream


def run_upstream(case, upstream):
    try:
        args, kwargs = split_args_kwargs_into_chunks(case["args"], case["kwargs"], case["chunks"], **upstream)
        return {
            "args": args,
            "kwargs": kwargs,
            "merged_args": merge_chunks(args, upstream["args_chunk_spec"]),
            "merged_kwargs": merge_chunks(kwargs, upstream["kwargs_chunk_spec"]),
        }
    except Exception as problem:  # noqa: BLE001 - whatever upstream raises is what we compare with
        return {"error": problem}


@pytest.fixture(scope="module")
def results(tools, tmp_path_factory):
    folder = tmp_path_factory.mktemp("chunks")
    cases = [make_case(seed) for seed in range(CASES)]
    torch.save([case for case, _ in cases], folder / "cases.pt")
    subprocess.run([tools / "peer-chunks", folder / "cases.pt", folder / "results.pt"], check=True)
    return cases, torch.load(folder / "results.pt", weights_only=True)


def assert_same(ours, theirs, where):
    our_leaves, our_shape = tree_flatten(ours)
    their_leaves, their_shape = tree_flatten(theirs)
    assert our_shape == their_shape, where
    for ours_leaf, theirs_leaf in zip(our_leaves, their_leaves):
        if isinstance(theirs_leaf, torch.Tensor):
            assert ours_leaf.dtype == theirs_leaf.dtype and torch.equal(ours_leaf, theirs_leaf), where
        else:
            assert ours_leaf == theirs_leaf, where


def test_random_trees_split_and_merge_as_upstream(results):
    cases, ours = results
    assert len(ours) == CASES
    compared = failed = 0
    kinds = set()
    for seed, ((case, upstream), mine) in enumerate(zip(cases, ours)):
        theirs = run_upstream(case, upstream)
        where = f"seed {seed}: {mine.get('error')}"
        if "error" in theirs:
            words = str(theirs["error"])
            kinds.add(type(theirs["error"]))
            assert words and mine["error"], f"seed {seed}: upstream raises {theirs['error']!r}, ours does not"
            known = any(words.startswith(a) and mine["error"].startswith(b) for a, b in DEVIATIONS)
            assert words in mine["error"] or known, f"seed {seed}: upstream says {words!r}, ours {mine['error']!r}"
            failed += 1
            continue
        assert mine["error"] == "", where
        for key in ("args", "kwargs", "merged_args", "merged_kwargs"):
            assert_same(mine[key], theirs[key], f"{where}, {key}")
        compared += 1
    # The generator must keep making both kinds, or this test says nothing.
    assert compared > 150 and failed > 50, (compared, failed)
    assert kinds == {AssertionError, IndexError, RuntimeError, TypeError, ValueError}, kinds


def test_errors_use_upstreams_words(results, tools, tmp_path):
    x = torch.zeros(4, 2)
    cases = [
        ({"args": (x, x), "kwargs": {}, "chunks": 2, "args_spec": "(0,)", "kwargs_spec": None},
         "args_dict.keys() = [0, 1] args_chunk_spec.keys() = [0]"),
        ({"args": (x,), "kwargs": {}, "chunks": 0, "args_spec": None, "kwargs_spec": None},
         "number of sections must be larger than 0, got 0"),
        ({"args": (torch.tensor(1.0),), "kwargs": {}, "chunks": 2, "args_spec": None, "kwargs_spec": None},
         "Dimension specified as 0 but tensor has no dimensions"),
        ({"args": (3,), "kwargs": {}, "chunks": 2, "args_spec": "(0,)", "kwargs_spec": None}, "Unsupported chunk spec"),
    ]
    torch.save([case for case, _ in cases], tmp_path / "cases.pt")
    subprocess.run([tools / "peer-chunks", tmp_path / "cases.pt", tmp_path / "results.pt"], check=True)
    ours = torch.load(tmp_path / "results.pt", weights_only=True)
    specs = [((TensorChunkSpec(0),), None), (None, None), (None, None), ((TensorChunkSpec(0),), None)]
    for (case, words), mine, (args_spec, kwargs_spec) in zip(cases, ours, specs):
        assert words in mine["error"]
        with pytest.raises(Exception) as raised:
            split_args_kwargs_into_chunks(case["args"], case["kwargs"], case["chunks"], args_spec, kwargs_spec)
        assert words in str(raised.value)
        assert str(raised.value) in mine["error"]


def test_replicated_values_are_the_same_in_every_chunk(tools, tmp_path):
    x, mask = torch.arange(8.0).reshape(4, 2), torch.ones(1, 2)
    torch.save([{"args": (x, mask), "kwargs": {}, "chunks": 4, "args_spec": "(0, replicate)", "kwargs_spec": None}],
               tmp_path / "cases.pt")
    subprocess.run([tools / "peer-chunks", tmp_path / "cases.pt", tmp_path / "results.pt"], check=True)
    mine = torch.load(tmp_path / "results.pt", weights_only=True)[0]
    theirs, _ = split_args_kwargs_into_chunks((x, mask), {}, 4, (TensorChunkSpec(0), _Replicate), None)
    assert_same(mine["args"], theirs, "replicate")
