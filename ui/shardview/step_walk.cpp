#include "shardview/step_walk.h"

#include "shardview/step_words.h"
#include "shardview/translate.h"

#include <QStringList>
#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace pipescope::shardview {

namespace {

using shard::Planner;
using shard::Redistribution;

/// Whether both move the same by the same collectives.
bool isSameWay(const Redistribution &a, const Redistribution &b)
{
    return a.steps == b.steps;
}

QString wayText(const shard::Layout &from, const Result<Redistribution> &plan)
{
    if (!plan)
        return tr("refused: %1").arg(QString::fromStdString(plan.error().message));
    return tr("%1, %2").arg(QString::fromStdString(traceText(from, *plan)), totalText(*plan));
}

} // namespace

void StepWalk::set(std::optional<shard::Layout> from, std::optional<shard::Layout> to)
{
    m_from = std::move(from);
    m_to = std::move(to);
    m_upstream.reset();
    m_cheapest.reset();
    m_place = 0;
    if (!m_from || !m_to)
        return;
    m_upstream = planRedistribution(*m_from, *m_to, Planner::Upstream);
    m_cheapest = planRedistribution(*m_from, *m_to, Planner::Cheapest);
}

void StepWalk::setPlanner(Planner planner)
{
    m_planner = planner;
    m_place = 0;
}

const Redistribution *StepWalk::plan() const
{
    return planned() && *planned() ? &**planned() : nullptr;
}

QString StepWalk::refusal() const
{
    return planned() && !*planned() ? QString::fromStdString(planned()->error().message) : QString();
}

QString StepWalk::remarks() const
{
    QStringList remarks;
    if (plan() != nullptr && !plan()->note.empty())
        remarks << QString::fromStdString(plan()->note);
    for (const std::string &warning : plan() != nullptr ? plan()->warnings : std::vector<std::string>())
        remarks << tr("PyTorch warns: %1").arg(QString::fromStdString(warning));
    return remarks.join('\n');
}

QString StepWalk::difference() const
{
    if (!m_upstream || !m_cheapest || (!*m_upstream && !*m_cheapest))
        return {};
    if (*m_upstream && *m_cheapest && isSameWay(**m_upstream, **m_cheapest))
        return {};
    return m_planner == Planner::Cheapest ? tr("What PyTorch 2.15 would do: %1").arg(wayText(*m_from, *m_upstream))
                                          : tr("The cheapest way: %1").arg(wayText(*m_from, *m_cheapest));
}

bool StepWalk::hasOverview() const
{
    return plan() != nullptr && plan()->steps.size() > 1;
}

int StepWalk::places() const
{
    const int steps = plan() == nullptr ? 0 : static_cast<int>(plan()->steps.size());
    return std::max(1, steps + (hasOverview() ? 1 : 0));
}

void StepWalk::goTo(int place)
{
    m_place = std::clamp(place, 0, places() - 1);
}

void StepWalk::goToStep(int index)
{
    goTo(hasOverview() ? index + 1 : index);
}

int StepWalk::stepIndex() const
{
    if (plan() == nullptr || plan()->steps.empty())
        return -1;
    return hasOverview() ? m_place - 1 : m_place;
}

const shard::Step *StepWalk::step() const
{
    return stepIndex() < 0 ? nullptr : &plan()->steps[static_cast<std::size_t>(stepIndex())];
}

const shard::Layout *StepWalk::before() const
{
    return step() != nullptr ? &step()->before : m_from ? &*m_from : nullptr;
}

const shard::Layout *StepWalk::after() const
{
    return step() != nullptr ? &step()->after : m_from && m_to ? &*m_to : nullptr;
}

} // namespace pipescope::shardview
