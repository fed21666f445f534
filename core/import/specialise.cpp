#include "import/specialise.h"

#include "import/fold.h"
#include "import/lift_block.h"
#include "import/operator_questions.h"
#include "import/provenance.h"
#include "import/type_test.h"
#include "tensor/torch_guard.h"

#include <fmt/format.h>
#include <map>
#include <optional>
#include <set>
#include <torch/csrc/jit/api/function_impl.h>
#include <torch/csrc/jit/ir/constants.h>
#include <unordered_map>

namespace pipescope::import {

namespace {

using torch::jit::Block;
using torch::jit::Graph;
using torch::jit::Node;
using torch::jit::Value;
using ObjectPtr = c10::intrusive_ptr<c10::ivalue::Object>;

constexpr int MostNodes = 2'000'000;

struct TooLarge
{
    std::string what;
};

struct Stopped
{
};

// What the walk knows of a value of the original graphs. At least one part is set.
struct Known
{
    Value *value = nullptr; // in the new graph
    ObjectPtr module;       // a module reached by attribute names
    std::string fqn;        // of that module
    std::optional<c10::IValue> constant;
    c10::TypePtr type = nullptr;                        // of a held value whose attribute is declared wider
    std::vector<std::optional<c10::IValue>> items = {}; // of a tuple that is not a constant: those that are
};

using Frame = std::unordered_map<const Value *, Known>;

std::string join(const std::string &fqn, const std::string &name)
{
    return fqn.empty() ? name : fqn + "." + name;
}

const torch::jit::GraphFunction *graphFunction(const torch::jit::Function &function)
{
    return torch::jit::tryToGraphFunction(const_cast<torch::jit::Function &>(function));
}

class Walk
{
public:
    Walk(const torch::jit::Module &module, std::set<SlotKey> assigned, std::stop_token stop)
        : m_result{std::make_shared<Graph>(), {}, {}}
        , m_held(m_result.graph)
        , m_root(module._ivalue())
        , m_assigned(std::move(assigned))
        , m_stop(std::move(stop))
    {
    }

    Specialised run(const torch::jit::Function &method, const std::map<int, c10::IValue> &constants)
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
            frame[input] = constant == constants.end() ? Known{added, nullptr, {}, std::nullopt}
                                                       : Known{nullptr, nullptr, {}, constant->second};
        }
        m_scope = makeScope({"", shortClassName(m_root->type()->name()->qualifiedName()), 0});
        walkBlock(*original->block(), frame);
        for (Value *output : original->outputs())
            m_result.graph->registerOutput(materialise(frame.at(output)));
        m_result.held = m_held.take();
        return std::move(m_result);
    }

    const std::set<SlotKey> &assigned() const { return m_newlyAssigned; }

private:
    // The value itself in the new graph, made at the insert point where it was only known so far.
    Value *materialise(const Known &known)
    {
        if (known.value)
            return known.value;
        if (known.constant)
            return m_result.graph->insertConstant(*known.constant);
        return m_held.inputFor(HeldInput::Kind::Attribute, known.fqn, c10::IValue(known.module),
                               SlotKey{known.module.get(), std::string()});
    }

    // One level of the walk, and of every walk over what it makes: a call, or a block of an if or loop.
    class Level
    {
    public:
        explicit Level(int &depth)
            : m_depth(depth)
        {
            if (++m_depth > MaxNesting)
                throw TooLarge{fmt::format("calls, ifs and loops nested deeper than {} levels", MaxNesting)};
        }
        ~Level() { --m_depth; }
        Level(const Level &) = delete;
        Level &operator=(const Level &) = delete;

    private:
        int &m_depth;
    };

    void walkBlock(const Block &block, Frame &frame)
    {
        const Level level(m_depth);
        for (const Node *node : block.nodes())
            walkNode(const_cast<Node *>(node), frame);
    }

    void walkNode(Node *node, Frame &frame)
    {
        if (m_stop.stop_requested())
            throw Stopped{};
        if (++m_nodes > MostNodes)
            throw TooLarge{fmt::format("more than {} operators after inlining", MostNodes)};
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
            return walkAside(node, frame);
        if (fold(node, frame))
            return;
        copyNode(node, frame);
        if (node->kind() == c10::prim::TupleConstruct)
            for (const Value *input : node->inputs())
                frame[node->output()].items.push_back(frame.at(input).constant);
        if (node->kind() == c10::prim::TupleUnpack)
            unpackConstants(*node, frame);
    }

