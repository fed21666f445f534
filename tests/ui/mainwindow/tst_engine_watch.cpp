#include "support/fake_clock.h"
#include "support/qt_warnings.h"
#include "support/test_program.h"
#include "support/window_desk.h"

#include <QLabel>
#include <QPlainTextEdit>
#include <QToolButton>
#include <chrono>

using namespace pipescope;
using namespace std::chrono_literals;
using State = session::EngineClient::State;

namespace {

/// A run is under way, of an engine that has greeted.
struct RunningDesk : tests::WindowDesk
{
    tests::FakeClock time;
    std::int64_t run = 0;

    RunningDesk()
    {
        window.engine().setPatience(0ms);
        window.engine().setClock(time.clock());
        open();
        window.document().edit("Split", [](plan::Plan &plan) { plan.splits = {"layers.1"}; });
        trigger("run");
        run = engine.requests.back().id;
        QCOMPARE(engine.requests.back().method, std::string("run"));
    }
    void cancelInVain()
    {
        trigger("cancel");
        QTRY_VERIFY(!told().isEmpty());
    }
    [[nodiscard]] QString told() const { return notice("silentEngine"); }
    [[nodiscard]] const QToolButton &pill() const { return *find<QToolButton>("enginePill"); }
    [[nodiscard]] bool hasItsPlan()
    {
        return window.document().plan().splits == std::vector<std::string>{"layers.1"} &&
               window.document().model() != nullptr;
    }
};

} // namespace

/// An engine that greeted and then does not do as it is told.
class TestEngineWatch : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void aLongRunThatWasNotCancelledIsNoTrouble()
    {
        const RunningDesk desk;
        QCoreApplication::processEvents(); // in which a patience of nothing ends
        QCOMPARE(desk.told(), QString());
        QCOMPARE(desk.pill().text(), QString("engine ready"));
    }

    void oneThatDoesNotFollowACancellationIsToldOf()
    {
        RunningDesk desk;
        desk.cancelInVain();
        QCOMPARE(desk.told(),
                 QString("The engine does not answer: running model.pt was cancelled 0 s ago and has not ended. It may "
                         "end yet; to stop the engine ends it at once, and the plan and all runs stay."));
        QVERIFY(desk.find<QPlainTextEdit>("log")->toPlainText().contains("running model.pt was cancelled 0 s ago"));
        QCOMPARE(desk.pill().text(), QString("engine silent"));
        QCOMPARE(desk.pill().accessibleName(), QString("engine silent"));
        QCOMPARE(desk.pill().toolTip(),
                 QString("It does not answer: running model.pt was cancelled and has not ended"));
        QVERIFY(desk.window.controller().isRunning());
    }

    void theNoticeSaysForHowLongAndItsButtonStaysTheSame()
    {
        RunningDesk desk;
        desk.cancelInVain();
        const auto *button = desk.find<QPushButton>("noticeLink");
        QCOMPARE(button->text(), QString("Stop the engine"));
        desk.time.advance(1s);
        QTRY_VERIFY(desk.told().contains("was cancelled 1 s ago")); // which is looked at every second
        QCOMPARE(desk.find<QPushButton>("noticeLink"), button);
        QVERIFY(button->isVisible());
    }

    void oneThatAnswersLateIsForgiven()
    {
        RunningDesk desk;
        desk.cancelInVain();
        desk.engine.say(protocol::Response{desk.run, Error{ErrorCode::Cancelled, "the run was cancelled", {}, {}}});
        QCOMPARE(desk.told(), QString());
        QCOMPARE(desk.notice(), QString());
        QCOMPARE(desk.pill().text(), QString("engine ready"));
        QVERIFY(!desk.window.controller().isRunning());
    }

    void itsButtonEndsItAndTheNextIsOffered()
    {
        RunningDesk desk;
        desk.cancelInVain();
        desk.follow("Stop the engine");
        QCOMPARE(desk.window.engine().state(), State::Off);
        QVERIFY(desk.engine.closed);
        QVERIFY(!desk.window.controller().isRunning());
        QVERIFY(desk.hasItsPlan());
        QCOMPARE(desk.pill().text(), QString("engine off"));
        QCOMPARE(desk.told(),
                 QString("The engine was stopped while running model.pt. The plan and all runs are as they "
                         "were."));

        desk.follow("Restart engine");
        QCOMPARE(desk.engine.starts, 2);
        QCOMPARE(desk.told(), QString());
        desk.greeted();
        QCOMPARE(desk.pill().text(), QString("engine ready"));
        QVERIFY(desk.hasItsPlan());
    }

    void oneThatDiesMeanwhileIsToldOfAsAnyOther()
    {
        RunningDesk desk;
        desk.cancelInVain();
        Q_EMIT desk.engine.link->ended("it was ended by signal 9");
        QCOMPARE(desk.told(), QString());
        QCOMPARE(desk.notice(), QString("The engine is gone while running model.pt: it was ended by signal 9."));
    }

    void theOfferGoesWhenAnotherEngineStartsByItself()
    {
        RunningDesk desk;
        desk.cancelInVain();
        desk.follow("Stop the engine");
        desk.trigger("run");
        QTRY_COMPARE(desk.engine.starts, 2);
        QCOMPARE(desk.told(), QString());
    }
};

PIPESCOPE_WIDGET_TEST(TestEngineWatch)
#include "tst_engine_watch.moc"
