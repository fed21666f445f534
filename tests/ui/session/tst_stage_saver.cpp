#include "session/stage_saver.h"

#include "support/graph_builder.h"
#include "support/qt_warnings.h"
#include "support/session_desk.h"
#include "support/test_program.h"

#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace pipescope;
using namespace pipescope::session;

namespace {

struct StageSaverDesk : tests::SessionDesk
{
    QTemporaryDir folder;
    StageSaver saver{document, client};
    QSignalSpy saved{&saver, &StageSaver::saved};
    QSignalSpy failed{&saver, &StageSaver::failed};

    StageSaverDesk()
    {
        begin();
        report::Inspection inspection;
        inspection.path = "model.pt";
        inspection.sha256 = std::string(64, 'a');
        inspection.graph = tests::graphFromText("in x\na = aten::sin x\nreturn a\n");
        document.setModel(std::make_shared<const report::Inspection>(inspection));
    }
    QString file(const QString &name) const
    {
        QFile made(folder.filePath(name));
        if (!made.open(QIODevice::WriteOnly))
            qFatal("no file");
        return made.fileName();
    }
};

} // namespace

class TestStageSaver : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void itAsksForTheStagesOfThePlanAndOfTheFileThatWasRead()
    {
        StageSaverDesk desk;
        desk.document.edit("Split", [](plan::Plan &plan) { plan.splits = {"a"}; });
        QSignalSpy changes(&desk.saver, &StageSaver::stateChanged);
        desk.saver.save("/out");
        QVERIFY(desk.saver.isSaving());
        QCOMPARE(desk.engine.requests.back().method, std::string("split"));
        const auto asked = desk.asked<protocol::SplitRequest>();
        QCOMPARE(asked.folder, std::string("/out"));
        QVERIFY(!asked.keepUnused);
        QVERIFY(asked.run.plan == desk.document.plan());
        QCOMPARE(asked.run.expectedSha256, std::string(64, 'a'));
        QCOMPARE(desk.client.doing(), QString("saving the stages of model.pt"));
        const auto requests = desk.engine.requests.size();
        desk.saver.save("/other"); // one at a time
        QCOMPARE(desk.engine.requests.size(), requests);
        report::SplitReport report;
        report.plan = desk.document.plan();
        report.folder = "/out";
        desk.answer(report);
        QTRY_COMPARE(desk.saved.size(), 1);
        QCOMPARE(desk.saved[0][0].value<report::SplitReport>().folder, std::string("/out"));
        QVERIFY(!desk.saver.isSaving() && desk.failed.empty());
        QCOMPARE(changes.size(), 2);
    }

    void whatNoStageUsesIsSavedWhereThatIsAskedFor()
    {
        StageSaverDesk desk;
        desk.saver.save("/out", report::Unused::Kept);
        QVERIFY(desk.asked<protocol::SplitRequest>().keepUnused);
    }

    void whatFailsOrIsCancelledIsTold()
    {
        StageSaverDesk desk;
        desk.saver.save("/out");
        const auto id = desk.engine.requests.back().id;
        desk.saver.cancel();
        QCOMPARE(desk.engine.requests.back().method, std::string("cancel"));
        QCOMPARE(desk.asked<protocol::CancelRequest>().id, id);
        desk.engine.say(protocol::Response{id, Error{ErrorCode::Cancelled, "it was cancelled", {}, {}}});
        QTRY_COMPARE(desk.failed.size(), 1);
        QVERIFY(desk.failed[0][0].value<Error>().code == ErrorCode::Cancelled);
        QVERIFY(!desk.saver.isSaving());
    }

    void anotherDocumentGivesItUpAndHearsNothingOfIt()
    {
        StageSaverDesk desk;
        desk.saver.save("/out");
        const auto id = desk.engine.requests.back().id;
        desk.document.newFor("other.pt");
        QVERIFY(!desk.saver.isSaving());
        QCOMPARE(desk.asked<protocol::CancelRequest>().id, id);
        desk.engine.answer(id, report::SplitReport());
        QCoreApplication::processEvents();
        QVERIFY(desk.saved.empty() && desk.failed.empty());
    }

    void aNewNameOfThePlanGivesNothingUp()
    {
        StageSaverDesk desk;
        desk.saver.save("/out");
        QVERIFY(desk.document.saveAs(desk.folder.filePath("p.json")));
        QVERIFY(desk.saver.isSaving());
    }

    void theFilesThatAreThereAlreadyAreNamed()
    {
        const StageSaverDesk desk;
        QCOMPARE(writtenOver(desk.folder.path(), 3), QStringList());
        for (const char *name : {"stage0.pt", "stage2.pt", "stage3.pt", "stages.json", "note.txt"})
            desk.file(name);
        QCOMPARE(writtenOver(desk.folder.path(), 3), (QStringList{"stage0.pt", "stage2.pt", "stages.json"}));
        QCOMPARE(writtenOver(desk.folder.filePath("none"), 3), QStringList());
    }

    void whatThePlanIsMadeOfIsNotWrittenOver()
    {
        StageSaverDesk desk;
        const QString model = desk.file("stage1.pt");
        const QString folder = desk.folder.path();
        desk.document.newFor(model);
        QCOMPARE(sourceWrittenOver(desk.document, folder, 2), model);
        QCOMPARE(sourceWrittenOver(desk.document, folder, 1), QString()); // no second stage, no such file
        QVERIFY(QDir(folder).mkdir("linked"));
        QVERIFY(QFile::link(model, desk.folder.filePath("linked/stage0.pt")));
        QCOMPARE(sourceWrittenOver(desk.document, desk.folder.filePath("linked"), 2), model);
        // So with the plan itself, its schedule and its inputs.
        desk.document.newFor(desk.file("model.pt"));
        QCOMPARE(sourceWrittenOver(desk.document, folder, 2), QString());
        QVERIFY(desk.document.saveAs(desk.folder.filePath("plan.json")));
        QCOMPARE(sourceWrittenOver(desk.document, folder, 2), desk.folder.filePath("plan.json"));
        QVERIFY(desk.document.saveAs(desk.folder.filePath("other.json")));
        desk.document.edit(
            "Input", [&](plan::Plan &plan) { plan.inputs = {*plan::parseInputSpec("x=@" + model.toStdString())}; });
        QCOMPARE(sourceWrittenOver(desk.document, folder, 2), model);
    }
};

PIPESCOPE_TEST(TestStageSaver)
#include "tst_stage_saver.moc"
