#include "support/torch/model_text.h"
#include "support/torch/models.h"

namespace pipescope::testing {

using examples::Attributes;

namespace {

constexpr std::string_view ExampleCode = R"script(
class ExampleCode(Module):
  __parameters__ = ["mm_param1", "mm_param2", ]
  __buffers__ = []
  mm_param1 : Tensor
  mm_param2 : Tensor
  training : bool
  lin1 : __torch__.Linear
  lin2 : __torch__.Linear
  def forward(self: __torch__.ExampleCode, x: Tensor, y: Tensor) -> Tensor:
    skip = torch.mm(x, self.mm_param1)
    a = torch.relu(torch.add(skip, y))
    ops.pippy._pipe_split()
    b = (self.lin1).forward(torch.mm(a, self.mm_param1))
    ops.pippy._pipe_split()
    c = torch.mm(torch.add(torch.relu(b), skip), self.mm_param2)
    ops.pippy._pipe_split()
    return torch.relu((self.lin2).forward(c))
)script";

constexpr std::string_view MultiMlp = R"script(
class MultiMlp(Module):
  __parameters__ = []
  __buffers__ = []
  training : bool
  mlp0 : __torch__.Mlp
  mlp1 : __torch__.Mlp
  mlp2 : __torch__.Mlp
  mlp3 : __torch__.Mlp
  def forward(self: __torch__.MultiMlp, x: Tensor, y: Tensor) -> Tensor:
    a = (self.mlp0).forward(x)
    ops.pippy._pipe_split()
    b = (self.mlp1).forward(a)
    ops.pippy._pipe_split()
    c = (self.mlp2).forward(b)
    ops.pippy._pipe_split()
    return torch.sub((self.mlp3).forward(c), y)
)script";

constexpr std::string_view ParamAlias = R"script(
class ModelWithParamAlias(Module):
  __parameters__ = ["mm_param0", "mm_param1", ]
  __buffers__ = []
  mm_param0 : Tensor
  mm_param1 : Tensor
  training : bool
  lin0 : __torch__.Linear
  lin1 : __torch__.Linear
  def forward(self: __torch__.ModelWithParamAlias, x: Tensor, y: Tensor) -> Tensor:
    a = torch.add(torch.mm(x, self.mm_param0), y)
    b = torch.relu((self.lin0).forward(a))
    ops.pippy._pipe_split()
    return (self.lin1).forward(torch.mm(b, self.mm_param1))
)script";

constexpr std::string_view Kwargs = R"script(
class ModelWithKwargs(Module):
  __parameters__ = ["mm_param0", "mm_param1", ]
  __buffers__ = []
  mm_param0 : Tensor
  mm_param1 : Tensor
  training : bool
  lin0 : __torch__.Linear
  lin1 : __torch__.Linear
  def forward(self: __torch__.ModelWithKwargs, x: Tensor, y: Optional[Tensor]=None) -> Tensor:
    a = torch.mm(x, self.mm_param0)
    if torch.__is__(y, None):
      added = torch.zeros_like(x)
    else:
      added = unchecked_cast(Tensor, y)
    b = torch.relu((self.lin0).forward(torch.add(a, added)))
    ops.pippy._pipe_split()
    return torch.relu((self.lin1).forward(torch.mm(b, self.mm_param1)))
)script";

constexpr std::string_view Sequential = R"script(
class Sequential(Module):
  __parameters__ = []
  __buffers__ = []
  training : bool
  __annotations__["0"] = __torch__.Mlp
  __annotations__["1"] = __torch__.Mlp
  __annotations__["2"] = __torch__.Mlp
  __annotations__["3"] = __torch__.Mlp
  __annotations__["4"] = __torch__.Mlp
  __annotations__["5"] = __torch__.Mlp
  __annotations__["6"] = __torch__.Mlp
  __annotations__["7"] = __torch__.Mlp
  def forward(self: __torch__.Sequential, x0: Tensor) -> Tensor:
    x1 = (getattr(self, "0")).forward(x0)
    x2 = (getattr(self, "1")).forward(x1)
    x3 = (getattr(self, "2")).forward(x2)
    x4 = (getattr(self, "3")).forward(x3)
    x5 = (getattr(self, "4")).forward(x4)
    x6 = (getattr(self, "5")).forward(x5)
    x7 = (getattr(self, "6")).forward(x6)
    return (getattr(self, "7")).forward(x7)
