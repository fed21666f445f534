#include "mainwindow/run_partitions.h"

#include "session/run_model.h"
#include "session/staging.h"

namespace pipescope::mainwindow {

session::Related RunPartitions::relatedTo(const session::Selected &selected, const plan::Plan &plan,
                                          const std::string &sha256, const session::Document &document)
{
    if (!session::isOfModel(plan, sha256, document))
        return {};
    const auto model = document.model();
    if (!model || model->structureOnly || model->graph.size() == 0)
        return session::relatedTo(selected);
    return session::relatedTo(selected, model->graph, of(plan, model));
}

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
