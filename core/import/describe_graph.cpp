#include "import/describe_graph.h"

#include "import/describe_node.h"
#include "import/literals.h"
#include "import/memory_facts.h"
#include "import/operator_questions.h"
#include "import/provenance.h"
#include "import/shared_storages.h"
#include "ops/operator.h"
#include "tensor/ivalue_tree.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <torch/csrc/jit/ir/constants.h>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

namespace pipescope::import {

namespace {

using graph::Crossing;
using graph::ValueKind;
using torch::jit::Block;
using torch::jit::Node;
using torch::jit::Value;

class Describer
{
public:
    Describer(Specialised &specialised, ImportedModel &model, std::stop_token stop)
        : m_specialised(specialised)
        , m_model(model)
        , m_graph(model.graph)
        , m_stop(std::move(stop))
    {
    }

    Status run()
    {
        addArguments();
        for (const HeldInput &held : m_specialised.held)
            m_heldInputs.emplace(held.input, &held);
        passMarkers(*m_specialised.graph->block());
        addBlock(*m_specialised.graph->block(), NodeId{});
        if (m_stop.stop_requested())
            return stoppedImporting(m_model.methodName);
        for (Value *output : m_specialised.graph->outputs())
            m_graph.outputs.push_back(valueId(output));
        shareStorages(m_model, m_specialised.assigned);
        fillLiteralLists(m_graph);
        m_graph.nodes.shrink_to_fit();
        for (Node *node : m_obsolete)
            node->destroy();
        return Success{};
    }

private:
    void addArguments()
    {
        const auto &schema = m_model.module.get_method(m_model.methodName).function().getSchema();
        std::unordered_set<Value *> held;
        for (const HeldInput &input : m_specialised.held)
            held.insert(input.input);
        int index = 0;
        for (Value *input : m_specialised.graph->inputs()) {
            if (held.count(input))
                continue;
            graph::Argument argument;
            const auto &declared = schema.arguments()[static_cast<std::size_t>(index) + 1];
            argument.name = declared.name();
            argument.type = input->type()->annotation_str();
            argument.value = addValue(input, ValueKind::Input, argument.name);
            if (declared.default_value()) {
                argument.hasDefault = true;
                argument.defaultText = fmt::format("{}", c10::str(*declared.default_value()));
                m_model.defaults[index] = *declared.default_value();
            }
            m_graph.arguments.push_back(std::move(argument));
            ++index;
        }
    }

    ValueId addValue(Value *value, ValueKind kind, std::string name)
    {
        graph::Value added;
        added.id = ValueId{static_cast<int>(m_graph.values.size())};
        added.kind = kind;
        added.name = std::move(name);
        added.type = value->type()->annotation_str();
        added.crossing = crossingOf(value->type());
        // What is not initialised is never read, and has no memory to be written.
        added.holdsTensors = value->node()->kind() != c10::prim::Uninitialized && holdsTensors(value->type());
        if (kind == ValueKind::Constant)
            describeConstant(*value, added);
        m_ids.emplace(value, added.id);
        m_model.values.push_back(value);
        m_graph.values.push_back(std::move(added));
        return m_graph.values.back().id;
    }

    // The code of each module has its own constants, which may be one tensor: that one has one name.
    void describeConstant(const Value &value, graph::Value &added)
    {
        const std::optional<c10::IValue> known = torch::jit::toIValue(&value);
        if (!known)
            return;
        added.literal = literalOf(*known);
        const std::vector<at::Tensor> tensors = tensor::tensorsIn(*known);
        if (tensors.empty())
            return;
        added.bytes = tensor::tensorBytes(*known);
        if (!known->isTensor())
            return;
        added.tensor = tensor::describeTensor(tensors.front());
        added.name = m_constantNames.emplace(tensors.front().unsafeGetTensorImpl(), added.name).first->second;
    }

    // The id of a value, made on first use for held inputs and constants.
    ValueId valueId(Value *value)
    {
        if (const auto found = m_ids.find(value); found != m_ids.end())
            return found->second;
        if (const auto found = m_heldInputs.find(value); found != m_heldInputs.end()) {
            const HeldInput &held = *found->second;
            const ValueKind kind = held.kind == HeldInput::Kind::Parameter ? ValueKind::Parameter
                                   : held.kind == HeldInput::Kind::Buffer  ? ValueKind::Buffer
                                                                           : ValueKind::Attribute;
            const ValueId id = addValue(value, kind, held.fqn);
            m_model.held[id] = held.value;
            return id;
        }
        return addValue(value, ValueKind::Constant, fmt::format("constant {}", value->debugName()));
    }

    // Users of a marker's result use what went into it. Before anything is described: m_memory wants a graph that
    // stays.
    static void passMarkers(Block &block)
    {
        for (Node *node : block.nodes()) {
            if (isMarker(*node) && node->outputs().size() == 1)
                node->output()->replaceAllUsesWith(node->input(0));
            for (Block *inner : node->blocks())
                passMarkers(*inner);
        }
    }

