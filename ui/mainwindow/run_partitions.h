// What of a run goes with the selection: by the plan that it was begun with, whatever the plan is now. Its stages are
// made once for as long as the model is the same.
#pragma once

#include "partition/partition.h"
#include "plan/plan.h"
#include "report/inspection.h"
#include "session/document.h"
#include "session/related.h"
#include "session/selection.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace pipescope::mainwindow {

class RunPartitions
{
public:
    /// `sha256` is of the model that was run, "" where it is not known. Nothing for a run of another model, method or
    /// file than the document's; stages by their numbers for as long as the document's model is not loaded.
    session::Related relatedTo(const session::Selected &selected, const plan::Plan &plan, const std::string &sha256,
                               const session::Document &document);

private:
    /// Of the plan's splits; one stage, the whole model, where they cannot be made.
    const partition::Partition &of(const plan::Plan &plan, const std::shared_ptr<const report::Inspection> &model);

    std::shared_ptr<const report::Inspection> m_model;
    std::map<std::vector<std::string>, partition::Partition> m_bySplits;
};

} // namespace pipescope::mainwindow
