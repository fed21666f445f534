#include "runtime/step.h"

#include "runtime/rank_loop.h"
#include "schedule/credit.h"
#include "tensor/torch_guard.h"
#include "trace/trace_feeds.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace pipescope::runtime {

namespace {

constexpr bool Trains = false; // a step has forwards only

/// Room for so many events is made ahead at most: the log grows by as much at a time.
constexpr std::size_t MostEventsAhead = 1 << 16;

/// The most events a rank can record.
std::size_t mostEvents(const StepPlan &plan)
{
    std::size_t most = 0;
    for (const std::vector<Task> &row : plan.rows) {
        std::size_t events = 0;
        for (const Task &task : row) {
            const StageRoute &route = plan.routes[task.stage.index()];
            events += 2 + 2 * route.inlets.size(); // compute, a wait for the permit; a wait and a receive for each
            for (const Outlet &outlet : route.outlets)
                events += outlet.consumers.size();
        }
        most = std::max(most, events);
    }
    return most;
}

} // namespace

Step::Step(const StepPlan &plan, const MicrobatchValues &arguments, StageRunner runner, std::chrono::nanoseconds spin)
    : m_plan(plan)
    , m_arguments(arguments)
    , m_runner(std::move(runner))
    , m_waits(plan.ranks(), [this](const std::vector<WaitingRank> &waiting) { fail(deadlockError(m_plan, waiting)); })
    , m_mailbox(m_waits, spin)
    , m_ranks(plan.rows.size())
    , m_recorder(plan.ranks(), std::min(mostEvents(plan), MostEventsAhead))
    , m_outputs(static_cast<std::size_t>(plan.microbatches), std::vector<c10::IValue>(plan.outputs))
    , m_endsLeft(static_cast<std::size_t>(plan.microbatches))
{
    const int ends = schedule::endsOfMicrobatch(plan.stages(), plan.feeds, Trains);
    for (std::atomic<int> &count : m_endsLeft)
        count.store(ends, std::memory_order_relaxed);
    for (int i = 0; i < plan.maxInFlight; ++i)
        permitBegin(plan.beginOrder[static_cast<std::size_t>(i)], {});
}

void Step::runRank(RankId rank)
{
    try {
        RankLoop(*this, rank).run();
    } catch (...) {
        fail(tensor::currentException(ErrorCode::Internal, m_plan.rankNames[rank.index()]));
    }
    m_ranks[rank.index()].kind.store(Activity::Kind::Finished, std::memory_order_relaxed);
}

void Step::fail(Error error)
{
    {
        const std::lock_guard lock(m_errorMutex);
        if (m_error)
            return;
        m_error = std::move(error);
    }
    m_stop.request_stop();
    m_mailbox.close();
}

std::optional<Error> Step::error() const
{
    const std::lock_guard lock(m_errorMutex);
    return m_error;
}

std::string Step::stallReport() const
{
    const std::int64_t now = m_recorder.now();
    std::vector<Activity> activities;
    for (const RankState &rank : m_ranks)
        activities.push_back({rank.kind.load(std::memory_order_relaxed), rank.task.load(std::memory_order_relaxed),
                              std::chrono::nanoseconds(now - rank.sinceNs.load(std::memory_order_relaxed))});
    return stallText(m_plan, m_waits.waiting(), activities);
}

trace::Trace Step::newTrace(trace::Trace frame)
{
    frame = named(std::move(frame));
    frame.events = m_recorder.newEvents();
    return frame;
}

trace::Trace Step::takeTrace(trace::Trace frame)
{
    return m_recorder.finish(named(std::move(frame)));
}

trace::Trace Step::named(trace::Trace frame) const
{
    frame.ranks = m_plan.ranks();
    frame.stages = m_plan.stages();
    frame.microbatches = m_plan.microbatches;
    frame.rankNames = m_plan.rankNames;
    frame.feeds = trace::edgesOf(m_plan.feeds);
    return frame;
}

void Step::permit(MicrobatchId microbatch, StageId stage, const schedule::ActionKey &giver)
{
    m_mailbox.post(permitAddress(microbatch, stage), m_plan.rankOf[stage.index()], {{}, 0, giver});
}

void Step::permitBegin(MicrobatchId microbatch, const schedule::ActionKey &giver)
{
    permit(microbatch, schedule::beginOf(microbatch).stage, giver);
}

void Step::finishTask(const Task &task)
{
    m_finishedTasks.fetch_add(1, std::memory_order_relaxed);
    if (m_plan.maxInFlight == 0 || !schedule::endsMicrobatch(keyOf(task), m_plan.feeds, Trains) ||
        m_endsLeft[task.microbatch.index()].fetch_sub(1) > 1)
        return;
    const std::size_t next = m_finishedMicrobatches.fetch_add(1) + static_cast<std::size_t>(m_plan.maxInFlight);
    if (next < m_plan.beginOrder.size())
        permitBegin(m_plan.beginOrder[next], keyOf(task));
}

} // namespace pipescope::runtime
