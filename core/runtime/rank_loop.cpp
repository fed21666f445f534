#include "runtime/rank_loop.h"

#include "schedule/credit.h"
#include "tensor/ivalue_tree.h"
#include "tensor/torch_guard.h"

#include <cstdint>
#include <fmt/format.h>
#include <utility>

namespace pipescope::runtime {

using trace::Event;
using trace::EventKind;
using trace::WaitCause;

RankLoop::RankLoop(Step &step, RankId rank)
    : m_step(step)
    , m_plan(step.m_plan)
    , m_state(step.m_ranks[rank.index()])
    , m_rank(rank)
{
}

void RankLoop::run()
{
    const std::vector<Task> &row = m_plan.rows[m_rank.index()];
    schedule::ActionKey before;
    for (std::size_t i = 0; i < row.size(); ++i) {
        const Task &task = row[i];
        m_state.task.store(i, std::memory_order_relaxed);
        if (!begin(task, std::exchange(before, keyOf(task))))
            break;
        std::optional<Values> values = collect(task);
        if (values)
            values = compute(task, *std::move(values));
        if (!values)
            break;
        m_step.finishTask(task); // before anybody goes on with the values: who ends a microbatch computes it last
        if (!handOn(task, *std::move(values)))
            break;
    }
    m_step.m_waits.leave(m_rank);
}

/// `before` is the rank's last action.
bool RankLoop::begin(const Task &task, const schedule::ActionKey &before)
{
    const bool begins = schedule::beginsMicrobatch(keyOf(task));
    if (m_plan.maxInFlight == 0 || (!begins && !schedule::followsBegin(keyOf(task), m_plan.feeds)))
        return true;
    Event wait = event(EventKind::Wait, task);
    wait.cause = WaitCause::Credit;
    const comm::Address address = Step::permitAddress(task.microbatch, task.stage);
    std::optional<Parcel> permit = m_step.m_mailbox.tryTake(address, m_rank);
    if (permit) // was there already: the rank was busy
        permit->giver = before;
    else
        permit = await(address, std::move(wait));
    if (permit && begins) {
        for (const StageId stage : m_plan.followingStages)
            m_step.permit(task.microbatch, stage, permit->giver);
    }
    return permit.has_value();
}

std::optional<RankLoop::Values> RankLoop::collect(const Task &task)
{
    Values values;
    const std::vector<Inlet> &inlets = m_plan.routes[task.stage.index()].inlets;
    values.reserve(inlets.size());
    for (const Inlet &inlet : inlets) {
        if (inlet.argument >= 0) {
            values.push_back(m_step.m_arguments[task.microbatch.index()][static_cast<std::size_t>(inlet.argument)]);
            continue;
        }
        std::optional<Parcel> parcel = receive(task, inlet);
        if (!parcel)
            return std::nullopt;
        values.push_back(std::move(parcel->value));
    }
    return values;
}

std::optional<Parcel> RankLoop::receive(const Task &task, const Inlet &inlet)
{
    Event wait = event(EventKind::Wait, task);
    wait.cause = WaitCause::Input;
    wait.peer = inlet.from;
    wait.value = inlet.name;
    Event received = wait;
    received.kind = EventKind::Receive;
    received.cause = WaitCause::None;

    std::optional<Parcel> parcel = await({inlet.value, task.microbatch, inlet.from, task.stage}, std::move(wait));
    if (parcel) {
        received.bytes = parcel->bytes;
        record(std::move(received), m_step.m_recorder.now());
    }
    return parcel;
}

std::optional<Parcel> RankLoop::await(const comm::Address &address, Event wait)
{
    std::optional<Parcel> parcel = m_step.m_mailbox.tryTake(address, m_rank);
    if (parcel)
        return parcel;
    const std::int64_t begin = enter(Activity::Kind::Waiting);
    parcel = m_step.m_mailbox.take(address, m_rank);
    if (parcel && parcel->giver.stage.valid()) {
        wait.peer = parcel->giver.stage;
        wait.peerMicrobatch = parcel->giver.microbatch;
        wait.peerAction = parcel->giver.kind;
    }
    record(std::move(wait), begin);
    return parcel;
}

std::optional<RankLoop::Values> RankLoop::compute(const Task &task, Values inputs)
{
    const std::int64_t begin = enter(Activity::Kind::Computing);
    Result<Values> result = runStage(task, std::move(inputs));
    Event computed = event(EventKind::Compute, task);
    computed.action = task.kind;
    record(std::move(computed), begin);
    enter(Activity::Kind::Waiting);
    if (result)
        return *std::move(result);
    Error error = result.error();
    if (error.code != ErrorCode::Cancelled)
        error.message = fmt::format("{}: {}", m_plan.rankNames[m_rank.index()], error.message);
    m_step.fail(std::move(error));
    return std::nullopt;
}

Result<RankLoop::Values> RankLoop::runStage(const Task &task, Values inputs)
{
    const auto place = [&task] {
        return fmt::format("stage {}, microbatch {}", task.stage.value, task.microbatch.value);
    };
    try {
        Result<Values> result =
            m_step.m_runner(task.stage, task.microbatch, std::move(inputs), m_step.m_stop.get_token());
        const std::size_t wanted = m_plan.routes[task.stage.index()].outlets.size();
        if (result && result->size() != wanted)
            return Error{ErrorCode::Internal,
                         fmt::format("{}: the stage gave {} values, not {}", place(), result->size(), wanted),
                         place(),
                         {}};
        return result;
    } catch (...) {
        Error error = tensor::currentException(ErrorCode::ModelFailed, place());
        error.message = fmt::format("{}: {}", place(), error.message);
        return error;
    }
}

bool RankLoop::handOn(const Task &task, Values outputs)
{
    const std::vector<Outlet> &outlets = m_plan.routes[task.stage.index()].outlets;
    for (std::size_t i = 0; i < outlets.size(); ++i) {
        for (const int position : outlets[i].returnedAs)
            m_step.m_outputs[task.microbatch.index()][static_cast<std::size_t>(position)] = outputs[i];
        send(task, outlets[i], std::move(outputs[i]));
    }
    return !m_step.m_stop.stop_requested();
}

void RankLoop::send(const Task &task, const Outlet &outlet, c10::IValue value)
{
    if (outlet.consumers.empty())
        return;
    const std::int64_t bytes = tensor::tensorBytes(value);
    for (std::size_t i = 0; i < outlet.consumers.size(); ++i) {
        const StageId to = outlet.consumers[i];
        const std::int64_t begin = m_step.m_recorder.now();
        const bool last = i + 1 == outlet.consumers.size();
        Event sent = event(EventKind::Send, task);
        sent.peer = to;
        sent.value = outlet.name;
        sent.bytes = bytes;
        sent.beginNs = begin;
        sent.endNs = begin;
        Parcel parcel{last ? std::move(value) : value, bytes}; // NOLINT(bugprone-use-after-move): for the last one only
        m_step.m_mailbox.post({outlet.value, task.microbatch, task.stage, to}, m_plan.rankOf[to.index()],
                              std::move(parcel), [&] { sent.endNs = m_step.m_recorder.now(); });
        m_step.m_recorder.add(std::move(sent));
    }
}

Event RankLoop::event(EventKind kind, const Task &task) const
{
    Event event;
    event.kind = kind;
    event.rank = m_rank;
    event.stage = task.stage;
    event.microbatch = task.microbatch;
    return event;
}

void RankLoop::record(Event event, std::int64_t beginNs)
{
    event.beginNs = beginNs;
    event.endNs = m_step.m_recorder.now();
    m_step.m_recorder.add(std::move(event));
}

std::int64_t RankLoop::enter(Activity::Kind kind)
{
    const std::int64_t now = m_step.m_recorder.now();
    m_state.sinceNs.store(now, std::memory_order_relaxed);
    m_state.kind.store(kind, std::memory_order_relaxed);
    return now;
}

} // namespace pipescope::runtime
