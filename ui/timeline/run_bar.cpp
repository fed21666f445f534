#include "timeline/run_bar.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QMenu>
#include <QSignalBlocker>
#include <QToolButton>
#include <algorithm>

namespace pipescope::timeline {

RunBar::RunBar(QWidget *parent)
    : QWidget(parent)
    , m_layout(new QHBoxLayout(this))
    , m_earlier(new QToolButton(this))
{
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(12);
    m_earlier->setObjectName("earlierRuns");
    m_earlier->setText(tr("Earlier"));
    m_earlier->setAccessibleName(tr("Earlier runs"));
    m_earlier->setPopupMode(QToolButton::InstantPopup);
    m_earlier->setToolButtonStyle(Qt::ToolButtonTextOnly);
    m_earlier->setMenu(new QMenu(m_earlier));
    m_layout->addWidget(m_earlier);
    setAccessibleName(tr("Runs shown"));
    setRuns({});
}

void RunBar::setRuns(const QStringList &names)
{
    m_names = names;
    qDeleteAll(m_boxes);
    m_boxes.clear();
    m_first = std::max(0, static_cast<int>(names.size()) - MostBoxes);
    m_earlier->menu()->clear();
    for (int run = 0; run < names.size(); ++run) {
        if (run < m_first) {
            QAction *action = m_earlier->menu()->addAction(names[run]);
            action->setCheckable(true);
            connect(action, &QAction::triggered, this, [this, run](bool isOn) { toggle(run, isOn); });
            continue;
        }
        auto *box = new QCheckBox(names[run], this);
        box->setObjectName(QStringLiteral("run%1").arg(run));
        box->setToolTip(tr("Shown on the timeline; two at most, one above the other"));
        connect(box, &QCheckBox::clicked, this, [this, run](bool isOn) { toggle(run, isOn); });
        m_layout->insertWidget(0, box); // the last run first
        m_boxes.push_back(box);
    }
    m_earlier->setVisible(m_first > 0);
    m_chosen.clear();
    if (!names.isEmpty())
        m_chosen = {static_cast<int>(names.size()) - 1};
    showChosen();
}

void RunBar::setChosen(const std::vector<int> &runs)
{
    if (runs.empty())
        return;
    m_chosen = runs;
    showChosen();
}

std::vector<int> RunBar::chosen() const
{
    std::vector<int> runs = m_chosen;
    std::sort(runs.rbegin(), runs.rend());
    return runs;
}

void RunBar::toggle(int run, bool isOn)
{
    if (isOn) {
        m_chosen.push_back(run);
        if (m_chosen.size() > MostChosen)
            m_chosen.erase(m_chosen.begin());
    } else if (m_chosen.size() > 1) {
        std::erase(m_chosen, run);
    }
    showChosen();
    Q_EMIT chosenChanged();
}

void RunBar::showChosen()
{
    const auto isChosen = [this](int run) {
        return std::find(m_chosen.begin(), m_chosen.end(), run) != m_chosen.end();
    };
    for (std::size_t i = 0; i < m_boxes.size(); ++i)
        m_boxes[i]->setChecked(isChosen(m_first + static_cast<int>(i)));
    const QList<QAction *> actions = m_earlier->menu()->actions();
    for (int run = 0; run < actions.size(); ++run)
        actions[run]->setChecked(isChosen(run));
}

} // namespace pipescope::timeline
