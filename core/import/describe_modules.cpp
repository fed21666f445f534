#include "import/describe_graph.h"
#include "import/provenance.h"
#include "tensor/ivalue_tree.h"

#include <cstdint>
#include <fmt/format.h>
#include <map>
#include <set>

namespace pipescope::import {

namespace {

using TensorKey = const c10::TensorImpl *;

class ModuleDescriber
{
public:
    explicit ModuleDescriber(ImportedModel &model)
        : m_model(model)
    {
        for (const auto &[id, value] : model.held)
            if (value.isTensor() && value.toTensor().defined())
                m_values.emplace(value.toTensor().unsafeGetTensorImpl(), id);
    }

    void run()
    {
        visit(m_model.module, "", 0);
        if (m_leftOut)
            m_model.notes.push_back(fmt::format("not all of the model's modules are listed, but at most {} with {} "
                                                "parameters and buffers, {} levels deep",
                                                MaxDescribedModules, MaxDescribedParameters, MaxDescribedDepth));
    }

private:
    struct Seen
    {
        std::set<TensorKey> parameters;
        std::set<TensorKey> buffers;
    };

    Seen visit(const torch::jit::Module &module, const std::string &fqn, int depth)
    {
        const std::size_t index = m_model.graph.modules.size();
        m_model.graph.modules.push_back({fqn, shortClassName(module.type()->name()->qualifiedName()), 0, 0, 0});
        Seen seen = ownTensors(module, fqn);
        for (const auto &child : module.named_children()) {
            if (depth == MaxDescribedDepth || m_model.graph.modules.size() >= MaxDescribedModules) {
                m_leftOut = true;
                break;
            }
            Seen inner = visit(child.value, fqn.empty() ? child.name : fqn + "." + child.name, depth + 1);
            seen.parameters.merge(inner.parameters);
            seen.buffers.merge(inner.buffers);
        }
        graph::ModuleInfo &info = m_model.graph.modules[index];
        for (const TensorKey key : seen.parameters) {
            info.parameters += key->numel();
            info.parameterBytes += key->numel() * static_cast<std::int64_t>(key->itemsize());
        }
        for (const TensorKey key : seen.buffers)
            info.bufferBytes += key->numel() * static_cast<std::int64_t>(key->itemsize());
        return seen;
    }

    Seen ownTensors(const torch::jit::Module &module, const std::string &fqn)
    {
        Seen seen;
        const auto type = module.type();
        for (std::size_t slot = 0; slot < type->numAttributes(); ++slot) {
            const c10::IValue value = module._ivalue()->getSlot(slot);
            if (!value.isTensor() || !value.toTensor().defined())
                continue;
            if (m_model.graph.parameters.size() >= MaxDescribedParameters) {
                m_leftOut = true;
                break;
            }
            const at::Tensor &tensor = value.toTensor();
            const bool parameter = type->is_parameter(slot);
            (parameter ? seen.parameters : seen.buffers).insert(tensor.unsafeGetTensorImpl());
            const std::string name =
                fqn.empty() ? type->getAttributeName(slot) : fqn + "." + type->getAttributeName(slot);
            addParameter(name, tensor, !parameter);
        }
        return seen;
    }

    void addParameter(const std::string &name, const at::Tensor &tensor, bool isBuffer)
    {
        graph::Parameter parameter;
        parameter.fqn = name;
        parameter.isBuffer = isBuffer;
        parameter.tensor = tensor::describeTensor(tensor);
        const TensorKey key = tensor.unsafeGetTensorImpl();
        if (const auto found = m_values.find(key); found != m_values.end())
            parameter.value = found->second;
        const auto [first, added] = m_firstName.emplace(key, name);
        if (!added)
            parameter.tiedTo = first->second;
        m_model.graph.parameters.push_back(std::move(parameter));
    }

    ImportedModel &m_model;
    std::map<TensorKey, ValueId> m_values;
    std::map<TensorKey, std::string> m_firstName;
    bool m_leftOut = false;
};

} // namespace

void describeModules(ImportedModel &model)
{
    ModuleDescriber(model).run();
}

} // namespace pipescope::import
