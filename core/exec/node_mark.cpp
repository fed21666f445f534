#include "exec/node_mark.h"

#include <cstdint>
#include <exception>
#include <torch/csrc/jit/runtime/custom_operator.h>

namespace pipescope::exec {

namespace {

thread_local MarkedRun *markedRun = nullptr;

// Takes a run out of the interpreter, which turns it into an exception of its own; MarkedRun::stopped() is what counts.
struct Stopped : std::exception
{
    const char *what() const noexcept override { return "stopped"; }
};

// The number is an operand: an interpreter's operator table holds one entry for all nodes of one schema, so a number
// kept in the node would be the first mark's everywhere.
void mark(torch::jit::Stack &stack)
{
    const std::int64_t number = torch::jit::pop(stack).toInt();
    if (markedRun)
        markedRun->begin(static_cast<int>(number));
}

const c10::Symbol &markKind()
{
    static const c10::Symbol kind = c10::Symbol::fromQualString("pipescope::at");
    // CONSERVATIVE: has an effect, so no pass removes or moves it (libtorch.md 1.11).
    static const torch::jit::RegisterOperators operators({
        torch::jit::Operator("pipescope::at(int mark) -> ()", &mark, c10::AliasAnalysisKind::CONSERVATIVE),
    });
    return kind;
}

} // namespace

void addMark(MarkTable &marks, const graph::Node &node)
{
    const bool topLevel = !node.parent.valid();
    marks.push_back({node.id, node.name, graph::describe(node), topLevel, topLevel && node.random});
}

torch::jit::Node *insertMark(torch::jit::Graph &graph, const MarkTable &marks)
{
    torch::jit::Value *const number = graph.insertConstant(static_cast<std::int64_t>(marks.size()) - 1);
    return graph.insertNode(graph.create(markKind(), {number}, 0));
}

MarkedRun::MarkedRun(const MarkTable &marks, const StageCall &call)
    : m_marks(marks)
    , m_call(call)
    , m_outer(markedRun)
{
    markedRun = this;
}

MarkedRun::~MarkedRun()
{
    markedRun = m_outer;
}

void MarkedRun::begin(int mark)
{
    m_current = &m_marks[static_cast<std::size_t>(mark)];
    if (m_current->topLevel)
        m_random.end();
    if (m_call.stop.stop_requested()) {
        m_stopped = true;
        throw Stopped{};
    }
    if (m_call.observer)
        m_call.observer->nodeBegins(m_current->node);
    if (m_current->random)
        m_random.begin(randomKey(m_call.seed, m_current->name, m_call.microbatch));
}

} // namespace pipescope::exec
