#include "mainwindow/timeline_page.h"

#include "session/carry_over.h"
#include "session/run_name.h"
#include "session/run_warnings.h"
#include "timeline/overview_strip.h"
#include "timeline/run_bar.h"
#include "timeline/selection_summary.h"
#include "timeline/timeline_tables.h"
#include "widgets/number_text.h"

#include <QBoxLayout>
#include <QFileInfo>
#include <QLabel>
#include <QSplitter>
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace pipescope::mainwindow {

namespace {

// A model of no more events is made in less than a frame.
constexpr std::size_t AtOnce = inspector::ExplainedRun::MostAtOnce;
constexpr qint64 TablesEveryMs = 500; // of a run under way
constexpr int SummaryFrom = 860;      // narrower pages have no room for it beside the lanes

QString percent(double share)
{
    return QString::number(100 * share, 'f', 1);
}

/// Of a run that is repeated each is told of as it goes, and one of them is the answer.
bool isMoreOf(const trace::Trace &before, const trace::Trace &now)
{
    return before.events.empty() ||
           std::find(now.events.begin(), now.events.end(), before.events.front()) != now.events.end();
}

/// Work for another thread. Error: Cancelled where it was stopped before it began.
auto layingOut(std::shared_ptr<const trace::Trace> trace)
{
    using LaidOut = Result<std::shared_ptr<const timeline::LaneModel>>;
    return [trace = std::move(trace)](const std::stop_token &stop) -> LaidOut {
        if (stop.stop_requested())
            return Error{ErrorCode::Cancelled, "stopped before the trace was laid out", {}, {}};
        return std::make_shared<const timeline::LaneModel>(trace);
    };
}

QString textOf(const Error &error)
{
    return QString::fromStdString(error.message);
}

} // namespace

TimelinePage::TimelinePage(session::RunController &controller, session::Selection &selection,
                           timeline::TraceReader &reader, const style::Theme &theme, QWidget *parent)
    : QWidget(parent)
    , m_controller(controller)
    , m_selection(selection)
    , m_reader(reader)
    , m_bar(new timeline::RunBar(this))
    , m_figures(new QLabel(this))
    , m_comparison(new QLabel(this))
    , m_warnings(new QLabel(this))
    , m_view(new timeline::TimelineView(selection, this))
    , m_summary(new timeline::SelectionSummary(*m_view, selection, this))
    , m_tables(new timeline::TimelineTables(*m_view, this))
{
    m_view->setTheme(theme);
    m_view->setRelate([this](const trace::Trace &trace) { return relatedIn(trace); });
    connect(&m_controller.document(), &session::Document::modelChanged, m_view, &timeline::TimelineView::relate);
    layOut();
    m_hasDocument = !m_controller.document().plan().model.empty();
    connect(&m_controller, &session::RunController::runsChanged, this, &TimelinePage::listRuns);
    connect(&m_controller, &session::RunController::liveChanged, this, [this] { showLive(m_controller.live()); });
    connect(&m_controller, &session::RunController::failed, this, &TimelinePage::tellFigures);
    connect(&m_controller.document(), &session::Document::replaced, this, &TimelinePage::forgetFiles);
    connect(&m_selection, &session::Selection::changed, this, &TimelinePage::followSelection);
    connect(m_bar, &timeline::RunBar::chosenChanged, this, [this] {
        if (isLiveOver())
            leaveLive();
        showChosen();
    });
    connect(&m_reader, &timeline::TraceReader::loaded, this, &TimelinePage::addFile);
    connect(&m_reader, &timeline::TraceReader::refused, this, &TimelinePage::refused);
    m_sinceTables.start();
    listRuns();
}

void TimelinePage::layOut()
{
    for (QLabel *label : {m_figures, m_comparison, m_warnings}) {
        label->setTextFormat(Qt::PlainText);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    }
    m_figures->setObjectName("numbers");
    m_figures->setMinimumWidth(0);
    m_comparison->setObjectName("comparison");
    m_warnings->setObjectName("runWarnings");
    for (QLabel *label : {m_comparison, m_warnings}) {
        label->setWordWrap(true);
        label->setContentsMargins(8, 0, 8, 6);
    }
    auto *bar = new QHBoxLayout;
    bar->setContentsMargins(8, 6, 8, 6);
    bar->setSpacing(12);
    bar->addWidget(m_bar);
    bar->addStretch(1);
    bar->addWidget(m_figures);
    auto *canvas = new QWidget(this);
    canvas->setLayoutDirection(Qt::LeftToRight); // time goes to the right
    auto *lanes = new QVBoxLayout(canvas);
    lanes->setContentsMargins(0, 0, 0, 0);
    lanes->setSpacing(0);
    lanes->addWidget(m_view, 1);
    lanes->addWidget(new timeline::OverviewStrip(*m_view, canvas));
    auto *above = new QSplitter(Qt::Horizontal, this);
    above->setObjectName("timelineAbove");
    above->addWidget(canvas);
    above->addWidget(m_summary);
    above->setStretchFactor(0, 1);
    above->setStretchFactor(1, 0);
    above->setSizes({1000, 300});
    auto *split = new QSplitter(Qt::Vertical, this);
    split->setObjectName("timelineSplit");
    split->addWidget(above);
    split->addWidget(m_tables);
    split->setStretchFactor(0, 3);
    split->setStretchFactor(1, 1);
    split->setSizes({600, 200});
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(bar);
    layout->addWidget(m_comparison);
    layout->addWidget(m_warnings);
    layout->addWidget(split, 1);
}

QWidget *TimelinePage::summary()
{
    return m_summary;
}

void TimelinePage::setTheme(const style::Theme &theme)
{
    m_view->setTheme(theme);
}

inspector::ExplainedRun::Lent TimelinePage::explanationOf(const trace::Trace &trace) const
{
    const auto found = m_models.find(&trace);
    if (found == m_models.end() || !found->second)
        return {nullptr, m_beingLaidOut == &trace};
    return {found->second};
}

void TimelinePage::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    // Elsewhere it is somebody else's to hide.
    if (isAncestorOf(m_summary))
        m_summary->setVisible(width() >= SummaryFrom);
}

