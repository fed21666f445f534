#include "inspector/action_facts.h"

#include "inspector/fact_words.h"
#include "inspector/translate.h"
#include "trace/explain/before_compute.h"
#include "widgets/number_text.h"

#include <algorithm>

namespace pipescope::inspector {

namespace {

using namespace widgets;
using trace::EventKind;

QString waitText(const trace::Event &wait, double seconds)
{
    const QString time = secondsText(seconds);
    switch (wait.cause) {
    case trace::WaitCause::Input:
        return wait.value.empty()
                   ? tr("%1 for stage %2").arg(time).arg(wait.peer.value)
                   : tr("%1 for %3 of stage %2").arg(time).arg(wait.peer.value).arg(QString::fromStdString(wait.value));
    case trace::WaitCause::Credit:
        return wait.peerMicrobatch.valid() ? tr("%1 for credit: until stage %2 had finished microbatch %3")
                                                 .arg(time)
                                                 .arg(wait.peer.value)
                                                 .arg(wait.peerMicrobatch.value)
                                           : tr("%1 for credit: too many microbatches under way").arg(time);
    case trace::WaitCause::Device:
        return tr("%1 for device: another rank held it").arg(time);
    case trace::WaitCause::None:
        break;
    }
    return time;
}

/// To the one of these computes that is of that stage.
std::optional<session::Selected> linkTo(StageId stage, const std::vector<trace::SliceRef> &computes, const Known &known)
{
    const auto found = std::find_if(computes.begin(), computes.end(), [&](trace::SliceRef compute) {
        return known.explained->at(compute).stage == stage;
    });
    if (found == computes.end())
        return std::nullopt;
    return session::SelectedAction{known.runId, known.explained->actionOf(*found)};
}

/// The causes of its waits, and how long each took to come.
std::vector<Words> waitWords(const Known &known, std::uint32_t compute)
{
    const trace::Explanation &explained = *known.explained;
    const trace::Event &action = explained.trace().events[compute];
    const trace::SliceRef ref = explained.refOf(compute);
    const std::vector<trace::SliceRef> producers = explained.dependencies().producersOf(explained, ref);
    std::vector<trace::SliceRef> givers;
    if (const auto giver = explained.dependencies().giverOf(explained, ref))
        givers.push_back(*giver);
    std::vector<Words> words;
    for (const std::uint32_t i : explained.index().before(compute)) {
        const trace::Event &event = explained.trace().events[i];
        if (event.kind != EventKind::Wait || event.rank != action.rank)
            continue;
        const double waitedNs = explained.at(explained.refOf(i)).time.spanNs();
        if (waitedNs <= 0)
            continue;
        Words made = plain(waitText(event, waitedNs * 1e-9));
        if (event.cause != trace::WaitCause::Device)
            made.link = linkTo(event.peer, event.cause == trace::WaitCause::Input ? producers : givers, known);
        words.push_back(made);
    }
    return words;
}

/// Between what it waited for and its begin.
std::vector<Words> lateWords(const trace::Explanation &explained, std::uint32_t compute)
{
    double ns = 0;
    for (const trace::Bubble &bubble : bubblesBefore(explained, explained.refOf(compute)))
        if (bubble.cause == trace::BubbleCause::NotRunning)
            ns += bubble.time.spanNs();
    return ns > 0 ? std::vector{plain(secondsText(ns * 1e-9))} : std::vector<Words>();
}

/// The values it got or gave: "h0 24 B from stage 0".
std::vector<Words> transferWords(const Known &known, std::uint32_t compute, EventKind kind)
{
    const trace::Explanation &explained = *known.explained;
    const std::vector<trace::Event> &events = explained.trace().events;
    const trace::TraceIndex &index = explained.index();
    const trace::Dependencies &dependencies = explained.dependencies();
    const trace::SliceRef ref = explained.refOf(compute);
    const std::vector<trace::SliceRef> others =
        kind == EventKind::Send ? dependencies.consumersOf(explained, ref) : dependencies.producersOf(explained, ref);
    std::vector<Words> words;
    for (const std::uint32_t i : kind == EventKind::Send ? index.after(compute) : index.before(compute)) {
        const trace::Event &event = events[i];
        if (event.kind != kind)
            continue;
        const QString pattern = kind == EventKind::Send ? tr("%1 %2 to stage %3") : tr("%1 %2 from stage %3");
        Words made = plain(
            pattern.arg(QString::fromStdString(event.value), bytesText(event.bytes)).arg(event.peer.value).trimmed());
        made.link = linkTo(event.peer, others, known);
        words.push_back(made);
    }
    return words;
}

} // namespace

FactSheet actionFacts(const schedule::ActionKey &action, const Known &known)
{
    if (known.run == nullptr || known.explained == nullptr)
        return {};
    const trace::Trace &trace = known.run->trace;
    const std::optional<std::uint32_t> compute = known.explained->index().computeOf(action);
    if (!compute || known.explained->refOf(*compute).lane < 0)
        return {};
    const trace::Event &event = trace.events[*compute];
    FactSheet sheet;
    sheet.title = QString::fromStdString(schedule::toText(keyOf(event)));
    sheet.subtitle = {stageWords(event.stage), rankWords(event.rank)};
    const auto microbatch = event.microbatch.index();
    const bool hasSize = event.microbatch.valid() && microbatch < known.run->microbatches.size();
    const QString sized = plan::microbatchUnit(known.run->plan) == "item" ? tr("%1 (%2 items)") : tr("%1 (%2 rows)");
    addFact(sheet, tr("microbatch"),
            {plain(hasSize ? sized.arg(event.microbatch.value).arg(known.run->microbatches[microbatch])
                           : QString::number(event.microbatch.value))});
    addFact(sheet, tr("begin"), {plain(secondsText(trace::secondsBetween(0, event.beginNs)))});
    const double seconds = trace::secondsOf(event);
    const bool hasStage = event.stage.valid() && event.stage.index() < known.run->stages.size();
    const double median = hasStage ? known.run->stages[event.stage.index()].seconds : 0;
    addFact(sheet, tr("duration"),
            {plain(median > 0 ? tr("%1 (stage's median %2)").arg(secondsText(seconds), secondsText(median))
                              : secondsText(seconds))});
    addFact(sheet, tr("waited"), waitWords(known, *compute));
    addFact(sheet, tr("not running"), lateWords(*known.explained, *compute));
    addFact(sheet, tr("got"), transferWords(known, *compute, EventKind::Receive));
    addFact(sheet, tr("gave"), transferWords(known, *compute, EventKind::Send));
    addRun(sheet, known);
    std::vector<Words> beside;
    for (const int other : {event.microbatch.value - 1, event.microbatch.value + 1})
        if (other >= 0 && other < trace.microbatches)
            beside.push_back(actionWords({known.runId, {event.action, event.stage, MicrobatchId{other}}}));
    if (!beside.empty())
        sheet.onward.push_back({tr("The same stage's"), beside});
    return sheet;
}

} // namespace pipescope::inspector
