"""Real architectures with random weights: inspected, run in 2 and 4 stages, and their saved stages chained in Python."""

import architectures
import pytest
import torch
from chain import run_chain
from torch.utils._pytree import tree_leaves


@pytest.fixture(scope="module", params=architectures.ALL, ids=lambda make: make.__name__)
def architecture(request, tmp_path_factory):
    torch.manual_seed(0)
    folder = tmp_path_factory.mktemp(request.param.__name__)
    with torch.no_grad():
        model, inputs = request.param()
        model.save(str(folder / "model.pt"))
        expected = torch.jit.load(str(folder / "model.pt"))(*inputs)
    options = architectures.OPTIONS.get(request.param, list)()
    for place, value in enumerate(inputs):
        torch.save(value, folder / f"{place}.pt")
        options += ["--input", f"@{folder / f'{place}.pt'}"]
    return folder / "model.pt", options, inputs, expected, architectures.CHUNKS.get(request.param, [])


def test_it_is_inspected(cli, architecture):
    model, options, _, _, _ = architecture
    code, report = cli("inspect", model, *options)
    assert code == 0, report
    assert report["parameters"] and report["operators"]
    legal = [point for point in report["split_points"] if point["legal"]]
    assert len(legal) >= 4
    assert all(point["reason"] for point in report["split_points"] if not point["legal"])


@pytest.mark.parametrize("stages", [2, 4])
def test_it_runs_split_and_equal(cli, architecture, stages):
    model, options, _, _, chunks = architecture
    code, report = cli("run", model, *options, *chunks, "--split", f":{stages}", "--microbatches", 2)
    assert code == 0, report
    assert len(report["stages"]) == stages
    assert report["equivalent"] and report["max_abs_error"] == 0
    assert report["microbatches"] == [2, 2]


@pytest.mark.parametrize("stages", [2, 4])
def test_its_saved_stages_chain_to_the_model_in_python(cli, architecture, stages, tmp_path):
    model, options, inputs, expected, chunks = architecture
    code, report = cli("split", model, *options, *chunks, "--split", f":{stages}", "--out", tmp_path / "out")
    assert code == 0, report
    assert len(report["files"]) == stages
    with torch.no_grad():
        outputs = run_chain(tmp_path / "out", *inputs)
    torch.testing.assert_close(tree_leaves(outputs[0]), tree_leaves(expected))
