#include "session/staging.h"

#include "partition/balance.h"
#include "partition/split_point.h"
#include "session/document.h"
#include "session/not_loaded.h"
#include "session/translate.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace pipescope::session {

namespace {

Error noModel()
{
    return {ErrorCode::InvalidArgument, "the model is not loaded yet", {}, {}};
}

/// Makes the document's splits those of the cuts that `change` makes of the present ones.
template <class Change>
Status editCuts(Document &document, const QString &title, Change change)
{
    if (!document.model())
        return noModel();
    if (const QString why = whyNotSplit(*document.model()); !why.isEmpty())
        return Error{ErrorCode::Unsupported, why.toStdString(), {}, {}};
    const graph::ModelGraph &graph = document.model()->graph;
    Result<std::vector<int>> cuts = partition::resolveSplits(graph, document.plan().splits);
    if (!cuts)
        return cuts.error();
    if (Status changed = change(graph, *cuts); !changed)
        return changed;
    std::sort(cuts->begin(), cuts->end());
    cuts->erase(std::unique(cuts->begin(), cuts->end()), cuts->end());
    document.edit(title, [&](plan::Plan &plan) { plan.splits = report::splitWords(graph, *cuts); });
    return Success{};
}

Status add(const graph::ModelGraph &graph, const std::string &id, std::vector<int> &cuts)
{
    const Result<std::vector<int>> added = partition::resolveSplits(graph, {id});
    if (!added)
        return added.error();
    cuts.insert(cuts.end(), added->begin(), added->end());
    return Success{};
}

Status remove(const graph::ModelGraph &graph, const std::string &id, std::vector<int> &cuts)
{
    std::vector<int> removed;
    if (Status found = add(graph, id, removed); !found)
        return found;
    std::erase_if(cuts, [&](int cut) { return std::find(removed.begin(), removed.end(), cut) != removed.end(); });
    return Success{};
}

} // namespace

Staging stagingOf(const plan::Plan &plan, const graph::ModelGraph &graph)
{
    Staging staging;
    Result<partition::Partition> whole = partition::makePartition(graph, {});
    PIPESCOPE_ASSERT(whole);
    staging.partition = *std::move(whole);
    const Result<std::vector<int>> cuts = partition::resolveSplits(graph, plan.splits);
    if (!cuts) {
        staging.problem = cuts.error();
    } else if (Result<partition::Partition> made = partition::makePartition(graph, *cuts); made) {
        staging.partition = *std::move(made);
    } else {
        staging.problem = made.error();
    }
    staging.stages = report::stageReports(graph, staging.partition);
    staging.unused = partition::unusedTensors(graph);
    return staging;
}

Staging stagingOf(const plan::Plan &plan, const report::Inspection &model)
{
    return model.structureOnly ? Staging{} : stagingOf(plan, model.graph);
}

int stageCount(const Document &document)
{
    return document.stages().value_or(1);
}

Status placeSplit(Document &document, const std::string &id)
{
    return editCuts(document, tr("Place a split"),
                    [&](const graph::ModelGraph &graph, std::vector<int> &cuts) { return add(graph, id, cuts); });
}

Status removeSplit(Document &document, const std::string &id)
{
    return editCuts(document, tr("Remove a split"),
                    [&](const graph::ModelGraph &graph, std::vector<int> &cuts) { return remove(graph, id, cuts); });
}

Status moveSplit(Document &document, const std::string &from, const std::string &to)
{
    return editCuts(document, tr("Move a split"), [&](const graph::ModelGraph &graph, std::vector<int> &cuts) {
        const Status removed = remove(graph, from, cuts);
        return removed ? add(graph, to, cuts) : removed;
    });
}

Status balance(Document &document, int stages)
{
    return editCuts(document, tr("Balance the stages"),
                    [&](const graph::ModelGraph &graph, std::vector<int> &cuts) -> Status {
                        const Result<std::vector<int>> balanced = partition::balanceStages(graph, stages);
                        if (!balanced)
                            return balanced.error();
                        cuts = *balanced;
                        return Success{};
                    });
}

} // namespace pipescope::session
