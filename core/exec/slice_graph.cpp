#include "exec/slice_graph.h"

#include "exec/apart_blocks.h"
#include "exec/division_guard.h"

#include <torch/csrc/jit/ir/constants.h>
#include <unordered_map>
#include <utility>

namespace pipescope::exec {

namespace {

using torch::jit::Graph;
using torch::jit::Node;
using torch::jit::Value;

class Slicer
{
public:
    Slicer(const import::ImportedModel &model, MarkTable *marks)
        : m_model(model)
        , m_marks(marks)
        , m_graph(std::make_shared<Graph>())
    {
    }

    std::shared_ptr<Graph> run(const Slice &slice)
    {
        for (const ValueId id : slice.inputs) {
            Value *const original = m_model.values[id.index()];
            Value *const input = m_graph->addInput();
            input->copyMetadata(original);
            m_copies[original] = input;
        }
        for (const ValueId id : slice.copied) {
            Value *&given = m_copies.at(m_model.values[id.index()]);
            given = m_graph->insert(c10::aten::copy, {given});
        }
        for (int position = slice.begin; position < slice.end; ++position)
            copyNode(m_model.graph.at(position));
        for (const ValueId id : slice.outputs)
            m_graph->registerOutput(copyOf(m_model.values[id.index()]));
        if (m_marks)
            keepBlocksApart(*m_graph->block());
        return std::move(m_graph);
    }

private:
    void copyNode(const graph::Node &node)
    {
        if (m_marks) {
            addMark(*m_marks, node);
            insertMark(*m_graph, *m_marks);
        }
        Node *const original = m_model.nodes[node.id.index()];
        Node *const copy = m_graph->createClone(original, [this](Value *value) { return copyOf(value); });
        m_graph->insertNode(copy);
        for (std::size_t i = 0; i < original->outputs().size(); ++i)
            m_copies[original->outputs()[i]] = copy->outputs()[i];
        feedConstants(*original, *copy);
        if (m_marks) {
            markBlocks(node, *original, *copy);
            guardDivisions(*copy); // after the marks: an error is of the node that divides
        }
    }

    // Constants inside of blocks were copied with them; those that come in as inputs are used in their place.
    void feedConstants(const Node &original, Node &copy)
    {
        for (std::size_t b = 0; b < original.blocks().size(); ++b) {
            auto copied = copy.blocks()[b]->nodes().begin();
            for (const Node *inner : original.blocks()[b]->nodes()) {
                Node *const innerCopy = *copied;
                ++copied;
                feedConstants(*inner, *innerCopy);
                if (inner->kind() != c10::prim::Constant)
                    continue;
                if (const auto input = m_copies.find(inner->output()); input != m_copies.end())
                    innerCopy->output()->replaceAllUsesWith(input->second);
            }
        }
    }

    // Original and copy have the same blocks; the described children are their nodes in order, constants left out.
    void markBlocks(const graph::Node &holder, const Node &original, Node &copy)
    {
        std::size_t child = 0;
        for (std::size_t b = 0; b < original.blocks().size(); ++b) {
            auto copied = copy.blocks()[b]->nodes().begin();
            for (const Node *inner : original.blocks()[b]->nodes()) {
                Node *const innerCopy = *copied;
                ++copied;
                if (child == holder.children.size() || m_model.nodes[holder.children[child].index()] != inner)
                    continue;
                const graph::Node &described = m_model.graph.node(holder.children[child++]);
                addMark(*m_marks, described);
                const torch::jit::WithInsertPoint here(innerCopy);
                insertMark(*m_graph, *m_marks);
                markBlocks(described, *inner, *innerCopy);
            }
        }
        PIPESCOPE_ASSERT(child == holder.children.size());
    }

    Value *copyOf(Value *original)
    {
        if (const auto found = m_copies.find(original); found != m_copies.end())
            return found->second;
        PIPESCOPE_ASSERT(original->node()->kind() == c10::prim::Constant ||
                         original->node()->kind() == c10::prim::Uninitialized);
        Node *const constant = m_graph->createClone(original->node(), [](Value *value) { return value; });
        m_graph->prependNode(constant);
        m_copies[original] = constant->output();
        return constant->output();
    }

    const import::ImportedModel &m_model;
    MarkTable *m_marks;
    std::shared_ptr<Graph> m_graph;
    std::unordered_map<const Value *, Value *> m_copies;
};

} // namespace

std::shared_ptr<Graph> sliceGraph(const import::ImportedModel &model, const Slice &slice)
{
    return Slicer(model, nullptr).run(slice);
}

std::shared_ptr<Graph> markedGraph(const import::ImportedModel &model, const Slice &slice, MarkTable &marks)
{
    return Slicer(model, &marks).run(slice);
}

} // namespace pipescope::exec
