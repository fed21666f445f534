// What the plan's splits make of the model: stages, what goes between them, or why they cannot be made. Recomputed in
// the window at every edit; no engine is asked.
#pragma once

#include "partition/held_uses.h"
#include "partition/partition.h"
#include "plan/plan.h"
#include "report/inspection.h"
#include "report/stage_report.h"

#include <optional>
#include <string>
#include <vector>

namespace pipescope::session {

class Document;

struct Staging
{
    partition::Partition partition; ///< one stage, the whole model, where the splits cannot be made
    std::vector<report::StageReport> stages;
    partition::UnusedTensors unused; ///< which are in no stage
    std::optional<Error> problem;    ///< of the splits

    friend bool operator==(const Staging &, const Staging &) = default;
};

[[nodiscard]] Staging stagingOf(const plan::Plan &plan, const graph::ModelGraph &graph);
/// A model that was only read has no stages: where the plan's splits are in it cannot be told yet.
[[nodiscard]] Staging stagingOf(const plan::Plan &plan, const report::Inspection &model);

/// How many stages the document's plan makes of its model; 1 where that cannot be told.
[[nodiscard]] int stageCount(const Document &document);

/// Edits of the document's splits, one undo step each, kept in the order of the model. They need the document's model,
/// loaded; the plan is left as it is where an error comes back. Errors: those of partition/split_point.h and
/// partition/balance.h.
Status placeSplit(Document &document, const std::string &id);
Status removeSplit(Document &document, const std::string &id);
/// One step, not two.
Status moveSplit(Document &document, const std::string &from, const std::string &to);
/// So many stages of about equal cost: measured where the model was profiled.
Status balance(Document &document, int stages);

} // namespace pipescope::session
