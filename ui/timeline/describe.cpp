#include "timeline/describe.h"

#include "session/use_name.h"
#include "timeline/translate.h"
#include "trace/explain/before_compute.h"
#include "trace/explain/cause_chain.h"
#include "trace/explain/cause_words.h"
#include "widgets/number_text.h"

#include <QStringList>
#include <algorithm>

namespace pipescope::timeline {

namespace {

using trace::EventKind;

QString actionName(const LaneModel &model, trace::SliceRef ref)
{
    return QString::fromStdString(schedule::toText(keyOf(model.eventOf(model.at(ref)))));
}

QString placedAction(const LaneModel &model, trace::SliceRef ref)
{
    return tr("%1 on rank %2").arg(actionName(model, ref), QString::number(ref.lane));
}

QString placedActions(const LaneModel &model, const std::vector<trace::SliceRef> &refs)
{
    constexpr qsizetype most = 3;
    QStringList actions;
    for (qsizetype i = 0; i < std::min<qsizetype>(most, std::ssize(refs)); ++i)
        actions << placedAction(model, refs[static_cast<std::size_t>(i)]);
    const QString listed = actions.join(tr(", "));
    const qsizetype more = std::ssize(refs) - most;
    return more <= 0 ? listed : tr("%1 and %2 more").arg(listed, QString::number(more));
}

QStringList describeCompute(const LaneModel &model, trace::SliceRef ref)
{
    const trace::Slice &slice = model.at(ref);
    const trace::Dependencies &dependencies = model.dependencies();
    QStringList lines{tr("stage %1, microbatch %2, %3")
                          .arg(slice.stage.value)
                          .arg(slice.microbatch.value)
                          .arg(session::useName(trace::useOf(slice)))};
    const auto add = [&](const QString &pattern, const std::vector<trace::SliceRef> &refs) {
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

/// For the texts that core has.
std::string translated(const char *text)
{
    return tr(text).toStdString();
}

QString describeBubble(const LaneModel &model, Spot spot)
{
    const trace::Lane &lane = model.lanes()[static_cast<std::size_t>(spot.lane)];
    const trace::Bubble &bubble = lane.bubbles[static_cast<std::size_t>(spot.bubble)];
    const double run = model.run().spanNs();
    const double percent = run > 0 ? 100 * bubble.time.spanNs() / run : 0;
    QStringList lines{tr("Bubble on rank %1, %2 (%3 % of the run)")
                          .arg(spot.lane)
                          .arg(widgets::nanosecondsText(bubble.time.spanNs()), QString::number(percent, 'g', 3)),
                      causeOf(model, bubble)};
    // Only where there is more to tell than what was waited for.
    if (const std::vector<trace::SliceRef> chain = chainOf(model, lane, bubble); chain.size() > 1)
        lines << chainText(model, chain);
    lines << tr("what helps: %1").arg(remedyFor(bubble.cause));
    lines << whenOf(bubble.time);
    return lines.join('\n');
}

} // namespace

QString chainText(const LaneModel &model, const std::vector<trace::SliceRef> &chain)
{
    return QString::fromStdString(trace::chainText(model, chain, translated));
}

QString waitedFor(const LaneModel &model, trace::SliceRef compute)
{
    const trace::Bubble *wait = waitNamed(model, compute);
    if (wait == nullptr)
        return {};
    if (wait->cause == trace::BubbleCause::NotRunning)
        return tr("nothing (not running)");
    if (!wait->stage.valid())
        return causeName(wait->cause);
    const auto awaited = awaitedBy(model, model.lanes()[static_cast<std::size_t>(compute.lane)], *wait);
    const QString what = awaited ? placedAction(model, *awaited)
                                 : tr("stage %1's microbatch %2").arg(wait->stage.value).arg(wait->microbatch.value);
    const bool isPlain = wait->cause == trace::BubbleCause::Input;
    return isPlain ? what : tr("%1 (%2)").arg(what, causeName(wait->cause));
}

QString whenOf(trace::TimeRange time)
{
    return tr("from %1 to %2")
        .arg(widgets::nanosecondsText(static_cast<double>(time.beginNs)),
             widgets::nanosecondsText(static_cast<double>(time.endNs)));
}

QString describeMemory(RankId rank, const MemoryCurve &memory, double ns)
{
    return tr("Memory of rank %1: %2 at %3")
               .arg(rank.value)
               .arg(widgets::bytesText(memory.at(ns)), widgets::nanosecondsText(ns)) +
           '\n' + tr("peak %1").arg(widgets::bytesText(memory.peakBytes()));
}

QString nameOf(const LaneModel &model, Spot spot)
{
    if (spot.slice < 0)
        return tr("bubble");
    const trace::SliceRef ref{spot.lane, spot.slice};
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

QString causeName(trace::BubbleCause cause)
{
    return tr(trace::wordsOf(cause).name);
}

QString causeOf(const LaneModel &model, const trace::Bubble &bubble)
{
    return QString::fromStdString(trace::causeSentence(model, bubble, translated));
}

QString remedyFor(trace::BubbleCause cause)
{
    return tr(trace::wordsOf(cause).remedy);
}

QString describe(const LaneModel &model, Spot spot)
{
    if (spot.slice < 0)
        return describeBubble(model, spot);
    const trace::SliceRef ref{spot.lane, spot.slice};
    const trace::Slice &slice = model.at(ref);
    QStringList lines{
        tr("%1 on rank %2, %3")
            .arg(nameOf(model, spot), QString::number(spot.lane), widgets::nanosecondsText(slice.time.spanNs()))};
    if (slice.kind == EventKind::Compute)
        lines << describeCompute(model, ref);
    else if (slice.kind != EventKind::Wait)
        lines << describeTransfer(model.eventOf(slice));
    lines << whenOf(slice.time);
    return lines.join('\n');
}

} // namespace pipescope::timeline
