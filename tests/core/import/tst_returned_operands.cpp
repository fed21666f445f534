// Every operator of LibTorch whose schema says nothing of the memory of a result is called on small values: where a
// result shares memory with an operand, the import must know that it may, and with which. Calls are made in child
// processes, since some operators crash on values that make no sense.
#include "import/held_memory.h"
#include "import/memory_facts.h"
#include "ops/operator.h"
#include "support/test_program.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/core/Dict.h>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <sys/wait.h>
#include <torch/csrc/jit/ir/ir.h>
#include <torch/csrc/jit/runtime/operator.h>
#include <unistd.h>

using namespace pipescope;
using torch::jit::Node;
using torch::jit::Operator;

namespace {

constexpr int Attempts = 40;

/// Small values of a type, drawn at random.
class Values
{
public:
    explicit Values(unsigned seed)
        : m_random(seed)
    {
    }

    std::optional<c10::IValue> of(const c10::TypePtr &type)
    {
        switch (type->kind()) {
        case c10::TypeKind::ScalarTypeType:
            return c10::IValue(oneOf<at::ScalarType>({at::kFloat, at::kLong, at::kDouble}));
        case c10::TypeKind::LayoutType:
            return c10::IValue(at::kStrided);
        case c10::TypeKind::MemoryFormatType:
            return c10::IValue(oneOf<at::MemoryFormat>({at::MemoryFormat::Contiguous, at::MemoryFormat::Preserve}));
        case c10::TypeKind::TensorType:
        case c10::TypeKind::VarType:
        case c10::TypeKind::AnyType:
            return c10::IValue(tensor());
        case c10::TypeKind::IntType:
        case c10::TypeKind::SymIntType:
        case c10::TypeKind::NumberType:
            return c10::IValue(oneOf<std::int64_t>({0, 1, 2, -1, 6, 3}));
        case c10::TypeKind::FloatType:
            return c10::IValue(oneOf<double>({0, 1, 0.5}));
        case c10::TypeKind::BoolType:
        case c10::TypeKind::SymBoolType:
            return c10::IValue(oneOf<int>({0, 1}) == 1);
        case c10::TypeKind::StringType:
            return c10::IValue(oneOf<std::string>({"mean", "none", "ij", "ij->ij", "constant", "reflect", "linear"}));
        case c10::TypeKind::DeviceObjType:
            return c10::IValue(c10::Device(c10::kCPU));
        case c10::TypeKind::OptionalType:
            return oneOf<int>({0, 1, 2}) > 0 ? std::optional(c10::IValue()) : of(type->containedTypes().front());
        case c10::TypeKind::ListType:
            return list(type->containedTypes().front());
        case c10::TypeKind::DictType:
            return dict(type->containedTypes()[0], type->containedTypes()[1]);
        case c10::TypeKind::FutureType: {
            auto future = c10::make_intrusive<c10::ivalue::Future>(c10::TensorType::get());
            future->markCompleted(tensor());
            return c10::IValue(std::move(future));
        }
        default:
            return std::nullopt;
        }
    }

private:
    template <class T>
    T oneOf(std::initializer_list<T> choices)
    {
        return *(choices.begin() + m_random() % choices.size());
    }

    // Most operands of one call have the same shape and dtype, or hardly any call would succeed.
    at::Tensor tensor()
    {
        if (!m_like.defined() || m_random() % 4 == 0)
            m_like = fresh();
        return m_like.clone();
    }

    // Ones and zeros: indices as well, into dimensions of two.
    static at::Tensor filled(at::IntArrayRef sizes, at::ScalarType dtype)
    {
        return at::arange(1, 1 + c10::multiply_integers(sizes)).remainder(2).reshape(sizes).to(dtype);
    }

    at::Tensor fresh()
    {
        const auto dtype = oneOf<at::ScalarType>(
            {at::kFloat, at::kFloat, at::kLong, at::kBool, at::kComplexFloat, at::kDouble, at::kHalf, at::kInt});
        switch (m_random() % 8) {
        case 0:
            return filled({}, dtype);
        case 1:
        case 2:
            return filled({3}, dtype);
        case 3:
            return filled({1, 2, 4, 4}, dtype);
        case 4:
            return filled({2, 3, 4}, dtype);
        case 5:
            return filled({2, 2}, dtype).to_sparse();
        default:
            return filled({2, 2}, dtype);
        }
    }

