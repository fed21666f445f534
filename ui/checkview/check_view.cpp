#include "checkview/check_view.h"

#include "checkview/check_text.h"
#include "widgets/table.h"

#include <QBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QRegularExpression>
#include <QScrollBar>
#include <QTableView>
#include <algorithm>

namespace pipescope::checkview {

namespace {

style::Token tokenOf(Verdict verdict)
{
    switch (verdict) {
    case Verdict::Good:
        return style::Token::Good;
    case Verdict::Bad:
        return style::Token::Bad;
    case Verdict::Unknown:
        break;
    }
    return style::Token::Dim;
}

constexpr int Margin = 12;
constexpr int PreferredWidth = 320;
constexpr int MostRowsShown = 8;

/// Names of nodes are one long word: a line may end after a dot, a slash or a colon of theirs, but in no number.
QString breakable(QString html)
{
    static const QRegularExpression mark(
        QStringLiteral("(\\.(?=[A-Za-z_])|(?<=[A-Za-z_])\\.(?=\\w)|/(?=\\w)|::(?=\\w))"));
    return html.replace(mark, QStringLiteral("\\1") + QChar(0x200b));
}

QLabel *answerLabel(const char *name, QWidget *parent)
{
    auto *label = new QLabel(parent);
    label->setObjectName(name);
    label->setWordWrap(true);
    label->setTextFormat(Qt::RichText);
    label->setTextInteractionFlags(Qt::TextBrowserInteraction);
    return label;
}

} // namespace

CheckView::CheckView(const session::RunController &controller, session::Selection &selection, const style::Theme &theme,
                     QWidget *parent)
    : QScrollArea(parent)
    , m_controller(controller)
    , m_selection(selection)
    , m_theme(&theme)
{
    setAccessibleName(tr("Check"));
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto *content = new QWidget(this);
    m_equivalent = answerLabel("equivalent", content);
    m_separable = answerLabel("separable", content);
    m_times = answerLabel("times", content);
    m_table = new QTableView(content);
    widgets::dressTable(*m_table, "differences", tr("Differences by microbatch"));
    m_table->setModel(&m_model);
    m_table->setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    m_table->setToolTip(tr("Choose a row to see its microbatch on the timeline"));
    auto *layout = new QVBoxLayout(content);
    layout->setContentsMargins(Margin, Margin, Margin, Margin);
    layout->setSpacing(Margin);
    for (QWidget *widget : {static_cast<QWidget *>(m_equivalent), static_cast<QWidget *>(m_separable),
                            static_cast<QWidget *>(m_times), static_cast<QWidget *>(m_table)})
        layout->addWidget(widget);
    layout->addStretch();
    setWidget(content);
    for (QLabel *label : {m_equivalent, m_separable})
        connect(label, &QLabel::linkActivated, this, [this](const QString &address) {
            const auto number = address.toULongLong();
            if (number < m_links.size())
                m_selection.follow(m_links[number]);
        });
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &CheckView::selectRow);
    connect(&m_controller, &session::RunController::runsChanged, this, &CheckView::refresh);
    connect(&m_controller, &session::RunController::staleChanged, this, &CheckView::refresh);
    refresh();
}

void CheckView::setTheme(const style::Theme &theme)
{
    m_theme = &theme;
    refresh();
}

QSize CheckView::sizeHint() const
{
    return {PreferredWidth, QScrollArea::sizeHint().height()};
}

void CheckView::refresh()
{
    const report::RunReport none;
    const report::RunReport &run = m_controller.runs().empty() ? none : *m_controller.runs().back();
    m_links.clear();
    showEquivalence(run);
    showSeparability(run);
    m_times->setText(timesText(run).toHtmlEscaped());
    m_times->setVisible(!m_times->text().isEmpty());
    m_model.show(run.equivalence ? run.equivalence->byMicrobatch : std::vector<report::Difference>{});
    fitTable();
}