void TimelinePage::openTrace(const QString &path)
{
    m_reader.open(path);
}

void TimelinePage::addFile(const QString &path, const std::shared_ptr<const timeline::LaneModel> &model)
{
    const std::shared_ptr<const trace::Trace> trace(model, &model->trace());
    m_models[trace.get()] = model;
    const QString name = QFileInfo(path).fileName();
    const session::RunId id = m_controller.newId();
    m_files.push_back({name,
                       tr("file: %1").arg(name),
                       QString::fromStdString(trace->title),
                       {},
                       trace,
                       trace::traceStats(*trace),
                       id});
    leaveLive();
    offerKept();
    session::carryOver(m_selection, *trace, id);
    Q_EMIT traceOpened(path);
}

void TimelinePage::listRuns()
{
    const std::size_t before = std::exchange(m_runs, {}).size();
    for (const session::Run &run : m_controller.runs()) {
        const session::RunName name = session::runName(m_controller, run.get());
        m_runs.push_back({name.name, name.whole(), name.detail, session::warningsText(*run),
                          std::shared_ptr<const trace::Trace>(run, &run->trace), run->stats,
                          m_controller.idOf(run.get())});
    }
    m_continues = std::exchange(m_isLive, false);
    m_liveBuilder.cancel();
    const bool isNew = m_runs.size() > before;
    const bool isSame =
        isNew && m_continues && !isLiveOver() && isMoreOf(m_view->model()->trace(), *m_runs.back().trace);
    offerKept();
    if (isNew) {
        if (!isSame || !std::holds_alternative<session::SelectedSpan>(m_selection.current()))
            session::carryOver(m_selection, *m_runs.back().trace, m_runs.back().id);
    } else if (m_runs.empty() && m_files.empty()) {
        session::carryOver(m_selection, trace::Trace(), {});
    }
}

/// Those opened beside a document that is gone. One opened before any is there to be looked at with the first.
void TimelinePage::forgetFiles()
{
    if (std::exchange(m_hasDocument, !m_controller.document().plan().model.empty()))
        m_files.clear();
    listRuns();
}

