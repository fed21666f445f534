#include "json_output.h"
#include "trace/explain/cause_words.h"
#include "trace/explain/longest_bubbles.h"

namespace pipescope::app {

using nlohmann::json;

namespace {

json kindsJson(const std::vector<trace::KindStats> &kinds)
{
    json list = json::array();
    for (const trace::KindStats &kind : kinds)
        list.push_back({{"kind", schedule::kindName(kind.kind)},
                        {"seconds", number(kind.seconds)},
                        {"median_seconds", number(kind.medianSeconds)},
                        {"runs", kind.runs}});
    return list;
}

json ranksJson(const trace::Stats &stats, const std::vector<std::string> &devices)
{
    json ranks = json::array();
    for (std::size_t i = 0; i < stats.ranks.size(); ++i) {
        const trace::RankStats &rank = stats.ranks[i];
        ranks.push_back({{"device", i < devices.size() ? json(devices[i]) : json(nullptr)},
                         {"busy_seconds", number(rank.busySeconds)},
                         {"kinds", kindsJson(rank.kinds)},
                         {"wait_seconds", number(rank.waitSeconds)},
                         {"send_seconds", number(rank.sendSeconds)},
                         {"receive_seconds", number(rank.receiveSeconds)},
                         {"span_seconds", number(rank.spanSeconds)},
                         {"warm_up_seconds", number(rank.warmUpSeconds)},
                         {"cool_down_seconds", number(rank.coolDownSeconds)},
                         {"wait_input_seconds", number(rank.waitInputSeconds)},
                         {"wait_credit_seconds", number(rank.waitCreditSeconds)},
                         {"wait_device_seconds", number(rank.waitDeviceSeconds)},
                         {"not_running_seconds", number(rank.notRunningSeconds)},
                         {"between_actions_seconds", number(rank.betweenActionsSeconds)},
                         {"peak_bytes", rank.peakBytes}});
    }
    return ranks;
}

} // namespace

void addStats(json &object, const trace::Stats &stats, const std::vector<std::string> &devices)
{
    object["makespan_seconds"] = number(stats.makespanSeconds);
    object["bound_seconds"] = number(stats.boundSeconds);
    object["bubble_share"] = number(stats.bubbleShare);
    object["bubble_share_of_span"] = number(stats.bubbleShareOfSpan);
    object["imbalance"] = number(stats.imbalance);
    object["sent_bytes"] = stats.sentBytes;
    object["ranks"] = ranksJson(stats, devices);
}

void addBubbles(json &object, const trace::Explanation &explained, std::size_t bubbles)
{
    const trace::LongestBubbles longest = trace::longestBubbles(explained, bubbles);
    json told = json::array();
    for (const trace::ToldBubble &one : longest.told) {
        json chain = json::array();
        for (const trace::SliceRef ref : one.chain.links)
            chain.push_back(schedule::toText(trace::keyOf(explained.eventOf(explained.at(ref)))));
        const trace::CauseWords &words = trace::wordsOf(one.bubble.cause);
        told.push_back({{"rank", one.rank.value},
                        {"begin_seconds", number(trace::secondsBetween(0, one.bubble.time.beginNs))},
                        {"seconds", number(one.bubble.time.spanNs() * 1e-9)},
                        {"cause", words.key},
                        {"explanation", trace::causeSentence(explained, one.bubble)},
                        {"chain", std::move(chain)},
                        {"chain_left_out", one.chain.leftOut},
                        {"remedy", words.remedy}});
    }
    object["bubbles"] = std::move(told);
    object["more_bubbles"] = longest.others;
    object["more_bubbles_seconds"] = number(longest.othersSeconds);
}

json toJson(const trace::Explanation &explained, std::size_t bubbles)
{
    const trace::Trace &trace = explained.trace();
    json object = {{"title", textOrNull(trace.title)}, {"stages", trace.stages}, {"microbatches", trace.microbatches}};
    addStats(object, trace::traceStats(explained), {});
    addBubbles(object, explained, bubbles);
    return object;
}

} // namespace pipescope::app
