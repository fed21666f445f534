#include "timeline/bubble_table_model.h"

#include "session/use_name.h"
#include "timeline/describe.h"
#include "trace/explain/span_statistics.h"
#include "widgets/number_text.h"

namespace pipescope::timeline {

BubbleTableModel::BubbleTableModel(QObject *parent)
    : SpotTableModel({{Rank, tr("rank"), Sort::Id},
                      {Begin, tr("start"), Sort::Time},
                      {Length, tr("length"), Sort::Time},
                      {Share, tr("% of run"), Sort::Number},
                      {Kind, tr("kind"), Sort::Text},
                      {Stage, tr("for stage"), Sort::Id},
                      {Why, tr("why"), Sort::Text}},
                     parent)
{
}

void BubbleTableModel::setShowsTiny(bool shows)
{
    if (shows == m_showsTiny)
        return;
    m_showsTiny = shows;
    reload();
}

std::vector<Spot> BubbleTableModel::spotsOf(const LaneModel &model) const
{
    m_tinyCount = 0;
    double tinyNs = 0;
    const double run = model.run().spanNs();
    std::vector<Spot> spots;
    for (int lane = 0; lane < std::ssize(model.lanes()); ++lane) {
        const std::vector<trace::Bubble> &bubbles = model.lanes()[static_cast<std::size_t>(lane)].bubbles;
        for (int i = 0; i < std::ssize(bubbles); ++i) {
            const trace::Bubble &bubble = bubbles[static_cast<std::size_t>(i)];
            const bool isTiny = bubble.wait < 0 && bubble.time.spanNs() < TinyShare * run;
            if (isTiny) {
                ++m_tinyCount;
                tinyNs += bubble.time.spanNs();
            }
            if (!isTiny || m_showsTiny)
                spots.push_back({lane, -1, i});
        }
    }
    const double all = run * static_cast<double>(model.lanes().size());
    m_tinyShare = all > 0 ? tinyNs / all : 0;
    return spots;
}

double BubbleTableModel::keyOf(Spot spot, int column) const
{
    const trace::Bubble &bubble = laneOf(spot).bubbles[static_cast<std::size_t>(spot.bubble)];
    const double run = shown().run().spanNs();
    switch (column) {
    case Rank:
        return spot.lane;
    case Begin:
        return static_cast<double>(bubble.time.beginNs);
    case Length:
        return bubble.time.spanNs();
    case Share:
        return run > 0 ? 100 * bubble.time.spanNs() / run : 0;
    case Kind:
        return static_cast<double>(bubble.cause);
    case Stage:
        return bubble.stage.value;
    default:
        break;
    }
    constexpr double stageStep = 0x1p32;
    return bubble.stage.value * stageStep + bubble.microbatch.value;
}

QString BubbleTableModel::textOf(Spot spot, int column) const
{
    const trace::Bubble &bubble = laneOf(spot).bubbles[static_cast<std::size_t>(spot.bubble)];
    switch (column) {
    case Kind:
        return session::useName(useOf(bubble.cause));
    case Stage:
        return bubble.stage.valid() ? QString::number(bubble.stage.value) : QString();
    case Why:
        return causeOf(shown(), bubble);
    case Share:
        return widgets::numberText(keyOf(spot, column));
    default:
        return QString::number(spot.lane);
    }
}

} // namespace pipescope::timeline
