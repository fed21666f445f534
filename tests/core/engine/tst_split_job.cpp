#include "engine/split_job.h"

#include "core/engine/small_models.h"
#include "plan/plan_file.h"

#include <QTemporaryDir>
#include <QtTest>
#include <filesystem>

using namespace pipescope;
using namespace pipescope::tests;

class TestSplitJob : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    std::string path(const char *name) const { return m_folder.filePath(QString::fromLatin1(name)).toStdString(); }

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_folder.isValid()); }

    void everyStageAndThePlanAreWritten()
    {
        engine::RunRequest request;
        request.plan.model = save(chain(3, 8), path("chain.pt"));
        request.plan.splits = {"block1", "block2"};
        const auto report = engine::split(request, path("parts"), {});
        QVERIFY2(report, report ? "" : report.error().message.c_str());
        QCOMPARE(report->files.size(), std::size_t(3));
        QCOMPARE(report->files[1].parameters, (std::vector<std::string>{"block1.weight"}));
        QCOMPARE(report->stages.size(), std::size_t(3));
        QVERIFY(!report->stages[0].rank.valid());
        for (const engine::StageFile &file : report->files)
            QVERIFY(std::filesystem::exists(path("parts") + "/" + file.file));
        const auto plan = plan::loadPlan(path("parts") + "/" + report->planFile);
        QVERIFY2(plan, plan ? "" : plan.error().message.c_str());
        QCOMPARE(plan->splits, request.plan.splits);
        QCOMPARE(plan->modelSha256, report->plan.modelSha256);
    }

    void balancingWithoutInputsSaysWhatItWentBy()
    {
        engine::RunRequest request;
        request.plan.model = save(chain(4, 8), path("chain.pt"));
        request.balanceInto = 2;
        const auto report = engine::split(request, path("halves"), {});
        QVERIFY2(report, report ? "" : report.error().message.c_str());
        QCOMPARE(report->files.size(), std::size_t(2));
        QCOMPARE(report->warnings.size(), std::size_t(1));
        QVERIFY(report->warnings[0].find("by the bytes of their parameters") != std::string::npos);
    }

    void aFolderThatCannotBeMadeIsAnError()
    {
        engine::RunRequest request;
        request.plan.model = save(chain(2, 8), path("chain.pt"));
        request.plan.splits = {"block1"};
        const auto report = engine::split(request, request.plan.model + "/inside", {});
        QVERIFY(!report);
        QVERIFY(report.error().code == ErrorCode::WriteFailed);
    }
};

QTEST_GUILESS_MAIN(TestSplitJob)
#include "tst_split_job.moc"
