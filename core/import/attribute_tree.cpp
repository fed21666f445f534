#include "import/attribute_tree.h"

#include "import/archive/stored_tensor.h"
#include "import/provenance.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <set>

namespace pipescope::import {

namespace {

using Kind = PickleNode::Kind;

std::int64_t sum(std::int64_t a, std::int64_t b)
{
    return a > std::numeric_limits<std::int64_t>::max() - b ? std::numeric_limits<std::int64_t>::max() : a + b;
}

class TreeDescriber
{
public:
    TreeDescriber(const ArchiveContent &content, Structure &structure)
        : m_tree(content.data.tree)
        , m_classes(content.code.classes)
        , m_structure(structure)
    {
    }

    Status run()
    {
        const PickleNode &root = m_tree.node(m_tree.root);
        if (root.kind != Kind::Object)
            return Error{ErrorCode::InvalidFile, "what data.pkl holds is not a module", "data.pkl", {}};
        m_structure.modelClass = m_tree.globalName(root);
        visit(root, "", 0);
        if (!m_problem.empty())
            return Error{ErrorCode::InvalidFile, m_problem, "data.pkl", {}};
        if (m_packed > 0)
            m_structure.notes.push_back(fmt::format(
                "{} of the model's attributes ({}) {} packed by {} own class, and {} tensors are not listed", m_packed,
                m_firstPacked, m_packed == 1 ? "is" : "are", m_packed == 1 ? "its" : "their",
                m_packed == 1 ? "its" : "their"));
        return Success{};
    }

private:
    struct Held
    {
        std::map<PickleRef, StoredTensor> parameters; ///< each tensor once
        std::map<PickleRef, StoredTensor> buffers;
    };

    Held visit(const PickleNode &module, const std::string &fqn, int depth)
    {
        if (depth > MaxModuleDepth)
            m_problem = fmt::format("its modules are nested deeper than {} levels", MaxModuleDepth);
        else if (m_structure.modules.size() >= MaxModules)
            m_problem = fmt::format("it has more than {} modules", MaxModules);
        if (!m_problem.empty())
            return {};
        const std::string className = m_tree.globalName(module);
        const std::size_t index = m_structure.modules.size();
        m_structure.modules.push_back({fqn, shortClassName(className), 0, 0, 0});
        const PickleNode *state = m_tree.item(module, 2);
        if (state == nullptr || state->kind != Kind::Dict) {
            notePacked(fqn);
            return {};
        }
        Held held = ownTensors(*state, className, fqn);
        for (std::size_t i = 0; i + 1 < state->items.size() && m_problem.empty(); i += 2) {
            const PickleNode &value = m_tree.node(state->items[i + 1]);
            const std::string name = joined(fqn, m_tree.node(state->items[i]));
            if (isModule(value)) {
                Held inner = visit(value, name, depth + 1);
                held.parameters.merge(inner.parameters);
                held.buffers.merge(inner.buffers);
            } else if (value.kind == Kind::Object &&
                       m_tree.globalName(value).find("torch.classes.") != std::string::npos) {
                notePacked(name);
            }
        }
        count(m_structure.modules[index], held);
        return held;
    }

    static std::string joined(const std::string &fqn, const PickleNode &name)
    {
        return fqn.empty() ? std::string(name.text) : fqn + "." + std::string(name.text);
    }

    static void count(graph::ModuleInfo &info, const Held &held)
    {
        for (const auto &[ref, tensor] : held.parameters) {
            info.parameters = sum(info.parameters, tensor.elements);
            info.parameterBytes = sum(info.parameterBytes, tensor.meta.bytes);
        }
        for (const auto &[ref, tensor] : held.buffers)
            info.bufferBytes = sum(info.bufferBytes, tensor.meta.bytes);
    }

    Held ownTensors(const PickleNode &state, const std::string &className, const std::string &fqn)
    {
        Held held;
        for (std::size_t i = 0; i + 1 < state.items.size(); i += 2) {
            const PickleNode &name = m_tree.node(state.items[i]);
            const PickleRef ref = state.items[i + 1];
            const auto tensor = storedTensor(m_tree, m_tree.node(ref));
            if (!tensor)
                continue;
            const bool isParameter = isParameterOf(className, name.text, *tensor);
            (isParameter ? held.parameters : held.buffers).emplace(ref, *tensor);
            graph::Parameter parameter;
            parameter.fqn = joined(fqn, name);
            parameter.isBuffer = !isParameter;
            parameter.tensor = tensor->meta;
            const auto [first, added] = m_firstName.emplace(ref, parameter.fqn);
            if (!added)
                parameter.tiedTo = first->second;
            m_structure.parameters.push_back(std::move(parameter));
        }
        return held;
    }

    [[nodiscard]] bool isParameterOf(const std::string &className, std::string_view name,
                                     const StoredTensor &tensor) const
    {
        const auto found = m_classes.find(className);
        if (found == m_classes.end())
            return tensor.meta.requiresGrad;
        const std::vector<std::string> &names = found->second.parameters;
        return std::find(names.begin(), names.end(), name) != names.end();
    }

    /// By its class's code; where that is missing, by the attribute every module has.
    [[nodiscard]] bool isModule(const PickleNode &node) const
    {
        if (node.kind != Kind::Object)
            return false;
        const auto found = m_classes.find(m_tree.globalName(node));
        if (found != m_classes.end())
            return found->second.base == "Module";
        const PickleNode *state = m_tree.item(node, 2);
        if (state == nullptr || state->kind != Kind::Dict)
            return false;
        for (std::size_t i = 0; i + 1 < state->items.size(); i += 2)
            if (m_tree.node(state->items[i]).text == "training")
                return true;
        return false;
    }

    void notePacked(const std::string &fqn)
    {
        if (m_packed++ == 0)
            m_firstPacked = fqn.empty() ? "the model itself" : fqn;
    }

    const PickleTree &m_tree;
    const std::map<std::string, CodeClass> &m_classes;
    Structure &m_structure;
    std::map<PickleRef, std::string> m_firstName;
    int m_packed = 0;
    std::string m_firstPacked;
    std::string m_problem;
};

} // namespace

Status describeTree(const ArchiveContent &content, Structure &structure)
{
    return TreeDescriber(content, structure).run();
}

} // namespace pipescope::import
