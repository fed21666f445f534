#include "import/specialise/walk.h"

#include "import/type_test.h"

#include <torch/csrc/jit/api/function_impl.h>
#include <torch/csrc/jit/ir/constants.h>
#include <utility>

namespace pipescope::import {

using torch::jit::Block;
using torch::jit::Graph;
using torch::jit::Node;
using torch::jit::Value;

namespace {

std::string join(const std::string &fqn, const std::string &name)
{
    return fqn.empty() ? name : fqn + "." + name;
}

const torch::jit::GraphFunction *graphFunction(const torch::jit::Function &function)
{
    return torch::jit::tryToGraphFunction(const_cast<torch::jit::Function &>(function));
}

} // namespace

Walk::Walk(const torch::jit::Module &module, std::set<SlotKey> assigned, const std::stop_token &stop)
    : m_result{std::make_shared<Graph>(), {}, {}}
    , m_held(m_result.graph)
    , m_root(module._ivalue())
    , m_assigned(std::move(assigned))
    , m_scopes(*m_result.graph, m_root->type()->name()->qualifiedName())
    , m_limits(stop)
{
}

Specialised Walk::run(const torch::jit::Function &method, const std::map<int, c10::IValue> &constants)
{
    const auto original = graphFunction(method)->graph();
    Frame frame;
    for (std::size_t i = 0; i < original->inputs().size(); ++i) {
        Value *const input = original->inputs()[i];
        if (i == 0) {
            frame[input] = Known{nullptr, m_root, "", std::nullopt};
            continue;
        }
        Value *const added = m_result.graph->addInput();
        added->setType(input->type());
        const auto constant = constants.find(static_cast<int>(i) - 1);
        frame[input] = constant == constants.end() ? knownValue(added) : knownConstant(constant->second);
    }
    walkBlock(*original->block(), frame);
    for (Value *output : original->outputs())
        m_result.graph->registerOutput(materialise(frame.at(output)));
    m_result.held = m_held.take();
    return std::move(m_result);
}

void Walk::walkBlock(const Block &block, Frame &frame)
{
    const WalkLimits::Level level(m_limits);
    for (const Node *node : block.nodes())
        walkNode(const_cast<Node *>(node), frame);
}

void Walk::walkNode(Node *node, Frame &frame)
{
    m_limits.countNode();
    switch (node->kind()) {
    case c10::prim::Constant:
        return walkConstant(node, frame);
    case c10::prim::GetAttr:
        if (const Known &object = frame.at(node->input(0)); object.module)
            return walkGetAttr(node, object, frame);
        break;
    case c10::prim::SetAttr:
        if (const Known &object = frame.at(node->input(0)); object.module)
            noteAssigned(object, node->s(c10::attr::name));
        break;
    case c10::prim::CallMethod:
        if (inlineMethod(node, frame))
            return;
        break;
    case c10::prim::CallFunction:
        if (inlineFunction(node, frame))
            return;
        break;
    case c10::prim::If:
        return walkIf(node, frame);
    default:
        break;
    }
    if (node->hasAttribute(c10::attr::Subgraph))
        return copyAside(node, frame);
    if (fold(node, frame))
        return;
    copyNode(node, frame);
    if (node->kind() == c10::prim::TupleConstruct)
        keepItems(*node, frame);
    if (node->kind() == c10::prim::TupleUnpack)
        unpackItems(*node, frame);
}

void Walk::walkConstant(Node *node, Frame &frame)
{
    if (node->output()->type()->kind() == c10::TypeKind::FunctionType) {
        // Only calls use it, and they are inlined; a call that cannot be reads it from the original node.
        frame[node->output()] = Known{};
        m_functions[node->output()] = node;
        return;
    }
    const std::optional<c10::IValue> value = torch::jit::toIValue(node->output());
    if (value && isPlainConstant(*value)) {
        frame[node->output()] = knownConstant(*value);
        return;
    }
    // At the head of the graph even if it stands in a block: its memory outlives the call as a buffer's does.
    Node *const copy = m_result.graph->createClone(node, [](Value *v) { return v; });
    frame[node->output()] = knownValue(m_result.graph->prependNode(copy)->output());
}

void Walk::walkGetAttr(Node *node, const Known &object, Frame &frame)
{
    const std::string &name = node->s(c10::attr::name);
    const c10::IValue value = object.module->getAttr(name);
    const std::string fqn = join(object.fqn, name);
    if (value.isObject() && value.toObjectRef().type()->is_module()) {
        frame[node->output()] = Known{nullptr, value.toObject(), fqn, std::nullopt};
        return;
    }
    const SlotKey slot{object.module.get(), name};
    if (m_assigned.count(slot)) {
        Node *const copy = copyNode(node, frame);
        copy->output()->setType(node->output()->type());
        return;
    }
    if (isPlainConstant(value)) {
        frame[node->output()] = knownConstant(value);
        return;
    }
    const auto index = object.module->type()->getAttributeSlot(name);
    const HeldInput::Kind kind = object.module->type()->is_parameter(index) ? HeldInput::Kind::Parameter
                                 : object.module->type()->is_buffer(index)  ? HeldInput::Kind::Buffer
                                                                            : HeldInput::Kind::Attribute;
    Value *const input = m_held.inputFor(kind, fqn, value, slot);
    const c10::TypePtr &declared = node->output()->type();
    if (!value.isTensor())
        input->setType(declared);
    frame[node->output()] = Known{input, nullptr, {}, std::nullopt, isUnion(*declared) ? value.type() : nullptr};
}

void Walk::walkIf(Node *node, Frame &frame)
{
    const Known &condition = frame.at(node->input());
    if (!condition.constant || !condition.constant->isBool()) {
        copyNode(node, frame);
        return;
    }
    const Block *const taken = node->blocks()[condition.constant->toBool() ? 0 : 1];
    walkBlock(*taken, frame);
    for (std::size_t i = 0; i < node->outputs().size(); ++i)
        frame[node->outputs()[i]] = frame.at(taken->outputs()[i]);
}

void Walk::noteAssigned(const Known &object, const std::string &name)
{
    if (m_newlyAssigned.emplace(object.module.get(), name).second)
        m_result.assigned.push_back({join(object.fqn, name), object.module, name});
}

bool Walk::inlineMethod(Node *node, Frame &frame)
{
    const Known self = frame.at(node->input(0));
    const std::string &name = node->s(c10::attr::name);
    const c10::ClassTypePtr type = self.module ? self.module->type() : node->input(0)->type()->cast<c10::ClassType>();
    torch::jit::Function *const callee = type ? type->findMethod(name) : nullptr;
    if (!callee || !graphFunction(*callee))
        return false;
    std::optional<CallScopes::Outer> outer;
    if (self.module && !m_scopes.isIn(self.fqn))
        outer = m_scopes.enter(self.fqn, type->name()->qualifiedName(), name, *node);
    inlineGraph(*graphFunction(*callee)->graph(), node, node->inputs(), frame);
    if (outer)
        m_scopes.leave(*outer, *node);
    return true;
}

bool Walk::inlineFunction(Node *node, Frame &frame)
{
    const auto type = node->input(0)->type()->cast<c10::FunctionType>();
    if (!type || !graphFunction(*type->function()))
        return false;
    inlineGraph(*graphFunction(*type->function())->graph(), node, node->inputs().slice(1), frame);
    return true;
}

void Walk::inlineGraph(const Graph &callee, Node *call, at::ArrayRef<Value *> arguments, Frame &frame)
{
    Frame inner;
    for (std::size_t i = 0; i < callee.inputs().size(); ++i)
        inner[callee.inputs()[i]] = frame.at(arguments[i]);
    walkBlock(*callee.block(), inner);
    for (std::size_t i = 0; i < callee.outputs().size(); ++i)
        frame[call->outputs()[i]] = inner.at(callee.outputs()[i]);
}

bool Walk::fold(Node *node, Frame &frame)
{
    if (node->inputs().size() == 1 && isNoCast(*node, frame.at(node->input()))) {
        frame[node->output()] = Known(frame.at(node->input()));
        return true;
    }
    if (node->kind() == c10::prim::TupleUnpack && unpackConstant(*node, frame))
        return true;
    if (node->kind() == c10::prim::TupleIndex && indexItem(*node, frame))
        return true;
    std::optional<c10::IValue> result = foldNode(*node, knownOperands(*node, frame));
    if (!result)
        return false;
    frame[node->output()] = knownConstant(*std::move(result));
    return true;
}

} // namespace pipescope::import
