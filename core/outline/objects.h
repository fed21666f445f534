// The objects of a pickled attribute tree as the code reaches them, from attribute to attribute.
#pragma once

#include "archive/code_listing.h"
#include "archive/pickle_tree.h"
#include "graph/model_graph.h"

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace pipescope::outline {

struct Object
{
    archive::PickleRef ref;
    bool isModule = false;
    std::string fqn;       ///< of a module; of another object, that of the module which holds it
    std::string className; ///< qualified, "__torch__.model.Block"
    int depth = 0;
};

struct Attribute
{
    enum class Kind { Other, Object, Tensor };
    Kind kind = Kind::Other;
    int index = -1; ///< of an object, or in ModelGraph::parameters
};

class Objects
{
public:
    /// Both must outlive it; only the graph's parameters are looked at.
    Objects(const archive::PickleTree &tree, const std::map<std::string, archive::CodeClass> &classes,
            const graph::ModelGraph &graph);

    /// Object 0 is the model.
    [[nodiscard]] const Object &at(int index) const { return m_objects[static_cast<std::size_t>(index)]; }
    Attribute attribute(int object, std::string_view name);
    /// For tests. Attributes taken from the tree so far, by all objects; those that many objects share count once.
    [[nodiscard]] std::size_t listed() const { return m_listed; }

private:
    using State = std::unordered_map<std::string_view, archive::PickleRef>;

    int add(archive::PickleRef ref, std::string fqn, int depth);
    const State &stateOf(archive::PickleRef object);
    bool isModule(archive::PickleRef object, const std::string &className);

    const archive::PickleTree &m_tree;
    const std::map<std::string, archive::CodeClass> &m_classes;
    std::unordered_map<std::string_view, int> m_tensors; // by FQN, the graph's
    std::vector<Object> m_objects;
    std::map<std::pair<int, std::string_view>, int> m_children;      // of an object, the name as pickled
    std::unordered_map<const archive::PickleNode *, State> m_states; // by the dict: many objects can share one
    std::size_t m_nameBytes = 0;
    std::size_t m_listed = 0;
};

} // namespace pipescope::outline