    std::optional<c10::IValue> list(const c10::TypePtr &item)
    {
        if (item->kind() == c10::TypeKind::IntType || item->kind() == c10::TypeKind::SymIntType)
            return c10::IValue(
                oneOf<std::vector<std::int64_t>>({{2, 2}, {0}, {1}, {0, 1}, {3}, {1, 1}, {}, {2, 3, 4}}));
        c10::impl::GenericList made(item->kind() == c10::TypeKind::VarType ? c10::TypePtr(c10::TensorType::get())
                                                                           : item);
        for (int left = oneOf<int>({1, 2, 3}); left > 0; --left) {
            std::optional<c10::IValue> value = of(item);
            if (!value)
                return std::nullopt;
            made.push_back(std::move(*value));
        }
        return c10::IValue(std::move(made));
    }

    std::optional<c10::IValue> dict(const c10::TypePtr &key, const c10::TypePtr &item)
    {
        // Keys by a type variable are tried as texts.
        const c10::TypePtr keys = key->kind() == c10::TypeKind::VarType ? c10::TypePtr(c10::StringType::get()) : key;
        const c10::TypePtr items = item->kind() == c10::TypeKind::VarType ? c10::TypePtr(c10::TensorType::get()) : item;
        c10::impl::GenericDict made(keys, items);
        std::optional<c10::IValue> first = of(keys);
        std::optional<c10::IValue> second = of(items);
        if (!first || !second)
            return std::nullopt;
        made.insert(std::move(*first), std::move(*second));
        return c10::IValue(std::move(made));
    }

