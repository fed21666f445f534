// Walk (walk.h): the nodes that stay, copied into the new graph.
#include "import/lift_block.h"
#include "import/operator_questions.h"
#include "import/specialise/walk.h"

#include <utility>

namespace pipescope::import {

using torch::jit::Block;
using torch::jit::Graph;
using torch::jit::Node;
using torch::jit::Value;

// The value itself in the new graph, made at the insert point where it was only known so far.
Value *Walk::materialise(const Known &known)
{
    if (known.value)
        return known.value;
    if (known.constant)
        return m_result.graph->insertConstant(*known.constant);
    return m_held.inputFor(HeldInput::Kind::Attribute, known.fqn, c10::IValue(known.module),
                           SlotKey{known.module.get(), std::string()});
}

Value *Walk::operand(Value *original, Frame &frame)
{
    if (const auto function = m_functions.find(original); function != m_functions.end()) {
        Node *const copy = m_result.graph->createClone(function->second, [](Value *v) { return v; });
        return m_result.graph->insertNode(copy)->output();
    }
    return materialise(frame.at(original));
}

Node *Walk::copyNode(Node *node, Frame &frame)
{
    std::unordered_map<Value *, Value *> operands;
    for (Value *input : node->inputs())
        operands.emplace(input, operand(input, frame));
    Node *const copy = m_result.graph->createClone(
        node, [&](Value *v) { return operands.at(v); }, /*copy_blocks=*/false);
    copy->setScope(m_scopes.scope());
    m_result.graph->insertNode(copy);
    keepOperator(*node, *copy);
    for (const Block *block : node->blocks())
        copyBlock(*block, *copy->addBlock(), frame);
    for (std::size_t i = 0; i < node->outputs().size(); ++i) {
        std::optional<c10::IValue> constant = sameInBothBranches(*node, i, frame);
        frame[node->outputs()[i]] = constant ? knownConstant(*std::move(constant)) : knownValue(copy->outputs()[i]);
    }
    return copy;
}

// An operator is found by the types of the operands, and what stands for one here may have a narrower type: None
// for an Optional[T] does not tell T, and then no operator fits.
void Walk::keepOperator(const Node &node, Node &copy)
{
    std::vector<std::size_t> narrower;
    for (std::size_t i = 0; i < node.inputs().size(); ++i)
        if (*node.inputs()[i]->type() != *copy.inputs()[i]->type())
            narrower.push_back(i);
    if (narrower.empty() || operatorOf(node) == operatorOf(copy))
        return;
    for (const std::size_t i : narrower) {
        Node *const cast = m_result.graph->create(c10::prim::unchecked_cast, {copy.inputs()[i]}, 1);
        cast->output()->setType(node.inputs()[i]->type());
        cast->setScope(m_scopes.scope());
        cast->setSourceRange(node.sourceRange());
        cast->insertBefore(&copy);
        copy.replaceInput(i, cast->output());
    }
}

// Code that is run aside (torch.jit.fork) is walked as a block of its node is: what it uses, assigns and writes of
// the model and of its own constants is known as it is of any other code. Then it is a graph again.
void Walk::copyAside(Node *node, Frame &frame)
{
    const std::shared_ptr<Graph> code = node->g(c10::attr::Subgraph);
    Frame inner;
    for (std::size_t i = 0; i < code->inputs().size(); ++i)
        inner[code->inputs()[i]] = frame.at(node->inputs()[i]);
    Node *const copy = m_result.graph->create(node->kind(), node->outputs().size());
    copy->setScope(m_scopes.scope());
    copy->setSourceRange(node->sourceRange());
    m_result.graph->insertNode(copy);
    Block *const body = copy->addBlock();
    m_scopes.beginAside();
    fillBlock(*code->block(), *body, inner);
    m_scopes.endAside();
    liftBlock(*copy);
    for (std::size_t i = 0; i < node->outputs().size(); ++i) {
        copy->outputs()[i]->copyMetadata(node->outputs()[i]);
        frame[node->outputs()[i]] = knownValue(copy->outputs()[i]);
    }
}

void Walk::copyBlock(const Block &from, Block &to, Frame &frame)
{
    for (Value *input : const_cast<Block &>(from).inputs()) {
        Value *const added = to.addInput();
        added->copyMetadata(input);
        frame[input] = knownValue(added);
    }
    fillBlock(from, to, frame);
}

void Walk::fillBlock(const Block &from, Block &to, Frame &frame)
{
    const torch::jit::WithInsertPoint here(&to);
    walkBlock(from, frame);
    for (Value *output : const_cast<Block &>(from).outputs())
        to.registerOutput(operand(output, frame));
}

} // namespace pipescope::import
