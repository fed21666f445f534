#include "import/describe_graph.h"
#include "import/describe_node.h"
#include "import/held_memory.h"
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
            else if (!value.isModule() || isHandedOver(*model.values[id.index()]))
                for (const void *memory : heldMemory(value, Modules::Entered))
                    m_holders.emplace(memory, id);
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

    // The value that the tensor is, or else the one that it is in.
    ValueId valueOf(const at::Tensor &tensor) const
    {
        if (const auto found = m_values.find(tensor.unsafeGetTensorImpl()); found != m_values.end())
            return found->second;
        for (const void *memory : heldMemory(tensor))
            if (const auto found = m_holders.find(memory); found != m_holders.end())
                return found->second;
        return {};
    }

    void addParameter(const std::string &name, const at::Tensor &tensor, bool isBuffer)
    {
        graph::Parameter parameter;
        parameter.fqn = name;
        parameter.isBuffer = isBuffer;
        parameter.tensor = tensor::describeTensor(tensor);
        const TensorKey key = tensor.unsafeGetTensorImpl();
        parameter.value = valueOf(tensor);
        const auto [first, added] = m_firstName.emplace(key, name);
        if (!added)
            parameter.tiedTo = first->second;
        m_model.graph.parameters.push_back(std::move(parameter));
    }

    ImportedModel &m_model;
    std::map<TensorKey, ValueId> m_values;
    std::map<const void *, ValueId> m_holders; // by memory: lists, dicts, objects, and modules that are handed over
    std::map<TensorKey, std::string> m_firstName;
    bool m_leftOut = false;
};

} // namespace

void describeModules(ImportedModel &model)
{
    ModuleDescriber(model).run();
}

} // namespace pipescope::import
