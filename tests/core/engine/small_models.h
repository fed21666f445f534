// Models of a few lines, built with Module::define and saved where a test wants them.
#pragma once

#include <ATen/ATen.h>
#include <filesystem>
#include <string>
#include <torch/csrc/jit/api/module.h>
#include <vector>

namespace pipescope::tests {

inline torch::jit::Module emptyModule(const std::string &className)
{
    torch::jit::Module module(c10::QualifiedName("__torch__." + className));
    module.register_attribute("training", c10::BoolType::get(), false);
    return module;
}

/// x W^T, then relu.
inline torch::jit::Module layer(const at::Tensor &weight)
{
    torch::jit::Module module = emptyModule("Layer");
    module.register_parameter("weight", weight, false);
    module.define("def forward(self, x: Tensor) -> Tensor:\n    return torch.relu(torch.matmul(x, self.weight.t()))\n");
    return module;
}

/// `layers` layers of width x width, named block0, block1, ...; without `weights` each has its own.
inline torch::jit::Module chain(int layers, int width, const std::vector<at::Tensor> &weights = {})
{
    at::manual_seed(1);
    torch::jit::Module module = emptyModule("Chain");
    std::string source = "def forward(self, x: Tensor) -> Tensor:\n";
    for (int i = 0; i < layers; ++i) {
        const std::string name = "block" + std::to_string(i);
        const at::Tensor weight =
            weights.empty() ? at::randn({width, width}) / width : weights[static_cast<std::size_t>(i)];
        module.register_module(name, layer(weight));
        source += "    x = self." + name + ".forward(x)\n";
    }
    module.define(source + "    return x\n");
    return module;
}

/// Layers of 8 x 8 of these names, one after another; "" is a relu of the model itself.
inline torch::jit::Module namedChain(const std::vector<std::string> &names)
{
    at::manual_seed(3);
    torch::jit::Module module = emptyModule("Named");
    std::string source = "def forward(self, x: Tensor) -> Tensor:\n";
    for (const std::string &name : names) {
        if (!name.empty() && !module.hasattr(name))
            module.register_module(name, layer(at::randn({8, 8}) / 8));
        source += name.empty() ? "    x = torch.relu(x)\n" : "    x = getattr(self, \"" + name + "\").forward(x)\n";
    }
    module.define(source + "    return x\n");
    return module;
}

/// Two layers of 8 x 8 that forward calls, and three that it does not.
inline torch::jit::Module actorAndCritic()
{
    at::manual_seed(5);
    torch::jit::Module module = emptyModule("ActorAndCritic");
    for (const char *name : {"actor0", "actor1", "critic0", "critic1", "critic2"})
        module.register_module(name, layer(at::randn({8, 8}) / 8));
    module.define("def forward(self, x: Tensor) -> Tensor:\n    return self.actor1.forward(self.actor0.forward(x))\n");
    return module;
}

/// Two layers with one weight: tied over a split between them.
inline torch::jit::Module tiedChain()
{
    at::manual_seed(2);
    const at::Tensor shared = at::randn({8, 8});
    return chain(2, 8, {shared, shared});
}

/// As torch.device("meta") makes them: weights with a shape and without values.
inline torch::jit::Module chainOnMeta()
{
    return chain(2, 8, {at::empty({8, 8}, at::kMeta), at::empty({8, 8}, at::kMeta)});
}

/// Counts its calls in a buffer and adds the count: rows depend on how many calls there were before.
inline torch::jit::Module counting()
{
    torch::jit::Module module = emptyModule("Counting");
    module.register_module("first", layer(at::eye(4)));
    module.register_module("second", layer(at::eye(4)));
    module.register_buffer("count", at::zeros({1}));
    module.define("def forward(self, x: Tensor) -> Tensor:\n"
                  "    x = self.first.forward(x)\n"
                  "    self.count.add_(1.0)\n"
                  "    x = x + self.count\n"
                  "    return self.second.forward(x)\n");
    return module;
}

/// Takes the mean over the batch.
inline torch::jit::Module centring()
{
    torch::jit::Module module = emptyModule("Centring");
    module.register_module("first", layer(at::eye(4)));
    module.define("def forward(self, x: Tensor) -> Tensor:\n"
                  "    y = self.first.forward(x)\n"
                  "    return y - y.mean([0], True)\n");
    return module;
}

/// Gives a number instead of rows, writes its input in place, and has a branch and a second input with a default.
inline torch::jit::Module awkward()
{
    torch::jit::Module module = emptyModule("Awkward");
    module.register_module("first", layer(at::eye(4)));
    module.define("def forward(self, x: Tensor, scale: float = 2.0) -> Tensor:\n"
                  "    x.mul_(scale)\n"
                  "    if bool(x.sum() > 1000.0):\n"
                  "        x = x + 1.0\n"
                  "    return self.first.forward(x).sum()\n"
                  "def doubled(self, x: Tensor) -> Tensor:\n"
                  "    return x * 2.0\n");
    return module;
}

/// Gives a number instead of rows: the sum over all of them.
inline torch::jit::Module summing()
{
    torch::jit::Module module = emptyModule("Summing");
    module.register_module("first", layer(at::eye(4)));
    module.define("def forward(self, x: Tensor) -> Tensor:\n"
                  "    return self.first.forward(x * 2.0).sum()\n");
    return module;
}

/// Fails in its last node, which multiplies four columns with three rows.
inline torch::jit::Module failing()
{
    torch::jit::Module module = emptyModule("Failing");
    module.register_module("first", layer(at::eye(4)));
    module.define("def forward(self, x: Tensor) -> Tensor:\n"
                  "    y = self.first.forward(x)\n"
                  "    return torch.matmul(y, torch.ones([3, 3]))\n");
    return module;
}

inline std::string save(const torch::jit::Module &module, const std::filesystem::path &path)
{
    module.save(path.string());
    return path.string();
}

} // namespace pipescope::tests