    std::mt19937 m_random;
    at::Tensor m_like;
};

c10::TypePtr typeOf(const c10::IValue &value)
{
    return value.isTensor() ? c10::TypePtr(c10::TensorType::get()) : value.type();
}

/// A node that calls the operator with operands of these types; nullptr where LibTorch would call another one.
Node *nodeFor(torch::jit::Graph &graph, const Operator &op, const std::vector<c10::IValue> &operands)
{
    std::vector<torch::jit::Value *> inputs;
    c10::TypeEnv variables;
    const auto &arguments = op.schema().arguments();
    for (std::size_t i = 0; i < operands.size(); ++i) {
        inputs.push_back(graph.addInput());
        inputs.back()->setType(typeOf(operands[i]));
        c10::matchTypeVariables(arguments[i].type(), inputs.back()->type(), variables);
    }
    Node *const node = graph.create(c10::Symbol::fromQualString(op.schema().name()), inputs, 0);
    for (const c10::Argument &returned : op.schema().returns()) {
        const c10::TypePtr type = c10::tryEvalTypeVariables(returned.type(), variables);
        node->addOutput()->setType(type ? type : c10::TypePtr(c10::AnyType::get()));
    }
    graph.insertNode(node);
    return node->maybeOperator() == &op ? node : nullptr;
}

bool intersect(const std::vector<const void *> &a, const std::vector<const void *> &b)
{
    return std::any_of(a.begin(), a.end(),
                       [&](auto memory) { return std::find(b.begin(), b.end(), memory) != b.end(); });
}

bool isChanged(const c10::IValue &before, const c10::IValue &after)
{
    if (!before.isTensor())
        return before.isTensorList() && [&] {
            const auto a = before.toTensorVector();
            const auto b = after.toTensorVector();
            return !std::equal(a.begin(), a.end(), b.begin(), b.end(),
                               [](const auto &x, const auto &y) { return !isChanged(x, y); });
        }();
    const at::Tensor a = before.toTensor();
    const at::Tensor b = after.toTensor();
    return a.sizes() != b.sizes() || a.dtype() != b.dtype() || a.layout() != b.layout() ||
           !a.to_dense().equal(b.to_dense());
}

/// What one call shows.
struct Call
{
    std::string surprise; ///< not expected by the import: "result 0 is operand 1", "operand 0 is written"; "" for none
    std::set<std::size_t> returned; ///< the operands that a result shares memory with
};

/// nullopt where the call is not possible.
std::optional<Call> called(const Operator &op, Values &values)
{
    std::vector<c10::IValue> operands;
    for (const c10::Argument &argument : op.schema().arguments()) {
        std::optional<c10::IValue> value = values.of(argument.real_type());
        if (!value)
            return std::nullopt;
        operands.push_back(std::move(*value));
    }
    torch::jit::Graph graph;
    Node *const node = nodeFor(graph, op, operands);
    if (!node)
        return std::nullopt;
    std::vector<c10::IValue> before;
    for (const c10::IValue &operand : operands)
        before.push_back(operand.isFuture() ? operand : operand.deepcopy());
    torch::jit::Stack stack(operands.begin(), operands.end());
    node->getOperation()(stack);
    if (stack.size() != node->outputs().size())
        return std::nullopt;
    import::GraphMemory memory;
    const import::MemoryFacts facts = memory.facts(*node);
    Call call;
    for (std::size_t o = 0; o < stack.size(); ++o)
        for (std::size_t i = 0; i < operands.size(); ++i) {
            if (!intersect(import::heldMemory(stack[o]), import::heldMemory(operands[i])))
                continue;
            call.returned.insert(i);
            const auto expected =
                std::find(facts.shares.begin(), facts.shares.end(), std::pair(node->outputs()[o], node->inputs()[i]));
            if (expected == facts.shares.end())
                call.surprise = "result " + std::to_string(o) + " is operand " + std::to_string(i);
        }
    for (std::size_t i = 0; i < operands.size(); ++i)
        if (std::find(facts.writes.begin(), facts.writes.end(), node->inputs()[i]) == facts.writes.end() &&
            isChanged(before[i], operands[i]))
            call.surprise = "operand " + std::to_string(i) + " is written";
    return call;
}

// Whether the schema leaves something to find out: it says nothing of a result's memory. Backward passes and LibTorch's
// own tests stand in no model.
bool saysNothing(const Operator &op)
{
    for (const char *part : {"backward", "aten::_test", "aten::_foobar"})
        if (op.schema().name().find(part) != std::string::npos)
            return false;
    const auto &returns = op.schema().returns();
    return std::any_of(returns.begin(), returns.end(),
                       [](const auto &r) { return import::hasMemory(r.type()) && !r.alias_info(); });
}

std::string nameOf(const Operator &op)
{
    const c10::FunctionSchema &schema = op.schema();
    return schema.name() + (schema.overload_name().empty() ? "" : "." + schema.overload_name());
}

/// Calls the operators from `first` on and writes lines for each: its number when it begins, and when it ends, what was
/// learned.
void callAll(const std::vector<std::shared_ptr<Operator>> &operators, std::size_t first, std::FILE *report)
{
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) // Qt Test shows the stack of each
        std::signal(signal, SIG_DFL);
    at::set_num_threads(1);
    c10::SetStackTraceFetcher([] { return std::string(); });
    for (std::size_t i = first; i < operators.size(); ++i) {
        std::fprintf(report, "begin %zu\n", i);
        std::fflush(report);
        ::alarm(3);
        Values values(static_cast<unsigned>(i));
        bool answered = false;
        std::string surprise;
        std::set<std::size_t> returned;
        for (int attempt = 0; attempt < Attempts && surprise.empty(); ++attempt) {
            std::optional<Call> call;
            try {
                call = called(*operators[i], values);
            } catch (const std::exception &) { // no call that makes sense
            }
            if (!call)
                continue;
            answered = true;
            surprise = call->surprise;
            returned.merge(call->returned);
        }
        if (!surprise.empty())
            std::fprintf(report, "surprise %s: %s\n", nameOf(*operators[i]).c_str(), surprise.c_str());
        for (const std::size_t operand : returned)
            std::fprintf(report, "returned %zu\n", operand);
        if (answered)
            std::fprintf(report, "answered\n");
    }
    std::fprintf(report, "end\n");
    std::fflush(report);
}

} // namespace

