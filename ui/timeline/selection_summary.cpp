#include "timeline/selection_summary.h"

#include "timeline/share_bars.h"
#include "widgets/run_label.h"

#include <QBoxLayout>
#include <QFontDatabase>
#include <QGridLayout>
#include <QLabel>

namespace pipescope::timeline {

namespace {

QLabel *labelOf(const QString &text, QWidget *parent, int size, QFont::Weight weight)
{
    auto *label = new QLabel(text, parent);
    QFont font = label->font();
    font.setPixelSize(size);
    font.setWeight(weight);
    label->setFont(font);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    return label;
}

} // namespace

SelectionSummary::SelectionSummary(const TimelineView &view, const session::Selection &selection, QWidget *parent)
    : QScrollArea(parent)
    , m_view(view)
    , m_selection(selection)
{
    setObjectName("selectionSummary");
    setAccessibleName(tr("Where the time went"));
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::StrongFocus);
    auto *content = new QWidget(this);
    content->setBackgroundRole(QPalette::Base);
    content->setAutoFillBackground(true);
    m_title = labelOf({}, content, 14, QFont::DemiBold);
    m_title->setObjectName("summaryTitle");
    m_subtitle = labelOf({}, content, 12, QFont::Normal);
    m_run = new widgets::RunLabel(content);
    m_heading = labelOf(tr("Where the time went"), content, 12, QFont::DemiBold);
    m_bars = new ShareBars(content);
    auto *layout = new QVBoxLayout(content);
    layout->setContentsMargins(12, 8, 12, 8);
    layout->setSpacing(4);
    layout->addWidget(m_title);
    layout->addWidget(m_subtitle);
    layout->addWidget(m_run);
    layout->addSpacing(4);
    layout->addWidget(m_heading);
    layout->addWidget(m_bars);
    layout->addStretch(1);
    setWidget(content);
    connect(&m_view, &TimelineView::runsChanged, this, &SelectionSummary::refresh);
    connect(&m_view, &TimelineView::themeChanged, this, [this] {
        m_factNames.clear(); // their colours are others now
        refresh();
    });
    connect(&m_view, &TimelineView::currentChanged, this, &SelectionSummary::refresh);
    connect(&m_selection, &session::Selection::changed, this, &SelectionSummary::refresh);
    refresh();
}

void SelectionSummary::refresh()
{
    m_summary = summaryOf(m_view.runs(), m_selection.current(), m_view.current());
    m_title->setText(m_summary.title.isEmpty() ? tr("No run yet") : m_summary.title);
    m_subtitle->setText(m_summary.subtitle);
    m_subtitle->setVisible(!m_summary.subtitle.isEmpty());
    QPalette dim = m_subtitle->palette();
    dim.setColor(QPalette::WindowText, m_view.theme().colour(style::Token::Dim));
    m_subtitle->setPalette(dim);
    m_run->setRun(m_summary.run);
    m_heading->setVisible(!m_summary.shares.empty());
    m_bars->setVisible(!m_summary.shares.empty());
    m_bars->setShares(m_summary.shares, m_view.theme());
    refreshFacts();
}

QLabel *SelectionSummary::factLabel(int row, int column)
{
    const bool isName = row < 0 || column == 0;
    const bool hasTwo = !m_summary.runs.isEmpty();
    auto *label = labelOf({}, m_facts, 12, QFont::Normal);
    label->setWordWrap(!isName && !hasTwo);
    if (isName || column == 2) {
        QPalette dim = label->palette();
        dim.setColor(QPalette::WindowText, m_view.theme().colour(style::Token::Dim));
        label->setPalette(dim);
    }
    if (!isName)
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    static_cast<QGridLayout *>(m_facts->layout())
        ->addWidget(label, row + 1, column, hasTwo && column > 0 ? Qt::AlignRight | Qt::AlignTop : Qt::AlignTop);
    return label;
}

void SelectionSummary::layOutFacts(const QStringList &names)
{
    delete m_facts;
    m_factNames = names;
    m_factValues.clear();
    m_facts = new QWidget(widget());
    auto *grid = new QGridLayout(m_facts);
    grid->setContentsMargins(0, 8, 0, 0);
    grid->setHorizontalSpacing(12);
    grid->setVerticalSpacing(4);
    grid->setColumnStretch(1, 1);
    constexpr int widest = 88;
    for (int run = 0; run < m_summary.runs.size(); ++run)
        factLabel(-1, run + 1)
            ->setText(m_facts->fontMetrics().elidedText(m_summary.runs[run], Qt::ElideMiddle, widest));
    for (int row = 0; row < std::ssize(m_summary.facts); ++row) {
        factLabel(row, 0)->setText(m_summary.facts[static_cast<std::size_t>(row)].name);
        m_factValues.push_back(factLabel(row, 1));
        if (!m_summary.runs.isEmpty())
            m_factValues.push_back(factLabel(row, 2));
    }
    auto *layout = static_cast<QBoxLayout *>(widget()->layout());
    layout->insertWidget(layout->count() - 1, m_facts);
}

void SelectionSummary::refreshFacts()
{
    // A run under way changes its numbers many times a second, and seldom what is said.
    QStringList names = m_summary.runs;
    for (const Summary::Fact &fact : m_summary.facts)
        names << fact.name;
    if (m_facts == nullptr || names != m_factNames)
        layOutFacts(names);
    std::size_t next = 0;
    for (const Summary::Fact &fact : m_summary.facts) {
        m_factValues[next++]->setText(fact.value);
        if (!m_summary.runs.isEmpty())
            m_factValues[next++]->setText(fact.other);
    }
}

} // namespace pipescope::timeline
