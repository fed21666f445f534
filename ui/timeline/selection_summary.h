// A panel beside the timeline that says where the time went: of the whole run, or of what is selected.
#pragma once

#include "timeline/summary.h"
#include "timeline/timeline_view.h"

#include <QScrollArea>

class QLabel;

namespace pipescope::widgets {
class RunLabel;
}

namespace pipescope::timeline {

class ShareBars;

class SelectionSummary : public QScrollArea
{
    Q_OBJECT

public:
    /// Both outlive the panel.
    SelectionSummary(const TimelineView &view, const session::Selection &selection, QWidget *parent = nullptr);

    [[nodiscard]] const Summary &summary() const { return m_summary; }
    [[nodiscard]] QSize sizeHint() const override { return {300, 320}; }

private:
    void refresh();
    void refreshFacts();
    /// Labels for other facts than before.
    void layOutFacts(const QStringList &names);
    [[nodiscard]] QLabel *factLabel(int row, int column);

    const TimelineView &m_view;
    const session::Selection &m_selection;
    Summary m_summary;
    QLabel *m_title; // not owned, nor are those below: Qt's parent has them
    QLabel *m_subtitle;
    widgets::RunLabel *m_run;
    QLabel *m_heading;
    ShareBars *m_bars;
    QWidget *m_facts = nullptr;
    QStringList m_factNames;            // that m_facts has labels for
    std::vector<QLabel *> m_factValues; // in the summary's order, both columns where there are two
};

} // namespace pipescope::timeline