    // Those of the items that are; the tuple itself is not.
    static void unpackConstants(const Node &node, Frame &frame)
    {
        const std::vector<std::optional<c10::IValue>> items = frame.at(node.input()).items;
        for (std::size_t i = 0; i < items.size() && i < node.outputs().size(); ++i)
            if (items[i])
                frame[node.outputs()[i]] = Known{nullptr, nullptr, {}, items[i]};
    }

    static bool indexConstant(const Node &node, Frame &frame)
    {
        const std::vector<std::optional<c10::IValue>> items = frame.at(node.input(0)).items;
        const std::optional<c10::IValue> &index = frame.at(node.input(1)).constant;
        if (!index || !index->isInt() || index->toInt() < 0 ||
            index->toInt() >= static_cast<std::int64_t>(items.size()))
            return false;
        const std::optional<c10::IValue> &item = items[static_cast<std::size_t>(index->toInt())];
        if (item)
            frame[node.output()] = Known{nullptr, nullptr, {}, item};
        return item.has_value();
    }

    void walkConstant(Node *node, Frame &frame)
    {
        if (node->output()->type()->kind() == c10::TypeKind::FunctionType) {
            // Only calls use it, and they are inlined; a call that cannot be reads it from the original node.
            frame[node->output()] = Known{};
            m_functions[node->output()] = node;
            return;
        }
        const std::optional<c10::IValue> value = torch::jit::toIValue(node->output());
        if (value && isPlainConstant(*value)) {
            frame[node->output()] = Known{nullptr, nullptr, {}, value};
            return;
        }
        // At the head of the graph even if it stands in a block: its memory outlives the call as a buffer's does.
        Node *const copy = m_result.graph->createClone(node, [](Value *v) { return v; });
        frame[node->output()] = Known{m_result.graph->prependNode(copy)->output(), nullptr, {}, std::nullopt};
    }

    void walkGetAttr(Node *node, const Known &object, Frame &frame)
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
            frame[node->output()] = Known{nullptr, nullptr, {}, value};
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

    void noteAssigned(const Known &object, const std::string &name)
    {
        if (m_newlyAssigned.emplace(object.module.get(), name).second)
            m_result.assigned.push_back({join(object.fqn, name), object.module, name});
    }

    bool inlineMethod(Node *node, Frame &frame)
    {
        const Known self = frame.at(node->input(0));
        const std::string &name = node->s(c10::attr::name);
        c10::ClassTypePtr type = self.module ? self.module->type() : node->input(0)->type()->cast<c10::ClassType>();
        torch::jit::Function *const callee = type ? type->findMethod(name) : nullptr;
        if (!callee || !graphFunction(*callee))
            return false;
        const bool entersModule = self.module && self.fqn != m_fqn;
        const torch::jit::ScopePtr outerScope = m_scope;
        const std::string outerFqn = m_fqn;
        // What runs aside is no call that a place of the program order could be inside of.
        const bool isMarked = entersModule && m_aside == 0;
        if (entersModule) {
            const int call = isMarked ? m_calls[self.fqn + '\n' + name]++ : 0;
            m_scope = makeScope({self.fqn, shortClassName(type->name()->qualifiedName()), call});
            m_fqn = self.fqn;
        }
        if (isMarked)
            insertMark(callBeginsKind(), node);
        inlineGraph(*graphFunction(*callee)->graph(), node, node->inputs(), frame);
        if (isMarked)
            insertMark(callEndsKind(), node);
        m_scope = outerScope;
        m_fqn = outerFqn;
        return true;
    }

    bool inlineFunction(Node *node, Frame &frame)
    {
        const auto type = node->input(0)->type()->cast<c10::FunctionType>();
        if (!type || !graphFunction(*type->function()))
            return false;
        inlineGraph(*graphFunction(*type->function())->graph(), node, node->inputs().slice(1), frame);
        return true;
    }

    void inlineGraph(const Graph &callee, Node *call, at::ArrayRef<Value *> arguments, Frame &frame)
    {
        Frame inner;
        for (std::size_t i = 0; i < callee.inputs().size(); ++i)
            inner[callee.inputs()[i]] = frame.at(arguments[i]);
        walkBlock(*callee.block(), inner);
        for (std::size_t i = 0; i < callee.outputs().size(); ++i)
            frame[call->outputs()[i]] = inner.at(callee.outputs()[i]);
    }

    void insertMark(c10::Symbol kind, Node *at)
    {
        Node *const mark = m_result.graph->create(kind, 0);
        mark->setScope(m_scope);
        mark->setSourceRange(at->sourceRange());
        m_result.graph->insertNode(mark);
    }

