// A decoder of GPT-2's shape and module names: pre-LayerNorm blocks with causal attention and a GELU MLP, learned
// positions, and an output projection that is the token embedding under a second name.
#include "make_examples/examples.h"
#include "make_examples/layers.h"

#include <fmt/format.h>

namespace pipescope::examples {

namespace {

constexpr std::string_view BlockSource = R"script(
class Attention(Module):
  __parameters__ = []
  __buffers__ = []
  training : bool
  heads : int
  c_attn : __torch__.Linear
  c_proj : __torch__.Linear
  def forward(self: __torch__.Attention, x: Tensor) -> Tensor:
    rows = torch.size(x, 0)
    length = torch.size(x, 1)
    width = torch.size(x, 2)
    split = [rows, length, self.heads, torch.floordiv(width, self.heads)]
    q, k, v, = torch.split((self.c_attn).forward(x), width, 2)
    query = torch.transpose(torch.view(q, split), 1, 2)
    key = torch.transpose(torch.view(k, split), 1, 2)
    value = torch.transpose(torch.view(v, split), 1, 2)
    mixed = torch.scaled_dot_product_attention(query, key, value, None, 0., True)
    joined = torch.reshape(torch.transpose(mixed, 1, 2), [rows, length, width])
    return (self.c_proj).forward(joined)
class FeedForward(Module):
  __parameters__ = []
  __buffers__ = []
  training : bool
  c_fc : __torch__.Linear
  c_proj : __torch__.Linear
  def forward(self: __torch__.FeedForward, x: Tensor) -> Tensor:
    return (self.c_proj).forward(torch.gelu((self.c_fc).forward(x), approximate="tanh"))
class Block(Module):
  __parameters__ = []
  __buffers__ = []
  training : bool
  ln_1 : __torch__.LayerNorm
  attn : __torch__.Attention
  ln_2 : __torch__.LayerNorm
  mlp : __torch__.FeedForward
  def forward(self: __torch__.Block, x: Tensor) -> Tensor:
    attended = torch.add(x, (self.attn).forward((self.ln_1).forward(x)))
    return torch.add(attended, (self.mlp).forward((self.ln_2).forward(attended)))
)script";

constexpr std::string_view ModelSource = R"script(
class Transformer(Module):
  __parameters__ = []
  __buffers__ = []
  training : bool
  wte : __torch__.Embedding
  wpe : __torch__.Embedding
  h : __torch__.Blocks
  ln_f : __torch__.LayerNorm
  def forward(self: __torch__.Transformer, ids: Tensor) -> Tensor:
    positions = torch.arange(torch.size(ids, 1), dtype=4, layout=None, device=ops.prim.device(ids), pin_memory=None)
    x = torch.add((self.wte).forward(ids), (self.wpe).forward(positions))
    return (self.ln_f).forward((self.h).forward(x))
class Decoder(Module):
  __parameters__ = []
  __buffers__ = []
  training : bool
  transformer : __torch__.Transformer
  lm_head : __torch__.LinearNoBias
  def forward(self: __torch__.Decoder, ids: Tensor) -> Tensor:
    return (self.lm_head).forward((self.transformer).forward(ids))
)script";

std::string blocksSource(std::int64_t count)
{
    std::string annotations;
    std::string calls;
    for (std::int64_t i = 0; i < count; ++i) {
        annotations += fmt::format("  __annotations__[\"{}\"] = __torch__.Block\n", i);
        calls += fmt::format("    x{} = (getattr(self, \"{}\")).forward(x{})\n", i + 1, i, i);
    }
    return fmt::format("class Blocks(Module):\n  __parameters__ = []\n  __buffers__ = []\n  training : bool\n{}"
                       "  def forward(self: __torch__.Blocks, x0: Tensor) -> Tensor:\n{}    return x{}\n",
                       annotations, calls, count);
}

torch::jit::Module block(const ScriptText &text, Weights &weights, const DecoderShape &shape)
{
    const auto attn = text.make("Attention", {{"heads", shape.heads},
                                              {"c_attn", linear(text, weights, shape.width, 3 * shape.width)._ivalue()},
                                              {"c_proj", linear(text, weights, shape.width, shape.width)._ivalue()}});
    const auto mlp =
        text.make("FeedForward", {{"c_fc", linear(text, weights, shape.width, 4 * shape.width)._ivalue()},
                                  {"c_proj", linear(text, weights, 4 * shape.width, shape.width)._ivalue()}});
    return text.make("Block", {{"ln_1", layerNorm(text, shape.width)._ivalue()},
                               {"attn", attn._ivalue()},
                               {"ln_2", layerNorm(text, shape.width)._ivalue()},
                               {"mlp", mlp._ivalue()}});
}

} // namespace

torch::jit::Module decoder(Size size)
{
    return decoderOf(size == Size::Full ? DecoderShape{12, 768, 12, 50257, 256} : DecoderShape{2, 64, 4, 1000, 32});
}

torch::jit::Module decoderOf(const DecoderShape &shape)
{
    const ScriptText text(layersSource() + std::string(BlockSource) + blocksSource(shape.blocks) +
                          std::string(ModelSource));
    Weights weights(1);
    const auto wte = embedding(text, weights, shape.vocabulary, shape.width);
    const auto wpe = embedding(text, weights, shape.context, shape.width);
    std::vector<torch::jit::Module> blocks;
    for (std::int64_t i = 0; i < shape.blocks; ++i)
        blocks.push_back(block(text, weights, shape));
    const auto transformer = text.make("Transformer", {{"wte", wte._ivalue()},
                                                       {"wpe", wpe._ivalue()},
                                                       {"h", text.make("Blocks", numbered(blocks))._ivalue()},
                                                       {"ln_f", layerNorm(text, shape.width)._ivalue()}});
    const auto head = text.make("LinearNoBias", {{"weight", wte.attr("weight")}});
    auto model = text.make("Decoder", {{"transformer", transformer._ivalue()}, {"lm_head", head._ivalue()}});
    model.eval();
    return model;
}

} // namespace pipescope::examples