    void addBlock(Block &block, NodeId parent)
    {
        for (Node *node : block.nodes()) {
            if (m_stop.stop_requested())
                return;
            if (node->kind() == callBeginsKind() || node->kind() == callEndsKind()) {
                addCallMark(*node, parent);
                m_obsolete.push_back(node);
            } else if (isMarker(*node)) {
                addMarker(*node, parent);
                m_obsolete.push_back(node);
            } else if (!isConstant(*node)) {
                addNode(node, parent);
            }
        }
    }

    int position() const { return static_cast<int>(m_graph.order.size()); }

    // Inside an if or loop, its own place: the loop is in the order already.
    int positionInside(NodeId parent) const { return parent.valid() ? position() - 1 : position(); }

    NodeId outermost(NodeId node) const
    {
        while (node.valid() && m_graph.node(node).parent.valid())
            node = m_graph.node(node).parent;
        return node;
    }

    void addCallMark(const Node &node, NodeId parent)
    {
        const Provenance from = provenanceOf(node);
        if (node.kind() == callBeginsKind()) {
            m_open.push_back(m_graph.calls.size());
            const int here = positionInside(parent);
            m_graph.calls.push_back({from.fqn, from.call, here, here, outermost(parent)});
            return;
        }
        graph::ModuleCall &call = m_graph.calls[m_open.back()];
        call.end = parent.valid() ? call.begin : position();
        m_open.pop_back();
    }

    void addMarker(const Node &node, NodeId parent)
    {
        m_graph.markers.push_back({positionInside(parent), markerName(node), outermost(parent)});
    }

    void addNode(Node *node, NodeId parent)
    {
        const NodeId id{static_cast<int>(m_graph.nodes.size())};
        m_graph.nodes.emplace_back();
        m_model.nodes.push_back(node);
        {
            graph::Node &added = m_graph.nodes.back();
            const Provenance from = provenanceOf(*node);
            added.id = id;
            added.op = node->kind().toQualString();
            if (const c10::FunctionSchema *schema = schemaOf(*node))
                added.overload = schema->overload_name();
            added.fqn = from.fqn;
            added.className = from.className;
            added.call = from.call;
            added.name = uniqueName(from.fqn, added.op);
            added.source = locationOf(*node);
            added.parent = parent;
            added.effect = hasEffect(*node);
            added.differentiates = ops::of(added).role == ops::Role::Differentiates;
        }
        addOperands(id, *node);
        m_graph.nodes[id.index()].random = isRandom(id, *node);
        for (std::size_t i = 0; i < node->outputs().size(); ++i) {
            const std::string name = fmt::format("{}:{}", m_graph.node(id).name, i);
            const ValueId value =
                addValue(node->outputs()[i], parent.valid() ? ValueKind::Inner : ValueKind::Result, name);
            m_graph.values[value.index()].producer = id;
            m_graph.values[value.index()].outputIndex = static_cast<int>(i);
            m_graph.nodes[id.index()].outputs.push_back(value);
        }
        if (!parent.valid())
            m_graph.order.push_back(id);
        addState(id, *node, m_heldInputs);
        for (Block *block : node->blocks()) {
            for (Value *input : block->inputs()) {
                const ValueId value =
                    addValue(input, ValueKind::Inner, fmt::format("{}:{}", m_graph.node(id).name, input->debugName()));
                m_graph.values[value.index()].producer = id;
            }
            addBlock(*block, id);
        }
        addMemoryFacts(id, *node);
        liftFromChildren(id);
    }

    std::string uniqueName(const std::string &fqn, const std::string &op)
    {
        const std::string base = fqn.empty() ? op : fqn + "/" + op;
        const int ordinal = m_ordinals[base]++;
        return ordinal == 0 ? base : fmt::format("{}#{}", base, ordinal);
    }

    // The operator's row knows when it draws nothing (dropout that is off), LibTorch of dropout alone. Who seeds the
    // generator must not do it while another draws, either.
    bool isRandom(NodeId id, const Node &torchNode) const
    {
        const graph::Node &node = m_graph.node(id);
        const ops::Operator &row = ops::of(node);
        return (row.draws ? ops::drawsRandom(m_graph, node) : isNondeterministic(torchNode)) ||
               row.role == ops::Role::Seeds || forksRandom(torchNode);
    }

    static bool hasEffect(const Node &node)
    {
        const c10::Symbol kind = node.kind();
        return kind == c10::prim::CallMethod || kind == c10::prim::CallFunction ||
               (node.blocks().empty() && hasSideEffects(node));
    }

    void addOperands(NodeId id, Node &node)
    {
        std::vector<ValueId> operands;
        for (Value *input : node.inputs())
            operands.push_back(valueId(input));
        std::vector<ValueId> uses;
        for (Value *value : m_memory.usedValues(node)) {
            // Constants inside a block belong to the block.
            const auto inputs = node.inputs();
            if (isConstant(*value->node()) && !holdsTensors(value->type()) &&
                value->node()->owningBlock() != node.owningBlock() && !node.blocks().empty() &&
                std::find(inputs.begin(), inputs.end(), value) == inputs.end())
                continue;
            uses.push_back(valueId(value));
        }
        m_graph.nodes[id.index()].operands = std::move(operands);
        m_graph.nodes[id.index()].uses = std::move(uses);
    }

