#include "checkview/check_view.h"

#include "checkview/check_text.h"
#include "widgets/table.h"

#include <QBoxLayout>
#include <QLabel>
#include <QTableView>

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
    : QWidget(parent)
    , m_controller(controller)
    , m_selection(selection)
    , m_theme(theme)
    , m_equivalent(answerLabel("equivalent", this))
    , m_separable(answerLabel("separable", this))
    , m_table(new QTableView(this))
{
    setAccessibleName(tr("Check"));
    widgets::dressTable(*m_table, "differences", tr("Differences by microbatch"));
    m_table->setModel(&m_model);
    auto *layout = new QVBoxLayout(this);
    layout->addWidget(m_equivalent);
    layout->addWidget(m_separable);
    layout->addWidget(m_table);
    for (QLabel *label : {m_equivalent, m_separable})
        connect(label, &QLabel::linkActivated, this,
                [this](const QString &link) { m_selection.selectNode(NodeId{link.toInt()}); });
    connect(&m_controller, &session::RunController::runsChanged, this, &CheckView::refresh);
    refresh();
}

void CheckView::refresh()
{
    const report::RunReport none;
    const report::RunReport &run = m_controller.runs().empty() ? none : *m_controller.runs().back();
    const auto &equivalence = run.equivalence;
    showAnswer(*m_equivalent, tr("Is the split model the unsplit one?"), equivalent(run),
               equivalence && equivalence->first ? equivalence->first->node : NodeId{});
    showAnswer(*m_separable, tr("May this batch be cut?"), separable(run),
               run.separability ? run.separability->node : NodeId{});
    m_model.show(equivalence ? equivalence->byMicrobatch : std::vector<report::Difference>{});
    m_table->resizeColumnsToContents();
}

void CheckView::showAnswer(QLabel &label, const QString &question, const Answer &answer, NodeId node)
{
    QString text =
        QStringLiteral("<b>%1</b> <span style='color:%2'>%3</span>")
            .arg(question.toHtmlEscaped(), m_theme.colour(tokenOf(answer.verdict)).name(), answer.word.toHtmlEscaped());
    if (!answer.explanation.isEmpty())
        text += QStringLiteral("<br>%1").arg(answer.explanation.toHtmlEscaped());
    if (node.valid())
        text += QStringLiteral(" <a href='%1' style='color:%2'>%3</a>")
                    .arg(node.value)
                    .arg(m_theme.colour(style::Token::Accent).name(), tr("Show the node").toHtmlEscaped());
    label.setText(text);
}

} // namespace pipescope::checkview
