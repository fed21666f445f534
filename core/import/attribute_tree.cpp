#include "import/attribute_tree.h"

#include "base/text.h"
#include "import/archive/stored_tensor.h"
#include "import/provenance.h"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <set>

namespace pipescope::import {

namespace {

using archive::CodeClass;
using archive::PickleNode;
using archive::PickleRef;
using archive::PickleTree;
using Kind = PickleNode::Kind;

constexpr std::size_t NamesPerByte = 16; // of the pickle; the names of real models take about as many as it has

std::int64_t sum(std::int64_t a, std::int64_t b)
{
    return a > std::numeric_limits<std::int64_t>::max() - b ? std::numeric_limits<std::int64_t>::max() : a + b;
}

class TreeDescriber
{
public:
    TreeDescriber(const ArchiveContent &content, Structure &structure, std::stop_token stop, const TreeLimits &limits)
        : m_tree(content.data.tree)
        , m_classes(content.code.classes)
        , m_structure(structure)
        , m_stop(std::move(stop))
        , m_limits(limits)
    {
        // Objects and names may be shared, so a small file can ask for names without end.
        m_limits.nameBytes =
            std::min(m_limits.nameBytes, limits.nameBytesOfAny + NamesPerByte * content.data.bytes.size());
    }

    Status run()
    {
        const PickleNode &root = m_tree.node(m_tree.root);
        if (root.kind != Kind::Object)
            return Error{ErrorCode::InvalidFile, "what data.pkl holds is not a module", "data.pkl", {}};
        m_structure.modelClass = classNameOf(root);
        visit(root, "", 0);
        if (m_stop.stop_requested())
            return Error{ErrorCode::Cancelled, "stopped while reading the model", "data.pkl", {}};
        if (!m_problem.empty())
            return Error{ErrorCode::InvalidFile, m_problem, "data.pkl", {}};
        if (m_isCut)
            m_structure.notes.push_back(
                fmt::format("not all of the model's modules are listed, but at most {} levels deep", m_limits.depth));
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
        if (depth > m_limits.depth) {
            m_isCut = true;
            return {};
        }
        if (m_structure.modules.size() >= m_limits.modules)
            m_problem = fmt::format("it has more than {} modules", m_limits.modules);
        if (ended())
            return {};
        const std::string className = classNameOf(module);
        const std::size_t index = m_structure.modules.size();
        m_structure.modules.push_back({fqn, shortClassName(className), 0, 0, 0});
        const PickleNode *state = m_tree.item(module, 2);
        if (state == nullptr || state->kind != Kind::Dict) {
            notePacked(fqn);
            return {};
        }
        Held held = ownTensors(*state, className, fqn);
        for (std::size_t i = 0; i + 1 < state->items.size() && !ended(); i += 2) {
            const PickleNode &value = m_tree.node(state->items[i + 1]);
            lookAt(1);
            if (value.kind != Kind::Object)
                continue;
            if (isModule(value)) {
                Held inner = visit(value, joined(fqn, m_tree.node(state->items[i])), depth + 1);
                held.parameters.merge(inner.parameters);
                held.buffers.merge(inner.buffers);
            } else if (classNameOf(value).find("torch.classes.") != std::string::npos) {
                notePacked(joined(fqn, m_tree.node(state->items[i])));
            }
        }
        count(m_structure.modules[index], held);
        return held;
    }

    [[nodiscard]] bool ended() const { return !m_problem.empty() || m_stop.stop_requested(); }

    void lookAt(std::size_t attributes)
    {
        m_attributes += attributes;
        if (m_attributes > m_limits.attributes)
            m_problem = fmt::format("its modules have more than {} attributes", m_limits.attributes);
    }

    void nameBytes(std::size_t bytes)
    {
        m_nameBytes += bytes;
        if (m_nameBytes > m_limits.nameBytes)
            m_problem = fmt::format("the names of its classes and attributes are longer than {} together",
                                    formatBytes(static_cast<std::int64_t>(m_limits.nameBytes)));
    }

    std::string classNameOf(const PickleNode &object)
    {
        std::string name = m_tree.globalName(object);
        nameBytes(name.size());
        return name;
    }

    std::string joined(const std::string &fqn, const PickleNode &name)
    {
        nameBytes(fqn.size() + 1 + name.text.size());
        if (ended())
            return {};
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
        for (std::size_t i = 0; i + 1 < state.items.size() && !ended(); i += 2) {
            const PickleNode &name = m_tree.node(state.items[i]);
            const PickleRef ref = state.items[i + 1];
            const auto tensor = storedTensor(m_tree, m_tree.node(ref));
            if (!tensor)
                continue;
            if (m_structure.parameters.size() >= m_limits.parameters) {
                m_problem = fmt::format("it has more than {} parameters and buffers", m_limits.parameters);
                break;
            }
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

    [[nodiscard]] bool isParameterOf(const std::string &className, std::string_view name, const StoredTensor &tensor)
    {
        const auto found = m_classes.find(className);
        if (found == m_classes.end())
            return tensor.meta.requiresGrad;
        const auto [names, added] = m_parameterNames.try_emplace(&found->second);
        if (added)
            names->second.insert(found->second.parameters.begin(), found->second.parameters.end());
        return names->second.count(name) > 0;
    }

    /// By its class's code; where that is missing, by the attribute every module has.
    [[nodiscard]] bool isModule(const PickleNode &node)
    {
        const auto found = m_classes.find(classNameOf(node));
        if (found != m_classes.end())
            return found->second.base == "Module";
        const PickleNode *state = m_tree.item(node, 2);
        if (state == nullptr || state->kind != Kind::Dict)
            return false;
        lookAt(state->items.size() / 2);
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
    std::map<const CodeClass *, std::set<std::string_view>> m_parameterNames;
    bool m_isCut = false;
    int m_packed = 0;
    std::string m_firstPacked;
    std::string m_problem;
    std::stop_token m_stop;
    TreeLimits m_limits;
    std::size_t m_attributes = 0;
    std::size_t m_nameBytes = 0;
};

} // namespace

Status describeTree(const ArchiveContent &content, Structure &structure, const std::stop_token &stop,
                    const TreeLimits &limits)
{
    return TreeDescriber(content, structure, stop, limits).run();
}

} // namespace pipescope::import