void TimelinePage::offerKept()
{
    QStringList names;
    for (const std::vector<Kept> *some : {&m_runs, &m_files})
        for (const Kept &kept : *some)
            names << kept.listed;
    m_bar->setRuns(names);
    // A new run is looked at alone; so is a file that was just opened.
    if (!m_runs.empty() && sender() != &m_reader)
        m_bar->setChosen({static_cast<int>(m_runs.size()) - 1});
    showChosen();
}

/// Of a file no plan is known.
session::Related TimelinePage::relatedIn(const trace::Trace &trace) const
{
    const session::Selected &selected = m_selection.current();
    const session::Document &document = m_controller.document();
    if (m_isLive && m_view->model() && &m_view->model()->trace() == &trace)
        return m_partitions.relatedTo(selected, m_liveBegun.plan, m_liveBegun.sha256, document);
    for (const session::Run &run : m_controller.runs())
        if (&run->trace == &trace)
            return m_partitions.relatedTo(selected, run->plan, run->plan.modelSha256, document);
    return session::relatedTo(selected);
}

std::vector<TimelinePage::Kept> TimelinePage::chosen() const
{
    std::vector<Kept> chosen;
    for (const int run : m_bar->chosen()) {
        const auto index = static_cast<std::size_t>(run);
        chosen.push_back(index < m_runs.size() ? m_runs[index] : m_files[index - m_runs.size()]);
    }
    return chosen;
}

void TimelinePage::showChosen()
{
    if (m_isLive)
        return;
    const std::vector<Kept> kept = chosen();
    std::vector<timeline::ShownRun> shown;
    std::map<const trace::Trace *, std::shared_ptr<const timeline::LaneModel>> models;
    for (const Kept &run : kept) {
        std::shared_ptr<const timeline::LaneModel> &model = m_models[run.trace.get()];
        if (!model && run.trace->events.size() > AtOnce) {
            m_figures->setText(tr("laying out %1 …").arg(run.name));
            m_builder.start(layingOut(run.trace), [this, trace = run.trace, name = run.name](const LaidOut &made) {
                if (m_beingLaidOut == trace.get())
                    m_beingLaidOut = nullptr;
                if (made)
                    m_models[trace.get()] = *made;
                Q_EMIT laidOut(); // while the page has it: another run may be chosen since
                if (made)
                    showChosen();
                else
                    m_figures->setText(tr("%1 cannot be shown: %2").arg(name, textOf(made.error())));
            });
            m_beingLaidOut = run.trace.get();
            return;
        }
        if (!model)
            model = std::make_shared<const timeline::LaneModel>(run.trace);
        models[run.trace.get()] = model;
        shown.push_back({model, run.name, run.listed, run.id});
    }
    m_models = std::move(models);
    const bool isSame = m_continues || (!shown.empty() && m_view->model() == shown.front().model);
    m_continues = false;
    if (isSame)
        m_view->updateRuns(std::move(shown));
    else
        m_view->setRuns(std::move(shown));
    m_tables->refresh();
    tellFigures();
    const session::RunId selected = session::runIn(m_selection.current());
    const bool isShown = std::any_of(kept.begin(), kept.end(), [&](const Kept &run) { return run.id == selected; });
    if (!kept.empty() && selected.valid() && !isShown)
        session::carryOver(m_selection, *kept.front().trace, kept.front().id);
}

void TimelinePage::followSelection()
{
    const session::RunId selected = session::runIn(m_selection.current());
    const auto isSelected = [selected](const Kept &run) { return run.id == selected; };
    if (!selected.valid() || (m_isLive && !isLiveOver()))
        return;
    const std::vector<Kept> shown = chosen();
    const bool isChosen = std::any_of(shown.begin(), shown.end(), isSelected);
    if (isChosen && !m_isLive)
        return;
    const auto run = std::find_if(m_runs.begin(), m_runs.end(), isSelected);
    const auto file = std::find_if(m_files.begin(), m_files.end(), isSelected);
    if (run == m_runs.end() && file == m_files.end())
        return;
    leaveLive();
    if (!isChosen)
        m_bar->setChosen({static_cast<int>(run != m_runs.end() ? run - m_runs.begin()
                                                               : std::ssize(m_runs) + (file - m_files.begin()))});
    showChosen();
}

