#include "session/stage_files_look.h"

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
using Answer = plan::StageFiles::Answer;

namespace {

const QByteArray AbcSha256 = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

/// A plan with two stages saved beside it, the first of them "abc".
struct LookDesk : tests::SessionDesk
{
    QTemporaryDir folder;
    StageFilesLook look{controller};
    QSignalSpy changed{&look, &StageFilesLook::changed};

    LookDesk()
    {
        begin();
        document.edit("Split", [](plan::Plan &plan) { plan.splits = {"layers.1"}; });
        if (!document.saveAs(folder.filePath("plan.json")))
            qFatal("no plan");
        write("stage0.pt", "abc");
        write("stage1.pt", "abc");
        write("stages.json", R"({"format": "pipescope-stages", "method": "forward", "model_sha256": ")" +
                                 QByteArray(64, 'a') + R"(", "splits": ["layers.1"], "stages": [)" +
                                 R"({"file": "stage0.pt", "sha256": ")" + AbcSha256 + R"("}, {"file": "stage1.pt", )" +
                                 R"("sha256": ")" + AbcSha256 + R"("}]})");
    }
    void write(const char *name, const QByteArray &content) const
    {
        QFile file(folder.filePath(QString::fromLatin1(name)));
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
            qFatal("no file");
    }
    [[nodiscard]] report::TracedRun made() const
    {
        report::TracedRun run;
        run.plan = document.plan();
        run.plan.modelSha256 = std::string(64, 'a');
        return run;
    }
    void check()
    {
        controller.check();
        answer(made());
    }
};

} // namespace

class TestStageFilesLook : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void aCheckLooksAtTheFilesBesideItsPlan()
    {
        LookDesk desk;
        desk.check();
        QVERIFY(!desk.look.found()); // they are read beside the window
        QTRY_VERIFY(desk.look.found());
        QVERIFY(desk.look.found()->answer == Answer::AsWritten);
        QCOMPARE(desk.look.found()->files, (std::vector<std::string>{"stage0.pt", "stage1.pt"}));
        desk.write("stage1.pt", "another");
        desk.check();
        QTRY_VERIFY(desk.look.found() && desk.look.found()->answer == Answer::Changed);
        QCOMPARE(desk.look.found()->explanation, std::string("stage1.pt is another file than split wrote"));
    }

    void whyTheyWereNotLookedAtIsSaid()
    {
        LookDesk desk;
        desk.document.edit("Split", [](plan::Plan &plan) { plan.splits = {"layers.2"}; });
        desk.check();
        QTRY_VERIFY(desk.look.found());
        QVERIFY(desk.look.found()->answer == Answer::Unknown);
        QVERIFY(desk.look.found()->explanation.starts_with("the stage files were written for other splits"));
    }

    void aRunAndAPlanWithoutAFileSayNothingOfThem()
    {
        LookDesk desk;
        desk.check();
        QTRY_VERIFY(desk.look.found());
        const auto changes = desk.changed.size();
        desk.finish(desk.made());
        QVERIFY(!desk.look.found());
        QCOMPARE(desk.changed.size(), changes + 1);
        desk.document.newFor("model.pt");
        desk.check();
        QVERIFY(QFile::remove(desk.folder.filePath("stages.json")));
        QVERIFY(desk.document.saveAs(desk.folder.filePath("plan.json")));
        desk.check(); // of a plan that has no stage files beside it
        QVERIFY(desk.look.isLooking());
        QTRY_VERIFY(!desk.look.isLooking());
        QVERIFY(!desk.look.found());
        QCOMPARE(desk.changed.size(), changes + 1);
    }
};

PIPESCOPE_TEST(TestStageFilesLook)
#include "tst_stage_files_look.moc"