    void walkIf(Node *node, Frame &frame)
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

    // Null for a constant, which says itself, and for a function.
    static c10::TypePtr typeOf(const Known &known)
    {
        if (known.type)
            return known.type;
        if (known.module)
            return known.module->type();
        return known.value ? known.value->type() : nullptr;
    }

    // A cast to a type that the value has already.
    static bool isNoCast(const Node &node, const Known &operand)
    {
        return (node.kind() == c10::prim::unchecked_cast || node.kind() == c10::prim::unchecked_unwrap_optional) &&
               operand.value && operand.value->type()->isSubtypeOf(*node.output()->type());
    }

    static bool unpackConstant(const Node &node, Frame &frame)
    {
        const std::optional<c10::IValue> tuple = frame.at(node.input()).constant;
        if (!tuple || !tuple->isTuple() || tuple->toTupleRef().elements().size() != node.outputs().size())
            return false;
        for (std::size_t i = 0; i < node.outputs().size(); ++i)
            frame[node.outputs()[i]] = Known{nullptr, nullptr, {}, tuple->toTupleRef().elements()[i]};
        return true;
    }

    // A list or dict of constants that is made for one node alone, as in `mode in ["sum", "mean"]`.
    static std::optional<c10::IValue> freshContainer(const Value &value, const Frame &frame)
    {
        const Node &maker = *value.node();
        const bool isList = maker.kind() == c10::prim::ListConstruct;
        if (value.uses().size() != 1 || (!isList && maker.kind() != c10::prim::DictConstruct))
            return std::nullopt;
        std::vector<c10::IValue> items;
        for (const Value *input : maker.inputs()) {
            const std::optional<c10::IValue> &item = frame.at(input).constant;
            if (!item || !isPlainConstant(*item))
                return std::nullopt;
            items.push_back(*item);
        }
        const auto contained = value.type()->containedTypes();
        if (isList) {
            c10::impl::GenericList list(contained.at(0));
            for (c10::IValue &item : items)
                list.push_back(std::move(item));
            return c10::IValue(list);
        }
        c10::impl::GenericDict dict(contained.at(0), contained.at(1));
        for (std::size_t i = 0; i + 1 < items.size(); i += 2)
            dict.insert_or_assign(items[i], items[i + 1]);
        return c10::IValue(dict);
    }

    bool fold(Node *node, Frame &frame)
    {
        if (node->kind() == c10::prim::Constant)
            return false;
        if (node->inputs().size() == 1 && isNoCast(*node, frame.at(node->input()))) {
            frame[node->output()] = Known(frame.at(node->input()));
            return true;
        }
        if (node->kind() == c10::prim::TupleUnpack && unpackConstant(*node, frame))
            return true;
        if (node->kind() == c10::prim::TupleIndex && indexConstant(*node, frame))
            return true;
        std::vector<KnownOperand> operands;
        for (const Value *input : node->inputs()) {
            const Known &known = frame.at(input);
            operands.push_back({known.constant, typeOf(known)});
            if (std::optional<c10::IValue> container = freshContainer(*input, frame))
                operands.back() = {std::move(container), input->type(), true};
        }
        std::optional<c10::IValue> result = foldNode(*node, operands);
        if (!result)
            return false;
        frame[node->output()] = Known{nullptr, nullptr, {}, std::move(result)};
        return true;
    }

    Value *operand(Value *original, Frame &frame)
    {
        if (const auto function = m_functions.find(original); function != m_functions.end()) {
            Node *const copy = m_result.graph->createClone(function->second, [](Value *v) { return v; });
            return m_result.graph->insertNode(copy)->output();
        }
        return materialise(frame.at(original));
    }

    Node *copyNode(Node *node, Frame &frame)
    {
        std::unordered_map<Value *, Value *> operands;
        for (Value *input : node->inputs())
            operands.emplace(input, operand(input, frame));
        Node *const copy = m_result.graph->createClone(
            node, [&](Value *v) { return operands.at(v); }, /*copy_blocks=*/false);
        copy->setScope(m_scope);
        m_result.graph->insertNode(copy);
        keepOperator(*node, *copy);
        for (const Block *block : node->blocks())
            copyBlock(*block, *copy->addBlock(), frame);
        for (std::size_t i = 0; i < node->outputs().size(); ++i) {
            std::optional<c10::IValue> constant = sameInBothBranches(*node, i, frame);
            Value *const result = constant ? nullptr : copy->outputs()[i];
            frame[node->outputs()[i]] = Known{result, nullptr, {}, std::move(constant)};
        }
        return copy;
    }

