// The stages of plans that were run, each made once for as long as the model is the same.
#pragma once

#include "partition/partition.h"
#include "plan/plan.h"
#include "report/inspection.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace pipescope::mainwindow {

class RunPartitions
{
public:
    /// Of the plan's splits; one stage, the whole model, where they cannot be made.
    const partition::Partition &of(const plan::Plan &plan, const std::shared_ptr<const report::Inspection> &model);

private:
    std::shared_ptr<const report::Inspection> m_model;
    std::map<std::vector<std::string>, partition::Partition> m_bySplits;
};

} // namespace pipescope::mainwindow
