#include "timeline/describe.h"

#include "timeline/cause_chain.h"
#include "widgets/number_text.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>

namespace pipescope::timeline {

namespace {

using trace::EventKind;

QString tr(const char *text)
{
    return QCoreApplication::translate("Describe", text);
}

QString seconds(double ns)
{
    return widgets::secondsText(ns * 1e-9);
}

QString actionName(const LaneModel &model, SliceRef ref)
{
    const std::string &action = model.eventOf(model.at(ref)).action;
    return action.empty() ? tr("compute") : QString::fromStdString(action);
}

QString placedAction(const LaneModel &model, SliceRef ref)
{
    return tr("%1 on rank %2").arg(actionName(model, ref), QString::number(ref.lane));
}

QString placedActions(const LaneModel &model, const std::vector<SliceRef> &refs)
{
    constexpr qsizetype most = 3;
    QStringList actions;
    for (qsizetype i = 0; i < std::min<qsizetype>(most, std::ssize(refs)); ++i)
        actions << placedAction(model, refs[static_cast<std::size_t>(i)]);
    const QString listed = actions.join(tr(", "));
    const qsizetype more = std::ssize(refs) - most;
    return more <= 0 ? listed : tr("%1 and %2 more").arg(listed, QString::number(more));
}

QString passName(Pass pass)
{
    switch (pass) {
    case Pass::Forward:
        return tr("forward");
    case Pass::Backward:
        return tr("backward");
    case Pass::WeightGradient:
        break;
    }
    return tr("weight gradient");
}

QStringList describeCompute(const LaneModel &model, SliceRef ref)
{
    const Slice &slice = model.at(ref);
    const Dependencies &dependencies = model.dependencies();
    QStringList lines{
        tr("stage %1, microbatch %2, %3").arg(slice.stage.value).arg(slice.microbatch.value).arg(passName(slice.pass))};
    const auto add = [&](const QString &pattern, const std::vector<SliceRef> &refs) {
        if (!refs.empty())
            lines << pattern.arg(placedActions(model, refs));
    };
    add(tr("needs %1"), dependencies.producersOf(model, ref));
    if (const auto giver = dependencies.giverOf(model, ref))
        lines << tr("waited for credit from %1").arg(placedAction(model, *giver));
    add(tr("needed by %1"), dependencies.consumersOf(model, ref));
    add(tr("gave credit to %1"), dependencies.takersOf(model, ref));
    return lines;
}

QString describeTransfer(const trace::Event &event)
{
    return tr("%1 for stage %2, microbatch %3")
        .arg(widgets::bytesText(event.bytes))
        .arg(event.kind == EventKind::Send ? event.peer.value : event.stage.value)
        .arg(event.microbatch.value);
}

/// What a bubble waited for, where its trace says so.
QString awaitedText(const LaneModel &model, const Bubble &bubble)
{
    if (!bubble.stage.valid())
        return {};
    const trace::Event *wait =
        bubble.wait >= 0 ? &model.trace().events[static_cast<std::size_t>(bubble.wait)] : nullptr;
    const bool isCredit = wait != nullptr && wait->cause == trace::WaitCause::Credit;
    const QString awaited =
        (isCredit ? tr("waiting for credit: too many microbatches under way until stage %1 had finished microbatch %2")
                  : tr("waiting for stage %1's microbatch %2"))
            .arg(bubble.stage.value)
            .arg(bubble.microbatch.value);
    const bool isNamed = wait != nullptr && !wait->value.empty();
    return isNamed ? tr("%1 (%2)").arg(awaited, QString::fromStdString(wait->value)) : awaited;
}

QString describeBubble(const LaneModel &model, Spot spot)
{
    const Lane &lane = model.lanes()[static_cast<std::size_t>(spot.lane)];
    const Bubble &bubble = lane.bubbles[static_cast<std::size_t>(spot.bubble)];
    const double run = model.run().spanNs();
    const double percent = run > 0 ? 100 * bubble.time.spanNs() / run : 0;
    QStringList lines{tr("Bubble on rank %1, %2 (%3 % of the run)")
                          .arg(spot.lane)
                          .arg(seconds(bubble.time.spanNs()), QString::number(percent, 'g', 3)),
                      causeOf(model, bubble)};
    // Only where there is more to tell than what was waited for.
    if (const std::vector<SliceRef> chain = chainOf(model, lane, bubble); chain.size() > 1)
        lines << chainText(model, chain);
    lines << tr("what helps: %1").arg(remedyFor(bubble.cause));
    lines << whenOf(bubble.time);
    return lines.join('\n');
}

} // namespace

QString chainText(const LaneModel &model, const std::vector<SliceRef> &chain)
{
    // Where it began and what was last are read; of many between nobody reads all.
    constexpr std::size_t first = 4;
    constexpr std::size_t last = 12;
    const std::size_t skipped = chain.size() > first + last ? chain.size() - first - last : 0;
    QStringList names;
    for (std::size_t i = 0; i < chain.size(); ++i) {
        if (skipped > 0 && i == first) {
            names << tr("(%1 more)").arg(skipped);
            i += skipped;
        }
        names << actionName(model, chain[i]);
    }
    names << tr("here");
    return names.join(QStringLiteral(" → "));
}

double waitedNs(const LaneModel &model, SliceRef compute)
{
    double waited = 0;
    for (const Bubble &bubble : bubblesBefore(model, compute))
        waited += bubble.time.spanNs();
    return waited;
}

const Bubble *waitNamed(const LaneModel &model, SliceRef compute)
{
    const std::span<const Bubble> bubbles = bubblesBefore(model, compute);
    const Bubble *known = longestKnown(bubbles);
    // Every thread takes microseconds to start or wake: worth a word only where the action is not much longer.
    const double worthAWord = std::max(known ? known->time.spanNs() : 0, model.at(compute).time.spanNs() / 100);
    for (const Bubble &late : bubbles)
        if (late.cause == BubbleCause::NotRunning && late.time.spanNs() > worthAWord)
            return &late;
    if (known)
        return known;
    const auto unnamed = std::find_if(bubbles.begin(), bubbles.end(), [](const Bubble &bubble) {
        return bubble.cause == BubbleCause::Credit || bubble.cause == BubbleCause::Device;
    });
    return unnamed == bubbles.end() ? nullptr : &*unnamed;
}

QString waitedFor(const LaneModel &model, SliceRef compute)
{
    const Bubble *wait = waitNamed(model, compute);
    if (wait == nullptr)
        return {};
    if (wait->cause == BubbleCause::NotRunning)
        return tr("nothing (not running)");
    if (!wait->stage.valid())
        return causeName(wait->cause);
    const auto awaited = awaitedBy(model, model.lanes()[static_cast<std::size_t>(compute.lane)], *wait);
    const QString what = awaited ? placedAction(model, *awaited)
                                 : tr("stage %1's microbatch %2").arg(wait->stage.value).arg(wait->microbatch.value);
    const bool isPlain = wait->cause == BubbleCause::Input;
    return isPlain ? what : tr("%1 (%2)").arg(what, causeName(wait->cause));
}

double bytesInto(const LaneModel &model, SliceRef compute)
{
    const Slice &slice = model.at(compute);
    double received = 0;
    for (const SliceRef ref : model.dependencies().slicesOf(slice.stage, slice.microbatch)) {
        const Slice &one = model.at(ref);
        if (one.time.beginNs > slice.time.beginNs || ref == compute)
            break;
        // What an earlier pass of the same microbatch took is not this one's.
        if (one.kind == EventKind::Compute)
            received = 0;
        if (one.kind == EventKind::Receive)
            received += static_cast<double>(model.eventOf(one).bytes);
    }
    return received;
}

QString whenOf(TimeRange time)
{
    return tr("from %1 to %2")
        .arg(seconds(static_cast<double>(time.beginNs)), seconds(static_cast<double>(time.endNs)));
}

QString describeMemory(const Lane &lane, double ns)
{
    return tr("Memory of rank %1: %2 at %3")
               .arg(lane.rank.value)
               .arg(widgets::bytesText(lane.memory.at(ns)), seconds(ns)) +
           '\n' + tr("peak %1").arg(widgets::bytesText(lane.memory.peakBytes()));
}

QString nameOf(const LaneModel &model, Spot spot)
{
    if (spot.slice < 0)
        return tr("bubble");
    const SliceRef ref{spot.lane, spot.slice};
    const trace::Event &event = model.eventOf(model.at(ref));
    const QString value = QString::fromStdString(event.value);
    const QString peer = QString::number(event.peer.value);
    switch (event.kind) {
    case EventKind::Compute:
        return actionName(model, ref);
    case EventKind::Send:
        return value.isEmpty() ? tr("send to stage %1").arg(peer) : tr("send %1 to stage %2").arg(value, peer);
    case EventKind::Receive:
        return value.isEmpty() ? tr("receive from stage %1").arg(peer)
                               : tr("receive %1 from stage %2").arg(value, peer);
    case EventKind::Wait:
        break;
    }
    return waitName(event.cause);
}

QString waitName(trace::WaitCause cause)
{
    switch (cause) {
    case trace::WaitCause::Input:
        return tr("wait (input)");
    case trace::WaitCause::Credit:
        return tr("wait (credit)");
    case trace::WaitCause::Device:
        return tr("wait (device)");
    case trace::WaitCause::None:
        break;
    }
    return tr("wait (none)");
}

QString causeName(BubbleCause cause)
{
    switch (cause) {
    case BubbleCause::WarmUp:
        return tr("fill");
    case BubbleCause::CoolDown:
        return tr("drain");
    case BubbleCause::Input:
        return tr("input");
    case BubbleCause::Credit:
        return tr("credit");
    case BubbleCause::Device:
        return tr("device");
    case BubbleCause::NotRunning:
        return tr("not running");
    case BubbleCause::Runtime:
        break;
    }
    return tr("between actions");
}

QString causeOf(const LaneModel &model, const Bubble &bubble)
{
    const QString awaited = awaitedText(model, bubble);
    switch (bubble.cause) {
    case BubbleCause::WarmUp:
        return awaited.isEmpty() ? tr("fill: nothing to compute yet") : tr("fill: %1").arg(awaited);
    case BubbleCause::CoolDown:
        return tr("drain: nothing left to compute");
    case BubbleCause::Input:
        return awaited.isEmpty() ? tr("waiting for input") : awaited;
    case BubbleCause::Credit:
        return awaited.isEmpty() ? tr("waiting for credit: too many microbatches under way") : awaited;
    case BubbleCause::Device:
        return tr("waiting for device: another rank held it");
    case BubbleCause::NotRunning:
        return tr("not running: nothing was waited for; the rank's thread had yet to start or wake (the machine was "
                  "busy, or the runtime's own time)");
    case BubbleCause::Runtime:
        break;
    }
    return tr("between two actions");
}

QString remedyFor(BubbleCause cause)
{
    switch (cause) {
    case BubbleCause::WarmUp:
    case BubbleCause::CoolDown:
        return tr("more microbatches, fewer stages");
    case BubbleCause::Input:
        return tr("a better balance: the stage waited for is slower");
    case BubbleCause::Credit:
        return tr("a higher limit (Most in flight), and memory for it");
    case BubbleCause::Device:
        return tr("devices of their own");
    case BubbleCause::NotRunning:
        return tr("fewer other programs, fewer threads or ranks than cores, longer actions");
    case BubbleCause::Runtime:
        break;
    }
    return tr("longer actions");
}

QString describe(const LaneModel &model, Spot spot)
{
    if (spot.slice < 0)
        return describeBubble(model, spot);
    const SliceRef ref{spot.lane, spot.slice};
    const Slice &slice = model.at(ref);
    QStringList lines{
        tr("%1 on rank %2, %3").arg(nameOf(model, spot), QString::number(spot.lane), seconds(slice.time.spanNs()))};
    if (slice.kind == EventKind::Compute)
        lines << describeCompute(model, ref);
    else if (slice.kind != EventKind::Wait)
        lines << describeTransfer(model.eventOf(slice));
    lines << whenOf(slice.time);
    return lines.join('\n');
}

} // namespace pipescope::timeline