class TransformerLike(Module):
  __parameters__ = []
  __buffers__ = []
  training : bool
  layers : __torch__.Sequential
  def forward(self: __torch__.TransformerLike, x: Tensor) -> Tensor:
    return (self.layers).forward(x)
)script";

constexpr std::string_view Unflatten = R"script(
class Block(Module):
  __parameters__ = []
  __buffers__ = []
  training : bool
  conv : __torch__.Conv2d
  lin0 : __torch__.Linear
  lin1 : __torch__.Linear
  def forward(self: __torch__.Block, x: Tensor, constant: Tensor) -> Tensor:
    a = (self.lin0).forward((self.conv).forward(x))
    ops.pippy._pipe_split()
    b = torch.add_(a, constant)
    return torch.relu((self.lin1).forward(b))
class M(Module):
  __parameters__ = []
  __buffers__ = []
  training : bool
  block0 : __torch__.Block
  block1 : __torch__.Block
  def forward(self: __torch__.M, x: Tensor, constant: Tensor) -> Tensor:
    y = (self.block0).forward(x, constant)
    ops.pippy._pipe_split()
    return (self.block1).forward(y, constant)
)script";

torch::jit::Module unflattenBlock(const examples::ScriptText &text, examples::Weights &weights)
{
    const auto conv = conv2d(text, weights, 4, 4);
    const auto lin0 = linear(text, weights, 8, 8);
    const auto lin1 = linear(text, weights, 8, 8);
    return text.make("Block", {{"conv", conv._ivalue()}, {"lin0", lin0._ivalue()}, {"lin1", lin1._ivalue()}});
}

torch::jit::Module unflattenOf(const examples::ScriptText &text)
{
    auto weights = modelWeights();
    const auto block0 = unflattenBlock(text, weights);
    const auto block1 = unflattenBlock(text, weights);
    return text.make("M", {{"block0", block0._ivalue()}, {"block1", block1._ivalue()}});
}

double bound(std::int64_t width)
{
    return 1 / std::sqrt(static_cast<double>(width));
}

} // namespace

torch::jit::Module exampleCode(std::int64_t width)
{
    examples::Weights weights(8);
    return withLinears(modelText(ExampleCode), "ExampleCode", {"lin1", "lin2"}, width,
                       {{"mm_param1", weights.uniform({width, width}, bound(width))},
                        {"mm_param2", weights.uniform({width, width}, bound(width))}});
}

torch::jit::Module multiMlp(std::int64_t width)
{
    const auto text = modelText(MultiMlp);
    auto weights = modelWeights();
    Attributes attributes;
    for (const char *name : {"mlp0", "mlp1", "mlp2", "mlp3"})
        attributes.emplace_back(name, mlp(text, weights, width)._ivalue());
    return text.make("MultiMlp", attributes);
}

torch::jit::Module modelWithParamAlias(std::int64_t width)
{
    const auto text = modelText(ParamAlias);
    auto weights = modelWeights();
    const at::Tensor parameter = weights.uniform({width, width}, bound(width));
    const auto shared = linear(text, weights, width, width);
    return text.make(
        "ModelWithParamAlias",
        {{"mm_param0", parameter}, {"mm_param1", parameter}, {"lin0", shared._ivalue()}, {"lin1", shared._ivalue()}});
}

torch::jit::Module transformerLike(std::int64_t width)
{
    const auto text = modelText(Sequential);
    auto weights = modelWeights();
    std::vector<torch::jit::Module> layers;
    for (int i = 0; i < 8; ++i)
        layers.push_back(mlp(text, weights, width));
    return text.make("TransformerLike", {{"layers", text.make("Sequential", examples::numbered(layers))._ivalue()}});
}

torch::jit::Module modelWithKwargs(std::int64_t width)
{
    examples::Weights weights(8);
    return withLinears(modelText(Kwargs), "ModelWithKwargs", {"lin0", "lin1"}, width,
                       {{"mm_param0", weights.uniform({width, width}, bound(width))},
                        {"mm_param1", weights.uniform({width, width}, bound(width))}});
}

torch::jit::Module unflattenM()
{
    return unflattenOf(modelText(Unflatten));
}

torch::jit::Module unflattenWithoutWrites()
{
    std::string source(Unflatten);
    const std::string write = "add_(";
    return unflattenOf(modelText(source.replace(source.find(write), write.size(), "add(")));
}

} // namespace pipescope::testing
