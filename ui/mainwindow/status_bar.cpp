#include "mainwindow/status_bar.h"

#include "mainwindow/notice_area.h"
#include "session/staging.h"

#include <QFileInfo>
#include <QLabel>
#include <QProgressBar>
#include <QTime>
#include <QToolButton>
#include <chrono>
#include <cstdint>

namespace pipescope::mainwindow {

namespace {

using namespace std::chrono_literals;

constexpr auto BeforeProgress = 150ms; ///< what is done by then shows none
constexpr int ProgressWidth = 320;
constexpr int ProgressSteps = 1000;
constexpr int LabelMargin = 8;

QString counted(std::size_t count, const QString &one, const QString &many)
{
    return QString::number(count) + ' ' + (count == 1 ? one : many);
}

QString profileText(const report::Inspection &model, const session::RunController &controller)
{
    if (!model.profiled)
        return StatusBar::tr("not profiled");
    if (model.inputs != controller.document().plan().inputs)
        return StatusBar::tr("profiled with other inputs");
    return controller.isProfileStale() ? StatusBar::tr("profiled with other settings") : StatusBar::tr("profiled");
}

/// Says the step at work where nobody knows how long it takes too; Qt's own says nothing then.
class StepBar : public QProgressBar
{
public:
    using QProgressBar::QProgressBar;
    [[nodiscard]] QString text() const override
    {
        const QString part = maximum() == 0 ? QString() : StatusBar::tr(", %1 %").arg(100 * value() / maximum());
        const int room = width() - fontMetrics().horizontalAdvance(part) - 2 * LabelMargin;
        return fontMetrics().elidedText(format(), Qt::ElideRight, room) + part;
    }
};

} // namespace

StatusBar::StatusBar(Workspace &workspace, QWidget *parent)
    : QStatusBar(parent)
    , m_workspace(workspace)
    , m_summary(new QLabel(this))
    , m_saved(new QLabel(this))
    , m_progress(new StepBar(this))
    , m_cancel(new QToolButton(this))
{
    m_summary->setObjectName("summary");
    m_saved->setObjectName("saved");
    for (QLabel *label : {m_summary, m_saved})
        label->setContentsMargins(LabelMargin, 0, LabelMargin, 0);
    m_progress->setMaximumWidth(ProgressWidth);
    m_progress->setAccessibleName(tr("Progress"));
    m_cancel->setObjectName("cancelWork");
    m_cancel->setText(tr("Cancel"));
    connect(m_cancel, &QToolButton::clicked, this, [this] { m_workspace.cancelWork(); });
    setSizeGripEnabled(false);
    addWidget(m_summary);
    for (QWidget *widget :
         {static_cast<QWidget *>(m_progress), static_cast<QWidget *>(m_cancel), static_cast<QWidget *>(m_saved)})
        addPermanentWidget(widget);
    m_busyTimer.setSingleShot(true);
    m_busyTimer.setInterval(BeforeProgress);
    connect(&m_busyTimer, &QTimer::timeout, this, [this] {
        m_progress->show();
        m_cancel->show();
    });
    follow();
    showWork();
}

void StatusBar::follow()
{
    using session::Document;
    using session::EngineClient;
    Document &document = m_workspace.document;
    for (const auto changed :
         {&Document::modelChanged, &Document::pathChanged, &Document::planChanged, &Document::modifiedChanged})
        connect(&document, changed, this, &StatusBar::showDocument);
    connect(&m_workspace.controller, &session::RunController::stateChanged, this, &StatusBar::showWork);
    connect(&m_workspace.engine, &EngineClient::stateChanged, this, &StatusBar::showWork);
    connect(&m_workspace.opening, &session::Opening::stateChanged, this, &StatusBar::showWork);
    connect(&m_workspace.saver, &session::StageSaver::stateChanged, this, &StatusBar::showWork);
    connect(&m_workspace.example, &session::ExampleModel::stateChanged, this, &StatusBar::showWork);
    connect(&m_workspace.traces, &timeline::TraceReader::stateChanged, this, &StatusBar::showWork);
    connect(&m_workspace.engine, &EngineClient::progressed, this,
            [this](std::int64_t, const QString &step, double fraction) { showProgress(step, fraction); });
}

/// A fraction below 0 is unknown.
void StatusBar::showProgress(const QString &step, double fraction)
{
    m_progress->setRange(0, fraction < 0 ? 0 : ProgressSteps);
    m_progress->setValue(fraction < 0 ? 0 : static_cast<int>(fraction * ProgressSteps));
    m_progress->setFormat(shortened(step, LongestStep));
    m_progress->setToolTip(m_progress->format());
}

void StatusBar::showWork()
{
    if (!m_workspace.isBusy()) {
        m_busyTimer.stop();
        m_progress->hide();
        m_cancel->hide();
        m_progress->reset();
    } else if (!m_busyTimer.isActive() && m_progress->isHidden()) {
        showProgress(m_workspace.example.isMaking() ? tr("making the example")
                     : m_workspace.traces.isReading()
                         ? tr("reading %1").arg(QFileInfo(m_workspace.traces.path()).fileName())
                         : m_workspace.engine.doing(),
                     -1);
        m_busyTimer.start();
    }
    showDocument();
}

void StatusBar::showDocument()
{
    m_summary->setText(summary());
    m_saved->setText(saved());
}

QString StatusBar::summary() const
{
    if (m_workspace.example.isMaking())
        return tr("Making the example model, about 500 MB...");
    if (m_workspace.opening.isActive())
        return tr("Opening %1...").arg(QFileInfo(m_workspace.opening.path()).fileName());
    const auto model = m_workspace.document.model();
    if (!model)
        return {};
    const QString modules = counted(model->graph.modules.size(), tr("module"), tr("modules"));
    if (model->structureOnly)
        return tr("%1, structure only").arg(modules);
    const QStringList parts{
        tr("%1 in %2").arg(counted(model->graph.nodes.size(), tr("node"), tr("nodes")), modules),
        counted(static_cast<std::size_t>(session::stageCount(m_workspace.document)), tr("stage"), tr("stages")),
        profileText(*model, m_workspace.controller)};
    return parts.join(QStringLiteral(" \u00b7 "));
}

QString StatusBar::saved() const
{
    const session::Document &document = m_workspace.document;
    if (document.plan().model.empty())
        return {};
    if (document.path().isEmpty())
        return tr("plan not saved");
    if (document.isModified())
        return tr("plan changed since it was saved");
    return tr("plan saved %1").arg(QFileInfo(document.path()).lastModified().time().toString("HH:mm"));
}

} // namespace pipescope::mainwindow