class TestReturnedOperands : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        for (const auto &op : torch::jit::getAllOperators())
            if (saysNothing(*op))
                m_operators.push_back(op);
        std::sort(m_operators.begin(), m_operators.end(),
                  [](const auto &a, const auto &b) { return nameOf(*a) < nameOf(*b); });
        const QTemporaryDir folder; // some write files
        std::set<std::string> crashed;
        while (m_next < m_operators.size()) {
            int ends[2];
            QCOMPARE(::pipe(ends), 0);
            const pid_t child = ::fork();
            QVERIFY(child >= 0);
            if (child == 0) {
                ::close(ends[0]);
                if (::chdir(qPrintable(folder.path())) != 0 || !std::freopen("/dev/null", "w", stderr))
                    ::_exit(1);
                callAll(m_operators, m_next, ::fdopen(ends[1], "w"));
                ::_exit(0);
            }
            ::close(ends[1]);
            const bool done = read(::fdopen(ends[0], "r"));
            ::waitpid(child, nullptr, 0);
            if (done)
                break;
            crashed.insert(nameOf(*m_operators[m_next - 1]));
        }
        qInfo("%d of %zu operators answered; crashed: %s", m_answered, m_operators.size(), joined(crashed).constData());
        QVERIFY2(m_answered > 900, QByteArray::number(m_answered).constData());
    }

    void everyOperatorThatMayReturnItsOperandIsKnown() { QCOMPARE(joined(m_surprises), QByteArray()); }

    /// Else cuts are refused for memory that is not shared.
    void anOperatorThatOnlyReturnsItsFirstOperandHasARowThatSaysSo()
    {
        std::set<std::string> wrong;
        for (const auto &op : m_operators) {
            const auto &arguments = op->schema().arguments();
            const auto withMemory = std::count_if(arguments.begin(), arguments.end(),
                                                  [](const auto &a) { return import::hasMemory(a.type()); });
            const bool saysAny = ops::of(op->schema().name()).memory == ops::Memory::MayReturnOperand;
            if (saysAny && withMemory > 1 && m_returned[nameOf(*op)] == std::set<std::size_t>{0})
                wrong.insert(nameOf(*op));
        }
        QCOMPARE(joined(wrong), QByteArray());
    }

    void whichOperandIsReturnedIsSeen()
    {
        QVERIFY(m_returned["aten::type_as"] == std::set<std::size_t>{0});
        QVERIFY(m_returned["aten::mul.Tensor"].empty());
        QVERIFY(std::any_of(m_returned.begin(), m_returned.end(),
                            [](const auto &entry) { return entry.second.contains(1); }));
    }

private:
    // What a child tells; whether it told all.
    bool read(std::FILE *report)
    {
        char line[512];
        bool done = false;
        while (std::fgets(line, sizeof line, report)) {
            const std::string text = QByteArray(line).trimmed().toStdString();
            if (text.starts_with("begin "))
                m_next = std::stoul(text.substr(6)) + 1;
            else if (text.starts_with("surprise "))
                m_surprises.insert(text.substr(9));
            else if (text.starts_with("returned "))
                m_returned[nameOf(*m_operators[m_next - 1])].insert(std::stoul(text.substr(9)));
            else if (text == "answered")
                ++m_answered;
            done |= text == "end";
        }
        std::fclose(report);
        return done;
    }

    static QByteArray joined(const std::set<std::string> &texts)
    {
        QByteArray all;
        for (const std::string &text : texts)
            all += QByteArray::fromStdString(text) + "; ";
        return all;
    }

    std::vector<std::shared_ptr<Operator>> m_operators;
    std::size_t m_next = 0;
    int m_answered = 0;
    std::set<std::string> m_surprises;
    std::map<std::string, std::set<std::size_t>> m_returned; // by operator
};

PIPESCOPE_TEST(TestReturnedOperands)
#include "tst_returned_operands.moc"
