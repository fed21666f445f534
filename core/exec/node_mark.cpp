#include "exec/node_mark.h"

#include <exception>
#include <torch/csrc/jit/runtime/custom_operator.h>

namespace pipescope::exec {

namespace {

thread_local MarkedRun *t_run = nullptr;

// Takes a run out of the interpreter, which turns it into an exception of its own; MarkedRun::stopped() is what counts.
struct Stopped : std::exception
{
    const char *what() const noexcept override { return "stopped"; }
};

const c10::Symbol &markAttribute()
{
    static const c10::Symbol attribute = c10::Symbol::attr("mark");
    return attribute;
}

// The number sits in the node rather than in an operand: no constant is pushed and popped.
torch::jit::Operation makeMark(const torch::jit::Node *node)
{
    const int mark = static_cast<int>(node->i(markAttribute()));
    return [mark](torch::jit::Stack &) {
        if (t_run)
            t_run->begin(mark);
    };
}

const c10::Symbol &markKind()
{
    static const c10::Symbol kind = c10::Symbol::fromQualString("pipescope::at");
    // CONSERVATIVE: has an effect, so no pass removes or moves it (libtorch.md 1.11).
    static const torch::jit::RegisterOperators operators({
        torch::jit::Operator("pipescope::at() -> ()", &makeMark, c10::AliasAnalysisKind::CONSERVATIVE),
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
    torch::jit::Node *const mark = graph.create(markKind(), 0);
    mark->i_(markAttribute(), static_cast<std::int64_t>(marks.size()) - 1);
    return graph.insertNode(mark);
}

MarkedRun::MarkedRun(const MarkTable &marks, const StageCall &call)
    : m_marks(marks)
    , m_call(call)
    , m_outer(t_run)
{
    t_run = this;
}

MarkedRun::~MarkedRun()
{
    t_run = m_outer;
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
