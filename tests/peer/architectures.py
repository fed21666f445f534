"""Architectures with random weights and small sizes. Each function gives a TorchScript model and its inputs, 4 rows of each. What the
command line needs besides is in OPTIONS, and how the batch is cut where it is not by rows, in CHUNKS."""

import pathlib

import torch
from torch import Tensor, nn


class LogitsOnly(nn.Module):
    """A transformers model that takes tensors by position and gives one tensor, so that it can be traced."""

    def __init__(self, model, names=("input_ids",)):
        super().__init__()
        self.model = model
        self.names = names

    def forward(self, *inputs):
        return self.model(**dict(zip(self.names, inputs)), return_dict=False)[0]


def traced(model, *inputs):
    return torch.jit.trace(model.eval(), inputs), inputs


def scripted(model, *inputs):
    return torch.jit.script(model.eval()), inputs


def pictures(size=64):
    return torch.randn(4, 3, size, size)


def ids(length=16):
    return torch.randint(0, 500, (4, length))


# Convolutions


def resnet18():
    import torchvision

    return scripted(torchvision.models.resnet18(weights=None), pictures())


def densenet():
    """Every layer takes the list of what all layers before it gave."""
    import torchvision

    return scripted(torchvision.models.DenseNet(growth_rate=8, block_config=(2, 4, 2), num_init_features=16), pictures())


def googlenet():
    """Blocks of four branches, put together."""
    import torchvision

    return scripted(torchvision.models.googlenet(weights=None, init_weights=False, aux_logits=False), pictures())


def shufflenet():
    import torchvision

    return scripted(torchvision.models.shufflenet_v2_x0_5(weights=None), pictures())


def mobilenet():
    import timm

    return traced(timm.create_model("mobilenetv3_small_050", pretrained=False), pictures())


def convnext():
    import timm

    return traced(timm.create_model("convnext_atto", pretrained=False), pictures())


def segmentation():
    """A dict as output."""
    import torchvision

    return scripted(torchvision.models.segmentation.lraspp_mobilenet_v3_large(weights=None, weights_backbone=None), pictures())


def detector():
    """A list of images of their own sizes, objects of a class made inside (ImageList), operators of torchvision."""
    import torchvision

    model = torchvision.models.detection.ssdlite320_mobilenet_v3_large(weights=None, weights_backbone=None, num_classes=5)
    return scripted(model, [torch.rand(3, height, width) for height, width in ((320, 320), (300, 200), (240, 320), (180, 180))])


def detector_options():
    import torchvision

    return ["--op-library", pathlib.Path(torchvision.__file__).with_name("_C_stable.so")]


class UNet(nn.Module):
    """Four levels down and up again, with skips between them."""

    def __init__(self, width: int = 8, levels: int = 4):
        super().__init__()
        sizes = [width * 2**level for level in range(levels)]
        self.down = nn.ModuleList(self.block(before, after) for before, after in zip([3] + sizes, sizes))
        self.up = nn.ModuleList(nn.ConvTranspose2d(2 * size, size, 2, stride=2) for size in reversed(sizes[:-1]))
        self.join = nn.ModuleList(self.block(2 * size, size) for size in reversed(sizes[:-1]))
        self.last = nn.Conv2d(width, 2, 1)

    @staticmethod
    def block(before: int, after: int):
        return nn.Sequential(nn.Conv2d(before, after, 3, padding=1), nn.BatchNorm2d(after), nn.ReLU(inplace=True))

    def forward(self, x: Tensor) -> Tensor:
        skips: list[Tensor] = []
        for level, down in enumerate(self.down):
            x = down(x if level == 0 else nn.functional.max_pool2d(x, 2))
            skips.append(x)
        for level, (up, join) in enumerate(zip(self.up, self.join)):
            x = join(torch.cat([up(x), skips[len(skips) - 2 - level]], 1))
        return self.last(x)


def unet():
    return scripted(UNet(), pictures())


# Attention


def vit():
    """The layers of ViT-B/16, a quarter as wide."""
    import torchvision

    return scripted(torchvision.models.VisionTransformer(64, 16, 12, 3, 192, 768), pictures())


def swin():
    """Attention in windows that are shifted from layer to layer."""
    import torchvision

    model = torchvision.models.SwinTransformer(patch_size=[4, 4], embed_dim=24, depths=[2, 2, 2], num_heads=[2, 4, 8],
                                               window_size=[4, 4])
    return scripted(model, pictures())


