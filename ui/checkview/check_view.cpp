#include "checkview/check_view.h"

#include "checkview/check_text.h"
#include "session/run_model.h"
#include "session/run_name.h"
#include "session/run_warnings.h"
#include "widgets/run_label.h"
#include "widgets/table.h"

#include <QBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QRegularExpression>
#include <QScrollBar>
#include <QTableView>
#include <algorithm>
#include <initializer_list>
#include <optional>
#include <utility>

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
constexpr int TitleSpacing = 4;
constexpr int PreferredWidth = 320;
constexpr int LeastWidthOfTwo = 800; ///< for the answers and the tables beside one another
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

QTableView *differenceTable(const char *name, const QString &title, QAbstractItemModel &model, QWidget *parent)
{
    auto *table = new QTableView(parent);
    widgets::dressTable(*table, name, title);
    table->setModel(&model);
    table->setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    return table;
}

/// A line above a table, for whom the keyboard's way into it is.
QLabel *tableTitle(const QString &text, QTableView *table, QWidget *parent)
{
    auto *label = new QLabel(text, parent);
    label->setTextFormat(Qt::PlainText);
    label->setBuddy(table);
    return label;
}

bool isSaid(const QAbstractItemModel &model, int column)
{
    for (int row = 0; row < model.rowCount(); ++row) {
        const QString text = model.index(row, column).data().toString();
        if (!text.isEmpty() && text != QLatin1String("none"))
            return true;
    }
    return false;
}

/// As high as its rows, up to a number. In a narrow dock there is no room for columns that say nothing.
void fit(QTableView &table, QLabel &title)
{
    const QAbstractItemModel &model = *table.model();
    table.setVisible(model.rowCount() > 0);
    title.setVisible(model.rowCount() > 0);
    for (int column = 0; column < model.columnCount(); ++column)
        table.setColumnHidden(column, !isSaid(model, column));
    table.horizontalHeader()->setStretchLastSection(true);
    table.resizeColumnsToContents();
    const int rows = std::clamp(model.rowCount(), 1, MostRowsShown);
    table.setFixedHeight(table.horizontalHeader()->sizeHint().height() +
                         rows * table.verticalHeader()->defaultSectionSize() +
                         table.horizontalScrollBar()->sizeHint().height() + 2 * table.frameWidth());
}

std::optional<int> selectedRow(const QTableView &table)
{
    const QModelIndexList rows = table.selectionModel()->selectedRows();
    return rows.isEmpty() ? std::nullopt : std::optional(rows.first().row());
}

} // namespace

CheckView::CheckView(const session::RunController &controller, session::Selection &selection, const style::Theme &theme,
                     QWidget *parent)
    : QScrollArea(parent)
    , m_controller(controller)
    , m_selection(selection)
    , m_theme(&theme)
    , m_files(controller)
{
    setAccessibleName(tr("Check"));
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto *content = new QWidget(this);
    m_run = new widgets::RunLabel(content);
    m_warnings = answerLabel("checkWarnings", content);
    m_warnings->setTextFormat(Qt::PlainText); // it may name what a model has
    m_equivalent = answerLabel("equivalent", content);
    m_separable = answerLabel("separable", content);
    m_stageFiles = answerLabel("stageFiles", content);
    m_times = answerLabel("times", content);
    m_outputTable = differenceTable("outputs", tr("Differences by output"), m_outputs, content);
    m_outputTable->setToolTip(tr("Choose a row to see the first node that differs on the way to it"));
    m_outputsTitle = tableTitle(tr("By output"), m_outputTable, content);
    m_microbatchTable = differenceTable("differences", tr("Differences by microbatch"), m_microbatches, content);
    m_microbatchTable->setToolTip(tr("Choose a row to see its microbatch on the timeline"));
    m_microbatchesTitle = tableTitle(tr("By microbatch"), m_microbatchTable, content);
    layOut(*content);
    setWidget(content);
    for (QLabel *label : {m_equivalent, m_separable})
        connect(label, &QLabel::linkActivated, this, [this](const QString &address) {
            const auto number = address.toULongLong();
            if (number < m_links.size())
                m_selection.follow(session::Selected(m_links[number])); // a copy: what follows may write anew
        });
    connect(m_outputTable->selectionModel(), &QItemSelectionModel::selectionChanged, this, &CheckView::selectOutput);
    connect(m_microbatchTable->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &CheckView::selectMicrobatch);
    connect(&m_controller, &session::RunController::runsChanged, this, &CheckView::refresh);
    connect(&m_files, &session::StageFilesLook::changed, this, &CheckView::showStageFiles);
    connect(&m_controller, &session::RunController::staleChanged, this, &CheckView::refresh);
    connect(&m_controller.document(), &session::Document::modelChanged, this, &CheckView::refresh);
    refresh();
}