void CheckView::showEquivalence(const report::RunReport &run)
{
    QString text = answerHtml(tr("Is the split model the unsplit one?"), equivalent(run));
    if (run.equivalence && run.equivalence->first) {
        const report::Divergence &first = *run.equivalence->first;
        session::Selected node;
        node.node = first.node;
        session::Selected action;
        action.stage = first.stage;
        action.action = session::SelectedAction{first.stage, first.microbatch};
        const QString name = first.nodeName.empty() ? tr("the node") : QString::fromStdString(first.nodeName);
        const QString where = link(name, node);
        const QString when =
            link(tr("stage %1, microbatch %2").arg(first.stage.value).arg(first.microbatch.value), action);
        text += QStringLiteral("<br>") + tr("It begins at %1, in %2.").arg(where, when);
    }
    if (const QString basis = basisText(run); !basis.isEmpty())
        text += QStringLiteral("<br><span style='color:%1'>%2</span>")
                    .arg(m_theme->colour(style::Token::Dim).name(), basis.toHtmlEscaped());
    if (m_controller.isStale())
        text += QStringLiteral("<br><span style='color:%1'>%2</span>")
                    .arg(m_theme->colour(style::Token::Warn).name(),
                         tr("The plan has changed since: this is of the plan as it was run.").toHtmlEscaped());
    m_equivalent->setText(text);
}

void CheckView::showSeparability(const report::RunReport &run)
{
    QString text = answerHtml(tr("May this batch be cut?"), separable(run));
    if (run.separability && run.separability->node.valid()) {
        session::Selected node;
        node.node = run.separability->node;
        const QString name =
            run.separability->nodeName.empty() ? tr("the node") : QString::fromStdString(run.separability->nodeName);
        text += QStringLiteral("<br>") + tr("Rows meet at %1.").arg(link(name, node));
    }
    m_separable->setText(text);
}

QString CheckView::link(const QString &text, const session::Selected &selected)
{
    m_links.push_back(selected);
    return QStringLiteral("<a href='%1' style='color:%2'>%3</a>")
        .arg(m_links.size() - 1)
        .arg(m_theme->colour(style::Token::Accent).name(), breakable(text.toHtmlEscaped()));
}

QString CheckView::answerHtml(const QString &question, const Answer &answer) const
{
    QString text = QStringLiteral("<b>%1</b><br><span style='color:%2; font-weight:600'>%3</span>")
                       .arg(question.toHtmlEscaped(), m_theme->colour(tokenOf(answer.verdict)).name(),
                            answer.word.toHtmlEscaped());
    if (!answer.explanation.isEmpty())
        text += QStringLiteral("<br>%1").arg(breakable(answer.explanation.toHtmlEscaped()));
    return text;
}

void CheckView::selectRow()
{
    const QModelIndexList rows = m_table->selectionModel()->selectedRows();
    if (rows.isEmpty() || m_controller.runs().empty())
        return;
    // The outputs are the last stage's.
    const StageId last{static_cast<int>(m_controller.runs().back()->stages.size()) - 1};
    if (last.valid()) {
        session::Selected action;
        action.action = session::SelectedAction{last, MicrobatchId{rows.first().row()}};
        m_selection.follow(action);
    }
}

void CheckView::fitTable()
{
    m_table->setVisible(m_model.rowCount() > 0);
    // What is the same in every row needs no column; in a narrow dock there is no room for it.
    const auto isSaid = [this](int column, const QString &nothing) {
        for (int row = 0; row < m_model.rowCount(); ++row)
            if (m_model.index(row, column).data().toString() != nothing)
                return true;
        return false;
    };
    m_table->setColumnHidden(DifferenceTableModel::Kind, !isSaid(DifferenceTableModel::Kind, QStringLiteral("none")));
    m_table->setColumnHidden(DifferenceTableModel::Worst, !isSaid(DifferenceTableModel::Worst, QString()));
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_table->resizeColumnsToContents();
    const int rows = std::clamp(m_model.rowCount(), 1, MostRowsShown);
    m_table->setFixedHeight(m_table->horizontalHeader()->sizeHint().height() +
                            rows * m_table->verticalHeader()->defaultSectionSize() +
                            m_table->horizontalScrollBar()->sizeHint().height() + 2 * m_table->frameWidth());
}

} // namespace pipescope::checkview
