#include "mainwindow/timeline_page.h"

#include "support/qt_warnings.h"
#include "support/selected.h"
#include "support/test_program.h"
#include "timeline/selection_summary.h"
#include "timeline/timeline_tables.h"
#include "timeline_page_desk.h"
#include "trace/chrome_trace.h"

#include <QSignalSpy>
#include <QTest>

using namespace pipescope;
using tests::evenTrace;
using tests::TimelinePageDesk;
using timeline::Spot;

class TestSelectedRun : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void aSpanOfARunIsNotTakenForOneOfTheNext()
    {
        TimelinePageDesk desk;
        desk.finishRun(tests::evenForward(4, 8, 1000));
        desk.selection.select(session::SelectedSpan{{}, RankId{}, 1000, 3000});
        QCOMPARE(desk.text("summaryTitle"), QString("2.00 µs selected"));
        desk.finishRun(tests::evenForward(4, 4, 1000));
        QVERIFY(desk.selection.current() == session::Selected());
        QCOMPARE(desk.text("summaryTitle"), QString("Whole run"));
        QCOMPARE(desk.runOf<timeline::SelectionSummary>()->text(), QString("Run 2 forwards of GPipe ×4"));
    }

    void anActionStaysSelectedInTheNextRunWhereThatHasIt()
    {
        TimelinePageDesk desk;
        desk.finishRun(tests::evenForward(4, 8, 1000));
        desk.selection.select(tests::forwardOf(2, 3));
        desk.finishRun(tests::evenForward(4, 4, 1000));
        QVERIFY((desk.page.view().current() == Spot{2, 3, -1}));
        desk.finishRun(tests::evenForward(4, 2, 1000));
        QVERIFY(desk.selection.current() == session::Selected());
        QVERIFY(!desk.page.view().current());
    }

    void aSpanOfARunUnderWayStaysWhenItHasEnded()
    {
        TimelinePageDesk desk;
        const trace::Trace whole = tests::evenForward(4, 8, 1000);
        trace::Trace half = whole;
        half.events.resize(half.events.size() / 2);
        desk.page.showLive(std::make_shared<const trace::Trace>(half));
        QTRY_COMPARE(desk.page.view().runs().count(), 1);
        QCOMPARE(desk.runOf<timeline::SelectionSummary>()->text(), QString("Running"));
        desk.selection.select(session::SelectedSpan{{}, RankId{}, 1000, 3000});
        desk.finishRun(whole);
        QVERIFY(std::holds_alternative<session::SelectedSpan>(desk.selection.current()));
        // The next one is another run from its first moment on.
        desk.page.showLive(std::make_shared<const trace::Trace>(half));
        QTRY_COMPARE(desk.runOf<timeline::SelectionSummary>()->text(), QString("Running"));
        QVERIFY(!std::holds_alternative<session::SelectedSpan>(desk.selection.current()));
    }

    void anActionIsSelectedInTheRunInWhoseRowItIs()
    {
        TimelinePageDesk desk;
        desk.finishRun(tests::evenForward(4, 4, 2000));
        desk.finishRun(tests::evenForward(4, 8, 1000));
        for (QCheckBox *box : desk.boxes())
            if (!box->isChecked())
                box->click();
        for (const int row : {0, 1}) {
            desk.page.view().select(Spot{2, 1, -1, row});
            QVERIFY(desk.selection.current() == session::Selected(tests::forwardOf(2, 1, desk.idOf(1 - row))));
            desk.page.view().select(Spot{2, -1, 0, row});
            QCOMPARE(session::runIn(desk.selection.current()), desk.idOf(1 - row));
        }
    }

    void anActionGoesAlongToTheRunThatIsShown()
    {
        TimelinePageDesk desk;
        desk.finishRun(tests::evenForward(4, 4, 2000));
        desk.finishRun(tests::evenForward(4, 8, 1000));
        desk.selection.select(tests::forwardOf(2, 0, desk.idOf(1)));
        desk.showOnly(0);
        QVERIFY(desk.selection.current() == session::Selected(tests::forwardOf(2, 0, desk.idOf(0))));
        QVERIFY((desk.page.view().current() == Spot{2, 0, -1}));
        desk.page.view().measure();
        desk.showOnly(1);
        QVERIFY(desk.selection.current() == session::Selected()); // other times
        desk.selection.select(tests::forwardOf(2, 7, desk.idOf(1)));
        desk.showOnly(0); // which has no 2F7
        QVERIFY(desk.selection.current() == session::Selected());
    }

    void anActionOfAFileGoesAlongToARun()
    {
        TimelinePageDesk desk;
        desk.finishRun(tests::evenForward(4, 4, 2000));
        desk.page.openTrace(desk.file(QByteArray::fromStdString(trace::toChromeJson(tests::evenForward(4, 2, 1000)))));
        QTRY_COMPARE(desk.boxes().size(), std::size_t{2});
        desk.page.view().select(Spot{2, 0, -1});
        const session::RunId file = session::runIn(desk.selection.current());
        QVERIFY(file.valid() && file != desk.idOf(0));
        desk.showOnly(0);
        QVERIFY(desk.selection.current() == session::Selected(tests::forwardOf(2, 0, desk.idOf(0))));
    }

    void anActionGoesAlongToARunUnderWayAndBackFromOneThatFailed()
    {
        TimelinePageDesk desk;
        desk.finishRun(tests::evenForward(4, 4, 2000));
        desk.selection.select(tests::forwardOf(2, 0, desk.idOf(0)));
        desk.controller.run();
        desk.page.showLive(evenTrace(2));
        QTRY_COMPARE(desk.runOf<timeline::SelectionSummary>()->text(), QString("Running"));
        QVERIFY(desk.selection.current() == session::Selected(tests::forwardOf(2, 0, desk.controller.begun().id)));
        QVERIFY((desk.page.view().current() == Spot{2, 0, -1}));
        desk.page.showLive(nullptr);
        desk.boxes()[0]->click();
        QVERIFY(desk.selection.current() == session::Selected(tests::forwardOf(2, 0, desk.idOf(0))));
    }

    void anActionOfAKeptRunStaysSelectedWhileAnotherRunGoesOn()
    {
        TimelinePageDesk desk;
        desk.finishRun(tests::evenForward(4, 4, 2000));
        desk.controller.run();
        desk.page.showLive(evenTrace(2));
        QTRY_COMPARE(desk.runOf<timeline::SelectionSummary>()->text(), QString("Running"));
        const session::Selected chosen = tests::forwardOf(1, 1, desk.idOf(0));
        desk.selection.select(chosen);
        desk.page.showLive(evenTrace(6));
        QTRY_VERIFY(desk.page.view().coordinates().endNs() > 9000);
        QVERIFY(desk.selection.current() == chosen);
    }

    void theRunOfASelectedActionIsShown()
    {
        TimelinePageDesk desk;
        desk.finishRun(tests::evenForward(4, 4, 2000));
        desk.finishRun(tests::evenForward(4, 8, 1000));
        desk.selection.select(tests::forwardOf(1, 1, desk.idOf(0)));
        QCOMPARE(desk.page.view().runs().count(), 1);
        QCOMPARE(desk.page.view().runs()[0].name, QString("Run 1"));
        QVERIFY(!desk.boxes()[0]->isChecked() || !desk.boxes()[1]->isChecked());
        QVERIFY((desk.page.view().current() == Spot{1, 1, -1}));
        QVERIFY(desk.selection.current() == session::Selected(tests::forwardOf(1, 1, desk.idOf(0))));
    }

    void anExplanationOfWhatIsShownIsLent()
    {
        TimelinePageDesk desk;
        desk.finishRun(tests::evenForward(4, 4, 2000));
        desk.finishRun(tests::evenForward(4, 8, 1000));
        const auto lent = desk.page.explanationOf(desk.controller.runs()[1]->trace);
        QVERIFY(lent.explanation == desk.page.view().model());
        QVERIFY(!desk.page.explanationOf(desk.controller.runs()[0]->trace).explanation);
        QVERIFY(!desk.page.explanationOf(desk.controller.runs()[0]->trace).isUnderWay);
    }

    void anExplanationOfALongRunIsUnderWayUntilThePageTells()
    {
        TimelinePageDesk desk;
        QSignalSpy told(&desk.page, &mainwindow::TimelinePage::laidOut);
        bool wasUnderWay = false; // once the page has heard of the run
        connect(&desk.controller, &session::RunController::runsChanged, &desk.page, [&] {
            const auto lent = desk.page.explanationOf(desk.controller.runs().front()->trace);
            wasUnderWay = !lent.explanation && lent.isUnderWay;
        });
        desk.finishRun(tests::evenForward(2, 3 * static_cast<int>(inspector::ExplainedRun::MostAtOnce) / 5, 1000));
        QTRY_COMPARE_WITH_TIMEOUT(told.size(), 1, 30'000);
        QVERIFY(wasUnderWay);
        const trace::Trace &trace = desk.controller.runs().front()->trace;
        QVERIFY(desk.page.explanationOf(trace).explanation == desk.page.view().model());
        QVERIFY(!desk.page.explanationOf(trace).isUnderWay);
    }

    void theNextRepetitionOfARunIsAnotherRun()
    {
        TimelinePageDesk desk;
        desk.page.showLive(evenTrace(2));
        QTRY_COMPARE(desk.page.view().runs().count(), 1);
        desk.selection.select(session::SelectedSpan{{}, RankId{}, 1000, 3000});
        trace::Trace again = tests::evenForward(4, 3, 1000);
        for (trace::Event &event : again.events)
            event.endNs += 7;
        desk.page.showLive(std::make_shared<const trace::Trace>(again));
        QTRY_VERIFY(!std::holds_alternative<session::SelectedSpan>(desk.selection.current()));
    }

    void theSelectionSaysOfWhichRunsItIs()
    {
        TimelinePageDesk desk;
        desk.finishRun(tests::evenForward(4, 4, 2000));
        desk.finishRun(tests::evenForward(4, 8, 1000));
        QVERIFY(desk.runOf<timeline::TimelineTables>()->isHidden()); // there is no other
        for (QCheckBox *box : desk.boxes())
            if (!box->isChecked())
                QTest::mouseClick(box, Qt::LeftButton, {}, {8, box->height() / 2});
        QCOMPARE(desk.runOf<timeline::SelectionSummary>()->text(),
                 QString("Run 2 forwards of GPipe ×8 · Run 1 forwards of GPipe ×4"));
        const QLabel *ofTables = desk.runOf<timeline::TimelineTables>();
        QCOMPARE(ofTables->text(), QString("Run 2 forwards of GPipe ×8")); // one of them
        desk.page.view().select(Spot{0, 0, -1, 1});
        QCOMPARE(desk.runOf<timeline::SelectionSummary>()->text(), QString("Run 1 forwards of GPipe ×4"));
    }
};

PIPESCOPE_WIDGET_TEST(TestSelectedRun)
#include "tst_selected_run.moc"
