#include "session/example_model.h"

#include "plan/plan_file.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>
#include <utility>

namespace pipescope::session {

namespace {

constexpr auto Model = "decoder";
constexpr auto Input = "ids=int64[16,64]<50257";
constexpr int Microbatches = 8;

bool isUsable(const QString &file)
{
    if (!QFileInfo(file).isFile())
        return false;
    const Result<plan::Plan> plan = plan::loadPlan(file.toStdString());
    return plan && QFileInfo(QString::fromStdString(plan->model)).isFile();
}

/// With its input, so that it can be profiled and run at once; the splits are the user's to place.
Status writePlan(const QString &file, const QString &model)
{
    plan::Plan plan;
    plan.model = model.toStdString();
    plan.microbatches = Microbatches;
    const auto input = plan::parseInputSpec(Input);
    if (!input)
        return input.error();
    plan.inputs = {*input};
    return plan::savePlan(plan, file.toStdString());
}

} // namespace

ExamplePlaces ExamplePlaces::ofThisProgram()
{
    const QDir here(QCoreApplication::applicationDirPath());
    const QString cache = QStandardPaths::writableLocation(QStandardPaths::CacheLocation) + "/examples";
    ExamplePlaces places;
    places.plans = {here.absoluteFilePath("../share/pipescope/examples/decoder.pipescope.json"),
                    cache + "/decoder.json"};
    // What `make demo` made, where this is the program it built: elsewhere that folder is somebody else's.
    if (QFileInfo::exists(here.absoluteFilePath("../CMakeCache.txt")))
        places.plans << here.absoluteFilePath("../../demo/plan.json");
    places.madeIn = cache;
    for (const QString &maker :
         {here.absoluteFilePath("make-examples"), here.absoluteFilePath("../lib/pipescope/make-examples"),
          here.absoluteFilePath("../libexec/pipescope/make-examples")})
        if (QFileInfo(maker).isExecutable() && places.maker.isEmpty())
            places.maker = maker;
    return places;
}

ExampleModel::ExampleModel(ExamplePlaces places, QObject *parent)
    : QObject(parent)
    , m_places(std::move(places))
{
    connect(&m_process, &QProcess::stateChanged, this, &ExampleModel::stateChanged);
    connect(&m_process, &QProcess::finished, this, &ExampleModel::made);
    connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            fail(m_process.errorString());
    });
}

ExampleModel::~ExampleModel()
{
    m_process.disconnect(this);
    m_process.kill();
    m_process.waitForFinished(2000);
}

QString ExampleModel::find() const
{
    for (const QString &plan : m_places.plans)
        if (isUsable(plan))
            return plan;
    return {};
}

QString ExampleModel::whyNot() const
{
    if (!find().isEmpty() || !m_places.maker.isEmpty())
        return {};
    return tr("The example is not installed, nor is the program make-examples that makes it.");
}

void ExampleModel::get()
{
    if (isMaking())
        return;
    if (const QString plan = find(); !plan.isEmpty()) {
        Q_EMIT found(plan);
        return;
    }
    if (const QString why = whyNot(); !why.isEmpty())
        return fail(why);
    m_cancelled = false;
    m_process.start(m_places.maker, {m_places.madeIn, "--only", Model});
}

void ExampleModel::cancel()
{
    m_cancelled = true;
    m_process.kill();
}

void ExampleModel::made(int exitCode, QProcess::ExitStatus status)
{
    if (m_cancelled) {
        Q_EMIT failed({ErrorCode::Cancelled, tr("Making the example was cancelled.").toStdString(), {}, {}});
        return;
    }
    if (status != QProcess::NormalExit || exitCode != 0)
        return fail(QString::fromUtf8(m_process.readAllStandardError()).trimmed());
    const QString plan = m_places.madeIn + "/decoder.json";
    if (const Status written = writePlan(plan, m_places.madeIn + "/decoder.pt"); !written)
        return fail(QString::fromStdString(written.error().message));
    Q_EMIT found(plan);
}

void ExampleModel::fail(const QString &why)
{
    Q_EMIT failed({ErrorCode::NotFound, tr("The example cannot be opened: %1").arg(why).toStdString(), {}, {}});
}

} // namespace pipescope::session
