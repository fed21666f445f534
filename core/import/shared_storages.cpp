#include "import/shared_storages.h"

#include "import/code_constants.h"
#include "import/describe_node.h"
#include "import/held_memory.h"

#include <set>
#include <torch/csrc/jit/ir/constants.h>
#include <unordered_map>
#include <utility>

namespace pipescope::import {

namespace {

// A value that outlives the call, or one of its attributes.
struct Holder
{
    ValueId value;
    std::string attribute;

    friend bool operator==(const Holder &, const Holder &) = default;
};

class Sharing
{
public:
    explicit Sharing(ImportedModel &model)
        : m_model(model)
        , m_graph(model.graph)
    {
    }

    void run(const std::vector<AssignedAttribute> &assigned)
    {
        std::unordered_map<const c10::ivalue::Object *, ValueId> modules;
        for (const auto &[id, value] : m_model.held) {
            if (value.isModule())
                modules.emplace(&value.toObjectRef(), id);
            if (value.isObject() && !value.isModule())
                addObject(id, value.toObjectRef());
            else if (!value.isModule())
                add({id, {}}, value);
            else if (isHandedOver(*m_model.values[id.index()]))
                addHandedOver(id, value);
        }
        for (const graph::Value &value : m_graph.values)
            if (value.kind == graph::ValueKind::Constant && value.holdsTensors)
                if (const auto known = torch::jit::toIValue(m_model.values[value.id.index()]))
                    add({value.id, {}}, *known);
        // An attribute that is assigned is part of its module, which is one value. It begins as what it is now.
        for (const AssignedAttribute &attribute : assigned)
            if (const auto module = modules.find(attribute.owner.get()); module != modules.end())
                add({module->second, attribute.name}, attribute.owner->getAttr(attribute.name));
    }

private:
    // Its attributes may be told apart, unless two of them share memory.
    void addObject(ValueId id, const c10::ivalue::Object &object)
    {
        add({id, {}}, std::vector<const void *>{&object});
        for (std::size_t i = 0; i < object.slots().size(); ++i)
            add({id, object.type()->getAttributeName(i)}, object.slots()[i]);
    }

    // What is called has all of the module, and the constants of its code.
    void addHandedOver(ValueId id, const c10::IValue &module)
    {
        add({id, {}}, module);
        for (const c10::IValue &constant : constantsOfCode(module))
            add({id, {}}, constant);
    }

    void add(const Holder &holder, const c10::IValue &value) { add(holder, heldMemory(value, Modules::Entered)); }

    void add(const Holder &holder, const std::vector<const void *> &memories)
    {
        for (const void *memory : memories) {
            const auto [entry, isFirst] = m_firsts.emplace(memory, holder);
            const Holder &first = entry->second;
            if (isFirst || first == holder)
                continue;
            if (first.value != holder.value)
                addAlias({holder.value, first.value});
            for (const ValueId object : {holder.value, first.value})
                if (m_graph.value(object).crossing == graph::Crossing::Refused)
                    addAlias({object, object});
        }
    }

    void addAlias(const graph::Alias &alias)
    {
        if (m_added.emplace(alias.output.value, alias.input.value).second)
            m_graph.nodes[m_graph.order.front().index()].aliases.push_back(alias);
    }

    ImportedModel &m_model;
    graph::ModelGraph &m_graph;
    std::unordered_map<const void *, Holder> m_firsts; // by memory
    std::set<std::pair<int, int>> m_added;
};

} // namespace

void shareStorages(ImportedModel &model, const std::vector<AssignedAttribute> &assigned)
{
    if (!model.graph.order.empty())
        Sharing(model).run(assigned);
}

} // namespace pipescope::import