    // The objects that the model holds, by what stands for them in the code that a node is in.
    using Objects = std::unordered_map<Value *, const HeldInput *>;

    void addState(NodeId id, Node &node, const Objects &objects)
    {
        if (node.hasAttribute(c10::attr::Subgraph))
            addStateAside(id, node, objects);
        if (node.kind() != c10::prim::GetAttr && node.kind() != c10::prim::SetAttr)
            return;
        const auto held = objects.find(node.input(0));
        if (held == objects.end())
            return;
        const std::string &name = node.s(c10::attr::name);
        const std::string fqn = held->second->fqn.empty() ? name : held->second->fqn + "." + name;
        const bool reads = node.kind() == c10::prim::GetAttr;
        if (!m_lifted.emplace(id.value, reads ? 'r' : 'w', fqn).second)
            return;
        graph::Node &added = m_graph.nodes[id.index()];
        (reads ? added.stateRead : added.stateWritten).push_back(fqn);
    }

    // Attributes that code run aside reads and assigns are the node's.
    void addStateAside(NodeId id, Node &node, const Objects &objects)
    {
        torch::jit::Graph &code = *node.g(c10::attr::Subgraph);
        Objects inner;
        for (std::size_t i = 0; i < code.inputs().size(); ++i)
            if (const auto held = objects.find(node.inputs()[i]); held != objects.end())
                inner.emplace(code.inputs()[i], held->second);
        if (!inner.empty())
            addStateOf(id, *code.block(), inner);
    }

    void addStateOf(NodeId id, Block &block, const Objects &objects)
    {
        for (Node *node : block.nodes()) {
            addState(id, *node, objects);
            for (Block *inner : node->blocks())
                addStateOf(id, *inner, objects);
        }
    }

    void addMemoryFacts(NodeId id, Node &node)
    {
        const MemoryFacts facts = m_memory.facts(node);
        graph::Node &added = m_graph.nodes[id.index()];
        for (const auto &[values, ids] :
             {std::pair(&facts.writes, &added.writes), std::pair(&facts.containerWrites, &added.containerWrites)})
            for (Value *value : *values)
                ids->push_back(valueId(value));
        for (const auto &[a, b] : facts.shares) {
            const ValueId output = valueId(a);
            const ValueId input = valueId(b);
            if (hasMemory(m_graph.value(input)) && hasMemory(m_graph.value(output)))
                added.aliases.push_back({output, input});
        }
    }

    void liftFromChildren(NodeId id)
    {
        graph::Node &added = m_graph.nodes[id.index()];
        if (!added.parent.valid())
            return;
        graph::Node &holder = m_graph.nodes[added.parent.index()];
        holder.children.push_back(id);
        holder.random = holder.random || added.random;
        holder.effect = holder.effect || added.effect;
        holder.differentiates = holder.differentiates || added.differentiates;
        for (const std::string &fqn : added.stateRead)
            if (m_lifted.emplace(added.parent.value, 'r', fqn).second)
                holder.stateRead.push_back(fqn);
        for (const std::string &fqn : added.stateWritten)
            if (m_lifted.emplace(added.parent.value, 'w', fqn).second)
                holder.stateWritten.push_back(fqn);
    }

    // Constant numbers are pooled: one may sit in a hundred unrelated lists, which share no memory through it.
    static bool hasMemory(const graph::Value &value) { return value.kind != ValueKind::Constant || value.holdsTensors; }

    Specialised &m_specialised;
    ImportedModel &m_model;
    graph::ModelGraph &m_graph;
    std::stop_token m_stop;
    GraphMemory m_memory;
    std::unordered_map<Value *, ValueId> m_ids;
    Objects m_heldInputs;
    std::unordered_map<const c10::TensorImpl *, std::string> m_constantNames;
    std::unordered_map<std::string, int> m_ordinals;
    std::set<std::tuple<int, char, std::string>> m_lifted; // node, read or written, what: once for each node
    std::vector<std::size_t> m_open;                       // calls begun and not ended
    std::vector<Node *> m_obsolete;
};

} // namespace

Status describeGraph(Specialised specialised, ImportedModel &model, std::stop_token stop)
{
    model.graph.modelClass = shortClassName(model.module.type()->name()->qualifiedName());
    model.graph.method = model.methodName;
    if (Status done = Describer(specialised, model, std::move(stop)).run(); !done)
        return done;
    for (const AssignedAttribute &attribute : specialised.assigned)
        model.state.push_back({attribute.fqn, attribute.owner, attribute.name});
    describeModules(model);
    model.lowered = std::move(specialised.graph);
    return Success{};
}

} // namespace pipescope::import