def transformer_encoder():
    return scripted(nn.TransformerEncoder(nn.TransformerEncoderLayer(64, 4, batch_first=True), 4), torch.randn(4, 8, 64))


def gpt2():
    import transformers

    config = transformers.GPT2Config(n_layer=4, n_embd=64, n_head=4, vocab_size=500, use_cache=False, attn_implementation="eager")
    return traced(LogitsOnly(transformers.GPT2LMHeadModel(config)), ids())


def bert():
    import transformers

    config = transformers.BertConfig(num_hidden_layers=4, hidden_size=64, num_attention_heads=4, intermediate_size=128,
                                     vocab_size=500, attn_implementation="eager")
    return traced(LogitsOnly(transformers.BertModel(config)), ids())


def llama():
    """Rotary embedding, grouped queries, a gated MLP."""
    import transformers

    config = transformers.LlamaConfig(num_hidden_layers=4, hidden_size=64, intermediate_size=128, num_attention_heads=4,
                                      num_key_value_heads=2, vocab_size=500, use_cache=False, attn_implementation="eager")
    return traced(LogitsOnly(transformers.LlamaForCausalLM(config)), ids())


def t5():
    """An encoder and a decoder, two inputs."""
    import transformers

    config = transformers.T5Config(num_layers=2, num_decoder_layers=2, d_model=64, d_kv=16, d_ff=128, num_heads=4, vocab_size=500,
                                   use_cache=False)
    model = LogitsOnly(transformers.T5ForConditionalGeneration(config), ("input_ids", "decoder_input_ids"))
    return traced(model, ids(16), ids(8))


class Experts(nn.Module):
    """A mixture of experts: each row goes to the two that the gate likes best."""

    def __init__(self, width: int, experts: int):
        super().__init__()
        self.gate = nn.Linear(width, experts)
        self.experts = nn.ModuleList(nn.Sequential(nn.Linear(width, 2 * width), nn.GELU(), nn.Linear(2 * width, width))
                                     for _ in range(experts))

    def forward(self, x: Tensor) -> Tensor:
        weights, chosen = self.gate(x).softmax(-1).topk(2, dim=-1)
        out = torch.zeros_like(x)
        for index, expert in enumerate(self.experts):
            rows, place = torch.where(chosen == index)
            out.index_add_(0, rows, expert(x[rows]) * weights[rows, place].unsqueeze(-1))
        return out


class MixtureOfExperts(nn.Module):
    def __init__(self, width: int = 32, layers: int = 3):
        super().__init__()
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(layers))
        self.layers = nn.ModuleList(Experts(width, 4) for _ in range(layers))

    def forward(self, x: Tensor) -> Tensor:
        for norm, layer in zip(self.norms, self.layers):
            x = x + layer(norm(x))
        return x


def mixture_of_experts():
    return scripted(MixtureOfExperts(), torch.randn(4, 32))


# Recurrence and sound


class Tagger(nn.Module):
    """Words to tags, by LSTMs in both directions."""

    def __init__(self, words: int = 500, width: int = 32, tags: int = 9):
        super().__init__()
        self.words = nn.Embedding(words, width)
        self.first = nn.LSTM(width, width, bidirectional=True, batch_first=True)
        self.second = nn.LSTM(2 * width, width, bidirectional=True, batch_first=True)
        self.tags = nn.Linear(2 * width, tags)

    def forward(self, ids: Tensor) -> Tensor:
        x, _ = self.first(self.words(ids))
        x, _ = self.second(torch.tanh(x))
        return self.tags(x).log_softmax(-1)


def tagger():
    return scripted(Tagger(), ids())


def wav2vec2():
    """Convolutions over sound, then attention."""
    import transformers

    config = transformers.Wav2Vec2Config(num_hidden_layers=2, hidden_size=64, num_attention_heads=4, intermediate_size=128,
                                         conv_dim=(32, 32, 32), conv_stride=(5, 2, 2), conv_kernel=(10, 3, 3),
                                         num_feat_extract_layers=3, num_conv_pos_embeddings=16,
                                         num_conv_pos_embedding_groups=4, attn_implementation="eager")
    return traced(LogitsOnly(transformers.Wav2Vec2Model(config), ("input_values",)), torch.randn(4, 1600))


ALL = [resnet18, densenet, googlenet, shufflenet, mobilenet, convnext, segmentation, detector, unet, vit, swin, transformer_encoder, gpt2,
       bert, llama, t5, mixture_of_experts, tagger, wav2vec2]

OPTIONS = {detector: detector_options}
CHUNKS = {detector: ["--chunk", "images=list"]}
