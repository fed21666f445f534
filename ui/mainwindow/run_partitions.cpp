#include "mainwindow/run_partitions.h"

#include "session/staging.h"

namespace pipescope::mainwindow {

const partition::Partition &RunPartitions::of(const plan::Plan &plan,
                                              const std::shared_ptr<const report::Inspection> &model)
{
    if (model != m_model) {
        m_model = model;
        m_bySplits.clear();
    }
    const auto [found, isNew] = m_bySplits.try_emplace(plan.splits);
    if (isNew)
        found->second = session::stagingOf(plan, model->graph).partition;
    return found->second;
}

} // namespace pipescope::mainwindow
