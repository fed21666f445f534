// A new module with chosen parts of another one under their old dotted names, for stages to be saved as.
#pragma once

#include "base/result.h"

#include <map>
#include <memory>
#include <string>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/ir/ir.h>

namespace pipescope::exec {

/// Modules keep their class's short name and their `training` flag; attributes keep value, type and kind (parameter or
/// buffer). Tensors are shared with the original, not copied.
class ModuleTree
{
public:
    ModuleTree(const torch::jit::Module &original, const std::string &className);

    /// Adds the attribute "layers.4.weight", or the module "layers.4", with the modules around it. Added once however
    /// often. Error: NotFound when the original has nothing of that name.
    Status add(const std::string &fqn);

    /// Inserts what reads an added name from `self`, the root ("" is self itself), where the graph inserts.
    [[nodiscard]] torch::jit::Value *insertRead(torch::jit::Graph &graph, torch::jit::Value *self,
                                                const std::string &fqn) const;

    [[nodiscard]] const torch::jit::Module &root() const { return m_root; }
    [[nodiscard]] const std::shared_ptr<torch::jit::CompilationUnit> &unit() const { return m_unit; }

private:
    torch::jit::Module makeModule(const c10::ivalue::Object &original, const std::string &className) const;

    std::shared_ptr<torch::jit::CompilationUnit> m_unit;
    torch::jit::Module m_original;
    torch::jit::Module m_root;
    std::map<std::string, torch::jit::Module> m_modules; // by FQN, the root as ""
};

} // namespace pipescope::exec
