#include "session/model_looks.h"
#include "session/run_controller.h"
#include "support/qt_warnings.h"
#include "support/session_desk.h"
#include "support/test_program.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace pipescope;
using namespace pipescope::session;

namespace {

struct ModelLooksDesk : tests::SessionDesk
{
    ModelLooksDesk() { begin("/models/decoder.pt"); }
    [[nodiscard]] std::int64_t asked() const { return engine.requests.back().id; }
    template <class T>
    [[nodiscard]] T body() const
    {
        return SessionDesk::asked<T>();
    }
};

report::Inspection lookedAt(char hash, bool structureOnly)
{
    report::Inspection found;
    found.path = "/models/decoder.pt";
    found.sha256 = std::string(64, hash);
    found.structureOnly = structureOnly;
    return found;
}

} // namespace

/// What the run controller asks of the model's file, before and after it runs.
class TestModelLooks : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void aModelThatWasReplacedOnDiskIsLookedAtAgain()
    {
        ModelLooksDesk desk;
        desk.controller.look(RunController::Look::Loading);
        desk.engine.answer(desk.asked(), lookedAt('a', false));
        report::TracedRun run;
        run.plan.modelSha256 = std::string(64, 'a');
        desk.controller.run();
        desk.engine.answer(desk.asked(), run);
        QVERIFY(!desk.controller.isLooking());
        run.plan.modelSha256 = std::string(64, 'b');
        desk.controller.run();
        QSignalSpy replaced(&desk.controller, &RunController::modelReplaced);
        desk.engine.answer(desk.asked(), run);
        QCOMPARE(replaced.size(), 1);
        QVERIFY(desk.controller.isLooking());
        QVERIFY(desk.body<report::InspectRequest>().structureOnly);
        QCOMPARE(desk.controller.runs().size(), std::size_t(2));
    }

    /// The run is of the file before; what was read since is newer, and may be trusted and loaded by now.
    void aRunOfTheFileBeforeUndoesNoNewerLook()
    {
        ModelLooksDesk desk;
        desk.controller.look(RunController::Look::Loading);
        desk.engine.answer(desk.asked(), lookedAt('a', false));
        desk.controller.run();
        const std::int64_t running = desk.asked();
        desk.controller.look(RunController::Look::Reading);
        desk.engine.answer(desk.asked(), lookedAt('b', true));
        desk.controller.look(RunController::Look::Loading);
        desk.engine.answer(desk.asked(), lookedAt('b', false));
        const QSignalSpy replaced(&desk.controller, &RunController::modelReplaced);
        report::TracedRun run;
        run.plan.modelSha256 = std::string(64, 'a');
        desk.engine.answer(running, run);
        QCOMPARE(replaced.size(), 0);
        QVERIFY(!desk.controller.isLooking());
        QCOMPARE(desk.document.model()->sha256, std::string(64, 'b'));
        QVERIFY(!desk.document.model()->structureOnly);
    }

    /// Which tells of the file as well, and does more than read it.
    void aRunThatIsRefusedForItsFileReplacesNoLookUnderWay()
    {
        ModelLooksDesk desk;
        desk.controller.look(RunController::Look::Reading);
        desk.engine.answer(desk.asked(), lookedAt('a', true));
        desk.controller.run();
        const std::int64_t running = desk.asked();
        desk.controller.look(RunController::Look::Loading);
        const std::int64_t loading = desk.asked();
        const Error refused{ErrorCode::InvalidFile, "another file", "/models/decoder.pt", {}};
        desk.engine.say(protocol::Response{running, refused});
        QCOMPARE(desk.asked(), loading);
        desk.engine.answer(loading, lookedAt('a', false));
        QVERIFY(!desk.document.model()->structureOnly);
    }

    void whatARunWasBegunWithIsKept()
    {
        ModelLooksDesk desk;
        desk.controller.look(RunController::Look::Loading);
        desk.engine.answer(desk.asked(), lookedAt('a', false));
        desk.controller.run();
        desk.document.edit("Split", [](plan::Plan &plan) { plan.splits = {"layers.2"}; });
        QVERIFY(desk.controller.begun().plan.splits.empty());
        QCOMPARE(desk.controller.begun().sha256, std::string(64, 'a'));
    }

    /// Its hash is that engine's word, and the one after it may have another file at the path.
    void whatAnEngineElsewhereReadIsReadAgainByOneOfHereAndNotRun()
    {
        ModelLooksDesk desk;
        desk.engine.elsewhere = "ssh host";
        desk.client.stop();
        desk.client.start();
        desk.engine.greet();
        desk.controller.look(RunController::Look::Loading);
        QVERIFY(desk.controller.isLoading());
        desk.engine.answer(desk.asked(), lookedAt('a', false));
        QCOMPARE(desk.controller.modelElsewhere(), QString("ssh host"));
        desk.controller.run();
        desk.engine.answer(desk.asked(), report::TracedRun());
        QCOMPARE(desk.controller.runs().size(), std::size_t(1));

        desk.engine.elsewhere.clear();
        desk.client.stop();
        desk.client.start();
        desk.engine.greet();
        QSignalSpy replaced(&desk.controller, &RunController::modelReplaced);
        desk.controller.run();
        QVERIFY(desk.controller.isLooking() && !desk.controller.isLoading());
        QVERIFY(desk.body<report::InspectRequest>().structureOnly);
        desk.engine.answer(desk.asked(), lookedAt('a', true));
        QVERIFY(!desk.controller.isLooking() && !desk.controller.isRunning());
        QVERIFY(desk.document.model()->structureOnly);
        QCOMPARE(desk.controller.modelElsewhere(), QString());
        QVERIFY(replaced.empty()); // as far as is known it is the same file
    }

    void onlyTheFileThatWasLookedAtMayRun()
    {
        ModelLooksDesk desk;
        desk.controller.look(RunController::Look::Reading);
        QCOMPARE(desk.body<report::InspectRequest>().expectedSha256, std::string());
        desk.engine.answer(desk.asked(), lookedAt('a', true));
        desk.controller.look(RunController::Look::Loading);
        QCOMPARE(desk.body<report::InspectRequest>().expectedSha256, std::string(64, 'a'));
        desk.engine.answer(desk.asked(), lookedAt('a', false));
        QVERIFY(!desk.document.model()->structureOnly);
        desk.controller.profile();
        QCOMPARE(desk.body<report::InspectRequest>().expectedSha256, std::string(64, 'a'));
        desk.engine.answer(desk.asked(), lookedAt('a', false));
        desk.controller.run();
        QCOMPARE(desk.body<report::RunRequest>().expectedSha256, std::string(64, 'a'));
        desk.engine.answer(desk.asked(), report::TracedRun());
        desk.controller.check();
        QCOMPARE(desk.body<report::RunRequest>().expectedSha256, std::string(64, 'a'));
        desk.engine.answer(desk.asked(), report::TracedRun());
        desk.controller.look(RunController::Look::Reading); // any file may be read
        QCOMPARE(desk.body<report::InspectRequest>().expectedSha256, std::string());
        desk.engine.answer(desk.asked(), lookedAt('a', true));
        desk.document.edit("Model", [](plan::Plan &plan) { plan.model = "/models/other.pt"; });
        desk.controller.run(); // of which nothing is known
        QCOMPARE(desk.body<report::RunRequest>().expectedSha256, std::string());
    }

    void aFileThatIsRefusedAsAnotherIsReadAnew_data()
    {
        QTest::addColumn<bool>("running");
        QTest::newRow("when it is loaded") << false;
        QTest::newRow("when it is run") << true;
    }

    void aFileThatIsRefusedAsAnotherIsReadAnew()
    {
        QFETCH(bool, running);
        ModelLooksDesk desk;
        desk.controller.look(RunController::Look::Reading);
        desk.engine.answer(desk.asked(), lookedAt('a', running));
        if (running)
            desk.controller.run();
        else
            desk.controller.look(RunController::Look::Loading);
        const QSignalSpy failed(&desk.controller, &RunController::failed);
        const Error refused{ErrorCode::InvalidFile, "another file", "/models/decoder.pt", {}};
        desk.engine.say(protocol::Response{desk.asked(), refused});
        QCOMPARE(failed.size(), 1);
        QVERIFY(desk.body<report::InspectRequest>().structureOnly);
        desk.engine.answer(desk.asked(), lookedAt('b', true));
        QCOMPARE(desk.document.model()->sha256, std::string(64, 'b'));
        QVERIFY(desk.document.model()->structureOnly); // whether it may run is to be asked again
        QVERIFY(desk.controller.lastError().has_value());
        QVERIFY(!desk.controller.isLooking() && !desk.controller.isRunning());
    }

    /// Else a trusted file that cannot be loaded would be read and loaded without end.
    void aFileThatFailsThoughItIsTheSameIsNoOther()
    {
        ModelLooksDesk desk;
        desk.controller.look(RunController::Look::Reading);
        desk.engine.answer(desk.asked(), lookedAt('a', true));
        const auto model = desk.document.model();
        desk.controller.look(RunController::Look::Loading);
        const Error damaged{ErrorCode::InvalidFile, "damaged", "/models/decoder.pt", {}};
        desk.engine.say(protocol::Response{desk.asked(), damaged});
        desk.engine.answer(desk.asked(), lookedAt('a', true));
        QVERIFY(desk.document.model() == model);
        QVERIFY(!desk.controller.isLooking());
        QCOMPARE(desk.controller.lastError()->message, std::string("damaged"));
        const std::size_t before = desk.engine.requests.size();
        desk.controller.run();
        const Error input{ErrorCode::InvalidFile, "no tensor file", "/models/x.pt", {}};
        desk.engine.say(protocol::Response{desk.asked(), input});
        QCOMPARE(desk.engine.requests.size(), before + 1);
    }

    void aModelThatIsWrittenToIsReadAgainBeforeItIsRun_data()
    {
        QTest::addColumn<char>("hash");
        QTest::newRow("the same again") << 'a';
        QTest::newRow("another") << 'b';
    }

    void aModelThatIsWrittenToIsReadAgainBeforeItIsRun()
    {
        QFETCH(char, hash);
        const QTemporaryDir folder;
        QFile file(folder.filePath("model.pt"));
        const auto write = [&file](const QByteArray &bytes) {
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(bytes);
            file.close();
        };
        write("first");
        ModelLooksDesk desk;
        desk.document.newFor(file.fileName());
        desk.controller.look(RunController::Look::Loading);
        report::Inspection found;
        found.sha256 = std::string(64, 'a');
        desk.engine.answer(desk.asked(), found);
        QSignalSpy replaced(&desk.controller, &RunController::modelReplaced);

        write("and second");
        desk.controller.run();
        QVERIFY(!desk.controller.isRunning());
        QVERIFY(desk.body<report::InspectRequest>().structureOnly); // which runs nothing in it
        found.sha256 = std::string(64, hash);
        found.structureOnly = true;
        desk.engine.answer(desk.asked(), found);
        const bool isOther = hash != 'a';
        QCOMPARE(replaced.size(), isOther ? 1 : 0);
        QCOMPARE(desk.document.model()->structureOnly, isOther);
        QCOMPARE(desk.controller.isRunning(), !isOther);
        QCOMPARE(desk.engine.requests.back().method, std::string(isOther ? "load" : "run"));
    }

    void whatWaitedForAReadingIsForgottenWhereItIsCancelled()
    {
        const QTemporaryDir folder;
        QFile file(folder.filePath("model.pt"));
        ModelLooksDesk desk;
        desk.document.newFor(file.fileName());
        desk.controller.look(RunController::Look::Loading);
        desk.engine.answer(desk.asked(), report::Inspection{});
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.close();
        desk.controller.check();
        desk.engine.say(protocol::Response{desk.asked(), Error{ErrorCode::Cancelled, "cancelled", {}, {}}});
        QVERIFY(!desk.controller.isLooking());
        desk.controller.look(RunController::Look::Reading);
        desk.engine.answer(desk.asked(), report::Inspection{});
        QVERIFY(!desk.controller.isRunning());
    }

    void choosingAMethodLoadsNoModelThatWasOnlyRead()
    {
        ModelLooksDesk desk;
        desk.controller.look(RunController::Look::Reading);
        report::Inspection found;
        found.structureOnly = true;
        desk.engine.answer(desk.asked(), found);
        const std::size_t before = desk.engine.requests.size();
        desk.document.edit("Method", [](plan::Plan &plan) { plan.method = "encode"; });
        QCOMPARE(desk.engine.requests.size(), before);
        QVERIFY(!desk.controller.isLooking());
    }
};

PIPESCOPE_TEST(TestModelLooks)
#include "tst_model_looks.moc"
