#include "inspector/inspector_view.h"

#include "inspector/fact_browser.h"
#include "inspector/facts_of.h"
#include "inspector/model_facts.h"
#include "inspector/numbers_view.h"
#include "session/last_run.h"
#include "session/run_name.h"

#include <QBoxLayout>
#include <QLabel>
#include <QPushButton>

namespace pipescope::inspector {

namespace {

constexpr int Margin = 12;
constexpr int PreferredWidth = 320;

} // namespace

InspectorView::InspectorView(session::Document &document, session::RunController &controller,
                             session::Selection &selection, session::TensorProbe &probe, QWidget *parent)
    : QScrollArea(parent)
    , m_document(document)
    , m_controller(controller)
    , m_selection(selection)
{
    setAccessibleName(tr("Inspector"));
    setObjectName("inspector");
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto *content = new QWidget(this);
    m_facts = new FactBrowser(content);
    m_shards = new QPushButton(tr("Show as shards"), content);
    m_shards->setObjectName("showAsShards");
    m_shards->setToolTip(
        tr("See how this tensor lies over a mesh of ranks, and how it gets from one layout to another"));
    m_numbers = new NumbersView(document, controller, probe, content);
    m_nothing = new QLabel(content);
    m_nothing->setObjectName("nothing");
    m_nothing->setWordWrap(true);
    auto *layout = new QVBoxLayout(content);
    layout->setContentsMargins(Margin, Margin, Margin, Margin);
    layout->setSpacing(Margin);
    layout->addWidget(m_nothing);
    layout->addWidget(m_facts);
    layout->addWidget(m_shards, 0, Qt::AlignLeft);
    layout->addWidget(m_numbers);
    layout->addStretch();
    setWidget(content);

    connect(m_facts, &FactBrowser::followed, this, [this](const session::Selected &link) { m_selection.follow(link); });
    connect(m_shards, &QPushButton::clicked, this, [this] {
        if (m_shown)
            m_selection.showShards(session::TensorToShow(*m_shown)); // a copy: what is shown may change meanwhile
    });
    connect(&m_selection, &session::Selection::changed, this, &InspectorView::refresh);
    connect(&m_document, &session::Document::planChanged, this, &InspectorView::refresh);
    connect(&m_document, &session::Document::modelChanged, this, &InspectorView::refresh);
    connect(&m_controller, &session::RunController::runsChanged, this, &InspectorView::refresh);
    connect(&m_explained, &ExplainedRun::explained, this, &InspectorView::refresh);
    refresh();
}

QSize InspectorView::sizeHint() const
{
    return {PreferredWidth, QScrollArea::sizeHint().height()};
}

void InspectorView::refresh()
{
    FactSheet sheet;
    const auto model = m_document.model();
    const session::RunId asked = session::runIn(m_selection.current());
    const bool isOfRun = std::holds_alternative<session::SelectedAction>(m_selection.current()) ||
                         std::holds_alternative<session::SelectedSpan>(m_selection.current());
    const session::Run run = asked.valid() ? m_controller.runOf(asked) : session::lastRun(m_controller, m_document);
    if (model) {
        const auto staging = m_document.staging();
        m_explained.setRun(run);
        sheet =
            factsOf(m_selection.current(),
                    {model->graph, *staging, run.get(), model.get(), session::runName(m_controller, run.get()).whole(),
                     isOfRun ? m_explained.explanation() : nullptr, m_controller.idOf(run.get())});
        if (m_selection.current() == session::Selected())
            sheet = modelFacts(*model);
    }
    const bool has = !sheet.title.isEmpty();
    if (isOfRun && model && run && m_explained.failure())
        m_nothing->setText(
            tr("The run cannot be explained: %1.").arg(QString::fromStdString(m_explained.failure()->message)));
    else if (isOfRun && model && run && m_explained.explanation() == nullptr)
        m_nothing->setText(tr("The run is being explained …"));
    else if (asked.valid() && !run)
        m_nothing->setText(
            tr("This is of a trace file, or of a run that has not finished. The timeline shows as much of it as "
               "was recorded."));
    else if (model)
        m_nothing->setText(
            tr("Select an operator, a module, a value, a stage, a split or an action to see what is known of it."));
    else
        m_nothing->setText(tr("Open a model to look into it."));
    m_nothing->setVisible(!has);
    m_facts->setVisible(has);
    m_facts->show(sheet);
    m_shown = sheet.shards;
    m_shards->setVisible(m_shown.has_value());
    m_numbers->show(sheet.tensor);
}

} // namespace pipescope::inspector
