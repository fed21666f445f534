// A new module with chosen parts of another one under their old dotted names, for stages to be saved as.
#pragma once

#include "base/result.h"

#include <map>
#include <memory>
#include <string>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/ir/ir.h>
#include <vector>

namespace pipescope::exec {

/// Modules keep their class's short name and their `training` flag; attributes keep value, type and kind (parameter or
/// buffer). Tensors are shared with the original, not copied.
class ModuleTree
{
public:
    ModuleTree(const torch::jit::Module &original, const std::string &className);

    /// Adds the attribute "layers.4.weight", or the module "layers.4", with the modules around it. Of a class object
    /// that a module holds ("coder.weights") all fields are added, as they are the object's. Added once however often.
    /// Errors: those of import/attribute_path.h.
    Status add(const std::string &fqn);

    /// Inserts what reads an added name from `self`, the root ("" is self itself), where the graph inserts.
    [[nodiscard]] torch::jit::Value *insertRead(torch::jit::Graph &graph, torch::jit::Value *self,
                                                const std::string &fqn) const;

    [[nodiscard]] const torch::jit::Module &root() const { return m_root; }
    [[nodiscard]] const std::shared_ptr<torch::jit::CompilationUnit> &unit() const { return m_unit; }

private:
    using Path = std::vector<std::string>;

    torch::jit::Module makeModule(const c10::ivalue::Object &original, const std::string &className) const;

    std::shared_ptr<torch::jit::CompilationUnit> m_unit;
    torch::jit::Module m_original;
    torch::jit::Module m_root;
    std::map<Path, torch::jit::Module> m_modules; // but the root
    std::map<std::string, Path> m_paths;          // of what was added, by FQN
};

} // namespace pipescope::exec