bool TimelinePage::isLiveOver() const
{
    return m_liveNumber != m_livesOver;
}

void TimelinePage::leaveLive()
{
    m_isLive = false;
    m_livesLeft = m_livesOver;
}

void TimelinePage::showLive(const std::shared_ptr<const trace::Trace> &trace)
{
    if (trace) {
        m_liveBuilder.start(layingOut(trace), [this, number = m_livesOver, begun = m_controller.begun()](
                                                  const LaidOut &made) { takeLive(made, number, begun); });
        return;
    }
    ++m_livesOver; // a picture of that run may still be on its way
    if (m_isLive)
        m_view->updateRuns({liveRun(m_view->model())});
    tellFigures();
}

timeline::ShownRun TimelinePage::liveRun(std::shared_ptr<const timeline::LaneModel> model) const
{
    const QString name = isLiveOver() ? tr("Did not end") : tr("Running");
    return {std::move(model), name, name, m_liveBegun.id};
}

void TimelinePage::takeLive(const LaidOut &made, int number, const session::BegunRun &begun)
{
    if (number < m_livesLeft)
        return;
    if (!made) {
        m_figures->setText(tr("The run cannot be shown: %1").arg(textOf(made.error())));
        return;
    }
    const bool continues = m_isLive && m_liveNumber == number;
    const bool isSame = continues && isMoreOf(m_view->model()->trace(), (*made)->trace());
    m_isLive = true;
    m_liveNumber = number;
    if (!continues)
        m_liveBegun = begun;
    if (continues)
        m_view->updateRuns({liveRun(*made)});
    else
        m_view->setRuns({liveRun(*made)});
    // The actions of a new run are still to come; times of another run are not.
    const auto *action = std::get_if<session::SelectedAction>(&m_selection.current());
    if (action != nullptr && !continues)
        m_selection.select(session::SelectedAction{m_liveBegun.id, action->key});
    else if (std::holds_alternative<session::SelectedSpan>(m_selection.current()) && !isSame)
        m_selection.clear();
    updateTables();
    tellFigures();
}

void TimelinePage::updateTables()
{
    if (m_sinceTables.elapsed() < TablesEveryMs && m_view->model()->trace().events.size() > 200)
        return;
    m_tables->refresh();
    m_sinceTables.restart();
}

void TimelinePage::tellFigures()
{
    m_comparison->hide();
    m_figures->setToolTip({});
    tellWarnings();
    if (m_isLive) {
        const QString soFar = widgets::nanosecondsText(m_view->model()->run().spanNs());
        m_figures->setText(!isLiveOver() ? tr("running, %1 so far").arg(soFar)
                                         : tr("did not end: what had happened in %1").arg(soFar));
        return;
    }
    const std::vector<Kept> kept = chosen();
    if (kept.empty()) {
        m_figures->setText(tr("No run yet"));
        return;
    }
    const trace::Stats &stats = kept.front().stats;
    m_figures->setText(timeline::figuresText(stats));
    m_figures->setToolTip(tr("%1: bubbles are %2 % of the makespan of all ranks, %3 % of the longest rank's span. The "
                             "bound is the critical path through the run's own action durations.")
                              .arg(kept.front().detail, percent(stats.bubbleShare), percent(stats.bubbleShareOfSpan)));
    if (kept.size() < 2)
        return;
    m_comparison->setText(timeline::comparisonText({kept[0].name, kept[0].stats}, {kept[1].name, kept[1].stats}));
    m_comparison->show();
}

/// Of two runs each has its name before its own.
void TimelinePage::tellWarnings()
{
    const std::vector<Kept> kept = m_isLive ? std::vector<Kept>() : chosen();
    QStringList said;
    for (const Kept &run : kept)
        if (!run.warnings.isEmpty())
            said << (kept.size() > 1 ? run.listed + '\n' + run.warnings : run.warnings);
    m_warnings->setText(said.join('\n'));
    m_warnings->setVisible(!said.isEmpty());
}

} // namespace pipescope::mainwindow
