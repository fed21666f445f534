#include "inspector/stage_facts.h"

#include "inspector/fact_words.h"
#include "inspector/translate.h"
#include "partition/cut.h"
#include "session/stage_name.h"
#include "widgets/number_text.h"

#include <algorithm>
#include <utility>

namespace pipescope::inspector {

namespace {

using namespace widgets;

constexpr int MostParts = 32;

/// "h float32[1,128] (512 B)"
std::vector<Words> withBytes(const graph::ModelGraph &graph, const std::vector<ValueId> &values)
{
    constexpr std::size_t most = 12;
    std::vector<Words> words;
    for (const ValueId value : values) {
        words.push_back(valueWords(graph, value));
        if (const auto &bytes = graph.value(value).bytes; bytes.value_or(0) > 0)
            words.back().text += tr(" (%1)").arg(bytesText(*bytes));
    }
    return folded(std::move(words), most, tr("and %1 more"));
}

/// All their bytes, and each of the tensors.
std::vector<Words> constantWords(const graph::ModelGraph &graph, const partition::Stage &stage,
                                 const report::StageReport &report)
{
    if (stage.constants.empty())
        return {};
    std::vector<Words> words = someValues(graph, stage.constants);
    words.insert(words.begin(), plain(bytesText(report.constantBytes)));
    return words;
}

template <class Cost>
std::optional<double> sumOver(const graph::ModelGraph &graph, const partition::Stage &stage, Cost cost)
{
    std::optional<double> sum;
    for (int position = stage.begin; position < stage.end; ++position)
        if (const std::optional<double> &known = graph.at(position).*cost)
            sum = sum.value_or(0) + *known;
    return sum;
}

void addMeasured(FactSheet &sheet, StageId stage, const Known &known)
{
    const RankId rank = rankOf(known, stage);
    if (!rank.valid())
        return;
    const report::StageReport &report = known.run->stages[stage.index()];
    addFact(sheet, tr("measured"), {plain(tr("%1 a microbatch").arg(secondsText(report.seconds)))});
    addFact(sheet, tr("sends"), {plain(tr("%1 a microbatch").arg(bytesText(report.sentBytes)))});
    if (rank.index() < known.run->stats.ranks.size()) {
        const trace::RankStats &stats = known.run->stats.ranks[rank.index()];
        addFact(sheet, tr("busy"), {plain(shareText(stats.busySeconds, known.run->stats.makespanSeconds))});
        if (stats.peakBytes > 0)
            addFact(sheet, tr("peak memory"), {plain(bytesText(stats.peakBytes))});
    }
    addRun(sheet, known);
    Words actions = rankWords(rank);
    actions.text = tr("%1 actions on rank %2").arg(known.run->microbatches.size()).arg(rank.value);
    sheet.onward.push_back({tr("Run in"), {actions}});
}

} // namespace

FactSheet stageFacts(StageId id, const Known &known)
{
    const partition::Partition &partition = known.staging.partition;
    if (!id.valid() || id.index() >= partition.stages.size())
        return {};
    const partition::Stage &stage = partition.stages[id.index()];
    const graph::ModelGraph &graph = known.graph;
    FactSheet sheet;
    sheet.title = tr("stage %1").arg(id.value);
    sheet.stage = id;
    sheet.subtitle.push_back(plain(session::stageName(graph, stage)));
    if (const RankId rank = rankOf(known, id); rank.valid())
        sheet.subtitle.push_back(rankWords(rank));
    addFact(sheet, tr("what"), {plain(session::stageName(graph, stage, MostParts))});
    addFact(sheet, tr("nodes"), {plain(countText(stage.end - stage.begin))});
    if (id.index() < known.staging.stages.size()) {
        const report::StageReport &report = known.staging.stages[id.index()];
        addFact(sheet, tr("parameters"),
                {plain(tr("%1 (%2)").arg(countText(report.parameters), bytesText(report.parameterBytes)))});
        if (report.bufferBytes > 0)
            addFact(sheet, tr("buffers"), {plain(bytesText(report.bufferBytes))});
        addFact(sheet, tr("constants"), constantWords(graph, stage, report));
    }
    const auto flops = sumOver(graph, stage, &graph::Node::flops);
    addFact(sheet, tr("FLOPs"), {plain(flops ? amountText(*flops) : QString())});
    const auto seconds = sumOver(graph, stage, &graph::Node::seconds);
    addFact(sheet, tr("profiled"), {plain(seconds ? secondsText(*seconds) : QString())});
    addFact(sheet, tr("in"), withBytes(graph, stage.inputs));
    addFact(sheet, tr("out"), withBytes(graph, stage.outputs));
    addMeasured(sheet, id, known);
    std::vector<Words> beside;
    if (id.value > 0)
        beside.push_back(stageWords(StageId{id.value - 1}));
    if (id.index() + 1 < partition.stages.size())
        beside.push_back(stageWords(StageId{id.value + 1}));
    if (!beside.empty())
        sheet.onward.push_back({tr("Beside it"), beside});
    return sheet;
}

FactSheet cutFacts(int position, const Known &known)
{
    const graph::ModelGraph &graph = known.graph;
    if (position <= 0 || position >= graph.size())
        return {};
    const partition::Cut cut = partition::allCuts(graph)[static_cast<std::size_t>(position - 1)];
    const auto &cuts = known.staging.partition.cuts;
    const bool isPlaced = std::find(cuts.begin(), cuts.end(), position) != cuts.end();
    FactSheet sheet;
    sheet.title = isPlaced ? tr("split before %1").arg(QString::fromStdString(graph.at(position).name))
                           : tr("place before %1").arg(QString::fromStdString(graph.at(position).name));
    const StageId before = stageOf(known, graph.at(position - 1).id);
    const StageId after = stageOf(known, graph.at(position).id);
    for (const StageId stage : {before, after})
        if (stage.valid() && (sheet.subtitle.empty() || before != after))
            sheet.subtitle.push_back(stageWords(stage));
    addFact(sheet, tr("split"),
            {plain(cut.legal ? tr("legal") : tr("not possible: %1").arg(QString::fromStdString(cut.reason)))}, false);
    addFact(sheet, tr("crosses"), withBytes(graph, cut.crossing));
    if (const auto bytes = partition::crossingBytes(graph, cut))
        addFact(sheet, tr("bytes"), {plain(tr("%1 for the profiled inputs").arg(bytesText(*bytes)))});
    addFact(sheet, tr("position"), {plain(tr("%1 of %2").arg(position).arg(graph.size()))});
    sheet.onward.push_back({tr("Last before"), {nodeWords(graph, graph.at(position - 1).id)}});
    sheet.onward.push_back({tr("First after"), {nodeWords(graph, graph.at(position).id)}});
    return sheet;
}

} // namespace pipescope::inspector