void CheckView::layOut(QWidget &content)
{
    auto *answers = new QVBoxLayout;
    for (QWidget *widget :
         std::initializer_list<QWidget *>{m_run, m_warnings, m_equivalent, m_separable, m_stageFiles, m_times})
        answers->addWidget(widget);
    answers->addStretch(1);
    auto *tables = new QVBoxLayout;
    for (const auto &[title, table] :
         {std::pair(m_outputsTitle, m_outputTable), std::pair(m_microbatchesTitle, m_microbatchTable)}) {
        auto *titled = new QVBoxLayout;
        titled->setSpacing(TitleSpacing);
        titled->addWidget(title);
        titled->addWidget(table);
        tables->addLayout(titled);
    }
    tables->addStretch(1);
    m_halves = new QBoxLayout(QBoxLayout::TopToBottom, &content);
    m_halves->setContentsMargins(Margin, Margin, Margin, Margin);
    for (QVBoxLayout *half : {answers, tables}) {
        half->setSpacing(Margin);
        m_halves->addLayout(half);
    }
    m_halves->setSpacing(Margin);
    m_halves->setStretch(1, 1);
}

void CheckView::resizeEvent(QResizeEvent *event)
{
    // A dock below the canvas is wide and low: the tables stand beside the answers there, and below them elsewhere.
    const bool isWide = viewport()->width() >= LeastWidthOfTwo;
    m_halves->setDirection(isWide ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    m_halves->setStretch(0, isWide ? 1 : 0);
    QScrollArea::resizeEvent(event);
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
    const report::TracedRun none;
    const report::TracedRun &run = m_controller.runs().empty() ? none : *m_controller.runs().back();
    m_links.clear();
    m_run->setRun(session::runName(m_controller, &run).whole());
    m_warnings->setText(session::warningsText(run));
    m_warnings->setVisible(!m_warnings->text().isEmpty());
    showEquivalence(run);
    showSeparability(run);
    showStageFiles();
    m_times->setText(timesText(run).toHtmlEscaped());
    m_times->setVisible(!m_times->text().isEmpty());
    const report::Equivalence equivalence = run.equivalence.value_or(report::Equivalence{});
    m_outputsTitle->setText(outputsTitle(equivalence));
    m_outputs.show(equivalence.byOutput);
    m_microbatches.show(equivalence.byMicrobatch);
    fit(*m_outputTable, *m_outputsTitle);
    fit(*m_microbatchTable, *m_microbatchesTitle);
}

void CheckView::showEquivalence(const report::RunReport &run)
{
    QString text = answerHtml(tr("Is the split model the unsplit one?"), equivalent(run));
    if (run.equivalence && run.equivalence->first) {
        const report::Divergence &first = *run.equivalence->first;
        const QString name = first.nodeName.empty() ? tr("the node") : QString::fromStdString(first.nodeName);
        const QString where = nodeLink(name, run, first.node, first.nodeName);
        const QString when = link(tr("stage %1, microbatch %2").arg(first.stage.value).arg(first.microbatch.value),
                                  forward(first.stage, first.microbatch));
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
        const QString name =
            run.separability->nodeName.empty() ? tr("the node") : QString::fromStdString(run.separability->nodeName);
        text += QStringLiteral("<br>") +
                tr("Rows meet at %1.").arg(nodeLink(name, run, run.separability->node, run.separability->nodeName));
    }
    m_separable->setText(text);
}

void CheckView::showStageFiles()
{
    const std::optional<plan::StageFiles> &files = m_files.found();
    m_stageFiles->setVisible(files.has_value());
    m_stageFiles->setText(
        files ? answerHtml(tr("Are the stage files beside the plan as they were saved?"), checkview::asSaved(*files))
              : QString());
}

QString CheckView::link(const QString &text, const session::Selected &selected)
{
    m_links.push_back(selected);
    return QStringLiteral("<a href='%1' style='color:%2'>%3</a>")
        .arg(m_links.size() - 1)
        .arg(m_theme->colour(style::Token::Accent).name(), breakable(text.toHtmlEscaped()));
}

/// No link where the model that is open has no such node: it is another than was run, or was only read since.
QString CheckView::nodeLink(const QString &text, const report::RunReport &run, NodeId node, const std::string &name)
{
    const NodeId now = session::nodeOf(run.plan, node, name, m_controller.document());
    return now.valid() ? link(text, now) : breakable(text.toHtmlEscaped());
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

void CheckView::selectOutput()
{
    const auto row = selectedRow(*m_outputTable);
    if (!row || m_controller.runs().empty())
        return;
    m_microbatchTable->clearSelection();
    const report::OutputEquivalence &output = m_outputs.at(*row);
    const StageId last = lastStage();
    const NodeId first = output.first ? session::nodeOf(m_controller.runs().back()->plan, output.first->node,
                                                        output.first->nodeName, m_controller.document())
                                      : NodeId();
    if (first.valid())
        m_selection.follow(first);
    else if (last.valid() && output.worst.valid())
        m_selection.follow(forward(last, output.worst));
    else
        m_selection.follow(last);
}

void CheckView::selectMicrobatch()
{
    const auto row = selectedRow(*m_microbatchTable);
    if (!row || m_controller.runs().empty())
        return;
    m_outputTable->clearSelection();
    if (const StageId last = lastStage(); last.valid())
        m_selection.follow(forward(last, MicrobatchId{*row}));
}

/// Of the run that is shown: what is compared are the results of forwards.
session::SelectedAction CheckView::forward(StageId stage, MicrobatchId microbatch) const
{
    return {m_controller.idOf(m_controller.runs().back().get()), {schedule::ActionKind::Forward, stage, microbatch}};
}

/// Whose the outputs are.
StageId CheckView::lastStage() const
{
    return {static_cast<int>(m_controller.runs().back()->stages.size()) - 1};
}

} // namespace pipescope::checkview
