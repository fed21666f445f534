"""Real architectures with random weights: inspected, run in 2 and 4 stages, and their saved stages chained in Python."""

import pytest
import torch
from chain import run_chain


class LogitsOnly(torch.nn.Module):
    """A transformers model that takes ids and gives one tensor, so that it can be traced."""

    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, input_ids):
        return self.model(input_ids, return_dict=False)[0]


def resnet18():
    import torchvision

    return torch.jit.script(torchvision.models.resnet18(weights=None).eval()), torch.randn(4, 3, 64, 64)


def vit_b_16():
    import torchvision

    return torch.jit.script(torchvision.models.vit_b_16(weights=None, image_size=64).eval()), torch.randn(4, 3, 64, 64)


def gpt2():
    import transformers

    config = transformers.GPT2Config(n_layer=4, n_embd=64, n_head=4, vocab_size=500, use_cache=False, attn_implementation="eager")
    ids = torch.randint(0, 500, (4, 16))
    return torch.jit.trace(LogitsOnly(transformers.GPT2LMHeadModel(config).eval()), ids), ids


def bert():
    import transformers

    config = transformers.BertConfig(num_hidden_layers=4, hidden_size=64, num_attention_heads=4, intermediate_size=128,
                                     vocab_size=500, attn_implementation="eager")
    ids = torch.randint(0, 500, (4, 16))
    return torch.jit.trace(LogitsOnly(transformers.BertModel(config).eval()), ids), ids


def transformer_encoder():
    layer = torch.nn.TransformerEncoderLayer(64, 4, batch_first=True)
    return torch.jit.script(torch.nn.TransformerEncoder(layer, 4).eval()), torch.randn(4, 8, 64)


def timm_model():
    import timm

    model = timm.create_model("mobilenetv3_small_050", pretrained=False).eval()
    x = torch.randn(4, 3, 64, 64)
    return torch.jit.trace(model, x), x


@pytest.fixture(scope="module", params=[resnet18, vit_b_16, gpt2, bert, transformer_encoder, timm_model], ids=lambda make: make.__name__)
def architecture(request, tmp_path_factory):
    torch.manual_seed(0)
    with torch.no_grad():
        model, x = request.param()
    folder = tmp_path_factory.mktemp(request.param.__name__)
    model.save(str(folder / "model.pt"))
    torch.save(x, folder / "x.pt")
    with torch.no_grad():
        expected = torch.jit.load(str(folder / "model.pt"))(x)
    return folder, x, expected


def test_it_is_inspected(cli, architecture):
    folder, _, _ = architecture
    code, report = cli("inspect", folder / "model.pt", "--input", f"@{folder / 'x.pt'}")
    assert code == 0, report
    assert report["parameters"] and report["operators"]
    legal = [point for point in report["split_points"] if point["legal"]]
    assert len(legal) >= 4
    assert all(point["reason"] for point in report["split_points"] if not point["legal"])


@pytest.mark.parametrize("stages", [2, 4])
def test_it_runs_split_and_equal(cli, architecture, stages):
    folder, _, _ = architecture
    code, report = cli("run", folder / "model.pt", "--input", f"@{folder / 'x.pt'}", "--split", f":{stages}", "--microbatches", 2)
    assert code == 0, report
    assert len(report["stages"]) == stages
    assert report["equivalent"] and report["max_abs_error"] == 0
    assert report["microbatches"] == [2, 2]


@pytest.mark.parametrize("stages", [2, 4])
def test_its_saved_stages_chain_to_the_model_in_python(cli, architecture, stages, tmp_path):
    folder, x, expected = architecture
    code, report = cli("split", folder / "model.pt", "--input", f"@{folder / 'x.pt'}", "--split", f":{stages}", "--out",
                       tmp_path / "out")
    assert code == 0, report
    assert len(report["files"]) == stages
    with torch.no_grad():
        outputs = run_chain(tmp_path / "out", x)
    torch.testing.assert_close(outputs[0], expected)