    // An operator is found by the types of the operands, and what stands for one here may have a narrower type: None
    // for an Optional[T] does not tell T, and then no operator fits.
    void keepOperator(const Node &node, Node &copy)
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
            cast->setScope(m_scope);
            cast->setSourceRange(node.sourceRange());
            cast->insertBefore(&copy);
            copy.replaceInput(i, cast->output());
        }
    }

    // The constant that result `index` of an if is, whichever branch is taken.
    static std::optional<c10::IValue> sameInBothBranches(const Node &node, std::size_t index, const Frame &frame)
    {
        if (node.kind() != c10::prim::If)
            return std::nullopt;
        const std::optional<c10::IValue> &one = frame.at(node.blocks()[0]->outputs()[index]).constant;
        const std::optional<c10::IValue> &other = frame.at(node.blocks()[1]->outputs()[index]).constant;
        return one && other && isSameConstant(*one, *other) ? one : std::nullopt;
    }

    // Code that is run aside (torch.jit.fork) is walked as a block of its node is: what it uses, assigns and writes of
    // the model and of its own constants is known as it is of any other code. Then it is a graph again.
    void walkAside(Node *node, Frame &frame)
    {
        const std::shared_ptr<Graph> code = node->g(c10::attr::Subgraph);
        Frame inner;
        for (std::size_t i = 0; i < code->inputs().size(); ++i)
            inner[code->inputs()[i]] = frame.at(node->inputs()[i]);
        Node *const copy = m_result.graph->create(node->kind(), node->outputs().size());
        copy->setScope(m_scope);
        copy->setSourceRange(node->sourceRange());
        m_result.graph->insertNode(copy);
        Block *const body = copy->addBlock();
        ++m_aside;
        fillBlock(*code->block(), *body, inner);
        --m_aside;
        liftBlock(*copy);
        for (std::size_t i = 0; i < node->outputs().size(); ++i) {
            copy->outputs()[i]->copyMetadata(node->outputs()[i]);
            frame[node->outputs()[i]] = Known{copy->outputs()[i], nullptr, {}, std::nullopt};
        }
    }

    void copyBlock(const Block &from, Block &to, Frame &frame)
    {
        for (Value *input : const_cast<Block &>(from).inputs()) {
            Value *const added = to.addInput();
            added->copyMetadata(input);
            frame[input] = Known{added, nullptr, {}, std::nullopt};
        }
        fillBlock(from, to, frame);
    }

    void fillBlock(const Block &from, Block &to, Frame &frame)
    {
        const torch::jit::WithInsertPoint here(&to);
        walkBlock(from, frame);
        for (Value *output : const_cast<Block &>(from).outputs())
            to.registerOutput(operand(output, frame));
    }

    Specialised m_result;
    HeldInputs m_held;
    ObjectPtr m_root;
    std::set<SlotKey> m_assigned;      // attributes some node assigns: they stay attributes
    std::set<SlotKey> m_newlyAssigned; // seen being assigned in this walk
    std::unordered_map<const Value *, Node *> m_functions;
    std::map<std::string, int> m_calls;
    torch::jit::ScopePtr m_scope;
    std::string m_fqn;
    std::stop_token m_stop;
    int m_nodes = 0;
    int m_depth = 0;
    int m_aside = 0; // how much of the code around runs aside, each inside the next
};

} // namespace

Error stoppedImporting(const std::string &method)
{
    return {ErrorCode::Cancelled, "stopped while importing the model", method, {}};
}

Result<Specialised> specialise(const torch::jit::Module &module, const torch::jit::Function &method,
                               const std::map<int, c10::IValue> &constants, const std::stop_token &stop)
{
    registerCallMarks();
    try {
        // Which attributes are assigned decides which may be folded, and folding decides which assignments are reached:
        // walk again until nothing new is assigned. Each round only adds, so this ends; one or two rounds in practice.
        std::set<SlotKey> assigned;
        while (true) {
            Walk walk(module, assigned, stop);
            Specialised result = walk.run(method, constants);
            const std::size_t before = assigned.size();
            assigned.insert(walk.assigned().begin(), walk.assigned().end());
            if (assigned.size() == before)
                return result;
        }
    } catch (const TooLarge &limit) {
        return Error{
            ErrorCode::Unsupported, fmt::format("the model cannot be imported: {}", limit.what), method.name(), {}};
    } catch (const Stopped &) {
        return stoppedImporting(method.name());
    } catch (...) {
        return tensor::currentException(ErrorCode::InvalidFile, method.name());
    }
}

} // namespace pipescope::import
