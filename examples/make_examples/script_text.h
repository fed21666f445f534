// Modules without Python: the classes as TorchScript source, in the form an archive's code/ folder holds them, and
// their objects put together here. All objects of one class share its type, as in a saved model.
#pragma once

#include <ATen/core/ivalue.h>
#include <memory>
#include <string>
#include <torch/csrc/jit/api/module.h>
#include <utility>
#include <vector>

namespace torch::jit {
struct SourceImporter;
}

namespace pipescope::examples {

using Attributes = std::vector<std::pair<std::string, c10::IValue>>;

class ScriptText
{
public:
    /// `source` is one file of classes; inside it, they name each other "__torch__.Block". Calls of submodules are
    /// written (self.fc).forward(x), operators of other namespaces ops.ns.name(x). Throws c10::Error for source that
    /// does not compile.
    explicit ScriptText(const std::string &source);

    /// A new object. Every attribute must be given, except `training`, which is true where it is left out. Tensors in
    /// __parameters__ get requires_grad when they are floating. Aborts on a name the class does not have.
    [[nodiscard]] torch::jit::Module make(const std::string &className, const Attributes &attributes = {}) const;

private:
    std::shared_ptr<torch::jit::CompilationUnit> m_unit;
    std::shared_ptr<torch::jit::SourceImporter> m_importer;
};

/// Attributes "0", "1", ... holding modules, for a Sequential or a ModuleList.
[[nodiscard]] Attributes numbered(const std::vector<torch::jit::Module> &modules);

} // namespace pipescope::examples
