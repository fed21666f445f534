#include "outline/objects.h"

namespace pipescope::outline {

namespace {

using NodeKind = archive::PickleNode::Kind;

constexpr int MostLevels = 64;
constexpr std::size_t LongestName = 4096; ///< with all its dots
constexpr std::size_t MostNameBytes = 64ULL << 20U;

} // namespace

Objects::Objects(const archive::PickleTree &tree, const std::map<std::string, archive::CodeClass> &classes,
                 const graph::ModelGraph &graph)
    : m_tree(tree)
    , m_classes(classes)
{
    for (std::size_t i = 0; i < graph.parameters.size(); ++i)
        m_tensors.emplace(graph.parameters[i].fqn, static_cast<int>(i));
    add(tree.root, {}, 0);
}

Attribute Objects::attribute(int object, std::string_view name)
{
    const Object &of = at(object);
    const State &state = stateOf(of.ref);
    const auto found = state.find(name);
    if (found == state.end() || of.fqn.size() + name.size() >= LongestName)
        return {};
    const std::string fqn = of.fqn.empty() ? std::string(name) : of.fqn + "." + std::string(name);
    if (m_tree.node(found->second).kind == NodeKind::Object) {
        const auto known = m_children.find({object, found->first});
        if (known != m_children.end())
            return {Attribute::Kind::Object, known->second};
        m_nameBytes += fqn.size();
        if (of.depth >= MostLevels || m_nameBytes > MostNameBytes)
            return {};
        const int depth = of.depth + 1; // add() moves what `of` refers to
        const int child = add(found->second, fqn, depth);
        if (!at(child).isModule)
            m_objects.back().fqn = at(object).fqn;
        m_children.emplace(std::pair(object, found->first), child);
        return {Attribute::Kind::Object, child};
    }
    const auto tensor = m_tensors.find(fqn);
    return tensor == m_tensors.end() ? Attribute{} : Attribute{Attribute::Kind::Tensor, tensor->second};
}

int Objects::add(archive::PickleRef ref, std::string fqn, int depth)
{
    Object object;
    object.ref = ref;
    object.className = m_tree.globalName(m_tree.node(ref));
    object.isModule = depth == 0 || isModule(ref, object.className);
    object.fqn = std::move(fqn);
    object.depth = depth;
    m_objects.push_back(std::move(object));
    return static_cast<int>(m_objects.size()) - 1;
}

const Objects::State &Objects::stateOf(archive::PickleRef object)
{
    const archive::PickleNode *state = m_tree.item(m_tree.node(object), 2);
    const auto [found, added] = m_states.try_emplace(state);
    if (added && state != nullptr && state->kind == NodeKind::Dict) {
        m_listed += state->items.size() / 2;
        for (std::size_t i = 0; i + 1 < state->items.size(); i += 2)
            found->second.emplace(m_tree.node(state->items[i]).text, state->items[i + 1]);
    }
    return found->second;
}

/// By its class's code; where that is missing, by the attribute every module has.
bool Objects::isModule(archive::PickleRef object, const std::string &className)
{
    const auto found = m_classes.find(className);
    return found != m_classes.end() ? found->second.base == "Module" : stateOf(object).count("training") > 0;
}

} // namespace pipescope::outline
