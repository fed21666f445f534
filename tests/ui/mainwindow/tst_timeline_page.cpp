#include "mainwindow/timeline_page.h"

#include "support/qt_warnings.h"
#include "support/selected.h"
#include "support/test_program.h"
#include "timeline/action_table_model.h"
#include "timeline/overview_strip.h"
#include "timeline/selection_summary.h"
#include "timeline/timeline_tables.h"
#include "timeline/transfer_table_model.h"
#include "timeline_page_desk.h"
#include "trace/chrome_trace.h"

#include <QAccessible>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTest>

using namespace pipescope;
using mainwindow::TimelinePage;
using tests::evenTrace;
using tests::TimelinePageDesk;
using timeline::Spot;

class TestTimelinePage : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void theLastRunIsShownWithItsFigures()
    {
        TimelinePageDesk desk;
        QCOMPARE(desk.text("numbers"), QString("No run yet"));
        desk.finishRun(tests::evenForward(4, 8, 1000));
        QCOMPARE(desk.boxes().size(), std::size_t{1});
        QCOMPARE(desk.boxes()[0]->text(), QString("Run 1 forwards of GPipe ×8"));
        QCOMPARE(desk.text("numbers"), QString("bubble 27.3 % · makespan 11.0 µs · bound 11.0 µs"));
        QCOMPARE(desk.actions()->model()->rowCount(), 32);
    }

    void twoRunsAreComparedInWords()
    {
        TimelinePageDesk desk;
        desk.finishRun(tests::evenForward(4, 4, 2000));
        desk.finishRun(tests::evenForward(4, 8, 1000));
        QCOMPARE(desk.page.view().runs().count(), 1);
        for (QCheckBox *box : desk.boxes())
            if (!box->isChecked())
                QTest::mouseClick(box, Qt::LeftButton, {}, {8, box->height() / 2});
        QCOMPARE(desk.page.view().runs().count(), 2);
        QCOMPARE(desk.page.view().runs()[0].name, QString("Run 2"));
        QCOMPARE(desk.text("comparison"), QString("Run 2 takes 3.00 µs (21.4 %) less than Run 1. Its bubbles are "
                                                  "27.3 % of the time, 15.6 points fewer than 42.9 %."));
        QVERIFY(!desk.page.grab().isNull());
    }

    void whatTheEngineWarnedOfStandsWithTheRun()
    {
        TimelinePageDesk desk;
        const auto &said = *desk.page.findChild<QLabel *>("runWarnings");
        desk.finishRun(tests::evenForward(4, 8, 1000), {}, 'a', {"16 microbatches were asked for and 8 made: of x"});
        QVERIFY(said.isVisible());
        QCOMPARE(said.text(), QString("Warning: 16 microbatches were asked for and 8 made: of x"));
        const auto *spoken = QAccessible::queryAccessibleInterface(desk.page.findChild<QLabel *>("runWarnings"));
        QCOMPARE(spoken->text(QAccessible::Name), said.text());
        desk.finishRun(tests::evenForward(4, 4, 1000));
        QVERIFY(!said.isVisible());
        for (QCheckBox *box : desk.boxes())
            if (!box->isChecked())
                box->click();
        QCOMPARE(said.text(),
                 QString("Run 1 forwards of GPipe ×8\nWarning: 16 microbatches were asked for and 8 made: of x"));
    }

    void theLastBoxStaysChecked()
    {
        TimelinePageDesk desk;
        desk.finishRun(tests::evenForward(2, 2, 1000));
        QTest::mouseClick(desk.boxes()[0], Qt::LeftButton, {}, {8, desk.boxes()[0]->height() / 2});
        QVERIFY(desk.boxes()[0]->isChecked());
        QCOMPARE(desk.page.view().runs().count(), 1);
    }

    void aRunIsFollowedWhileItGoes()
    {
        TimelinePageDesk desk;
        desk.page.showLive(evenTrace(2));
        QTRY_COMPARE(desk.page.view().runs().count(), 1);
        QVERIFY(desk.text("numbers").startsWith("running, 5.00 µs so far"));
        desk.page.showLive(evenTrace(6));
        QTRY_VERIFY(desk.page.view().coordinates().endNs() > 9000);
        QVERIFY(desk.page.view().isFitted());
        // Zoomed, it stays where it is, also when the run has ended.
        desk.page.view().showTimes(1000, 500);
        desk.finishRun(tests::evenForward(4, 8, 1000));
        QCOMPARE(desk.page.view().coordinates().beginNs, 1000.0);
        QVERIFY(desk.text("numbers").startsWith("bubble"));
    }

    void aRunThatDidNotEndStaysUntilAnotherIsAskedFor()
    {
        TimelinePageDesk desk;
        desk.page.showLive(evenTrace(2));
        QTRY_COMPARE(desk.page.view().runs().count(), 1);
        desk.page.showLive(nullptr);
        QVERIFY(desk.text("numbers").startsWith("did not end"));
        desk.page.showLive(evenTrace(1));
        QTRY_VERIFY(desk.text("numbers").startsWith("running, 4.00 µs"));
    }

    void aRunThatIsOverIsNotShownAsUnderWay()
    {
        TimelinePageDesk desk;
        desk.finishRun(tests::evenForward(4, 4, 2000));
        desk.finishRun(tests::evenForward(4, 8, 1000));
        desk.page.showLive(evenTrace(2));
        desk.page.showLive(nullptr);
        QVERIFY(desk.text("numbers").startsWith("bubble 27.3 %"));
        QTRY_VERIFY(!desk.text("numbers").startsWith("bubble"));
        QCOMPARE(desk.text("numbers"), QString("did not end: what had happened in 5.00 µs"));
        QCOMPARE(desk.page.view().runs()[0].name, QString("Did not end"));
        desk.showOnly(0);
        QCOMPARE(desk.page.view().runs()[0].name, QString("Run 1"));
    }

    void theLastEventsBeforeAFailureAreShown()
    {
        TimelinePageDesk desk;
        desk.page.showLive(evenTrace(2));
        QTRY_COMPARE(desk.page.view().runs().count(), 1);
        desk.page.showLive(evenTrace(4));
        desk.page.showLive(evenTrace(6));
        desk.page.showLive(nullptr);
        QCOMPARE(desk.text("numbers"), QString("did not end: what had happened in 5.00 µs"));
        QTRY_COMPARE(desk.text("numbers"), QString("did not end: what had happened in 9.00 µs"));
        QCOMPARE(desk.page.view().runs()[0].name, QString("Did not end"));
        desk.page.showLive(evenTrace(1)); // of the next run
        QTRY_COMPARE(desk.text("numbers"), QString("running, 4.00 µs so far"));
        QCOMPARE(desk.page.view().runs()[0].name, QString("Running"));
    }

    void aRunThatIsOverDoesNotTakeThePlaceOfOneThatIsAskedFor()
    {
        TimelinePageDesk desk;
        desk.finishRun(tests::evenForward(4, 4, 2000));
        desk.finishRun(tests::evenForward(4, 8, 1000));
        auto trace = evenTrace(2);
        const std::weak_ptr<const trace::Trace> held = trace;
        desk.page.showLive(std::exchange(trace, nullptr));
        desk.page.showLive(nullptr);
        desk.showOnly(0);
        QTRY_VERIFY(held.expired()); // laid out, and not wanted any more
        QCOMPARE(desk.page.view().runs()[0].name, QString("Run 1"));
        QVERIFY(desk.text("numbers").startsWith("bubble 42.9 %"));
    }

    void aTraceFileIsShownWithoutAnyModel()
    {
        TimelinePageDesk desk;
        const trace::Trace trace =
            tests::TraceBuilder(2, 2, 1).compute(0, 0, 0, 0, 100).compute(1, 1, 0, 100, 200).build();
        desk.page.openTrace(desk.file(QByteArray::fromStdString(trace::toChromeJson(trace))));
        QTRY_COMPARE(desk.page.view().runs().count(), 1);
        QCOMPARE(desk.boxes()[0]->text(), QString("file: trace.json"));
        QVERIFY(desk.page.view().model()->trace() == trace);
    }

    void aFileThatIsNoTraceIsRefusedInWords()
    {
        TimelinePageDesk desk;
        QSignalSpy refused(&desk.page, &TimelinePage::refused);
        desk.page.openTrace(desk.file("{}"));
        QTRY_COMPARE(refused.size(), 1);
        QVERIFY2(refused[0][0].toString().endsWith(
                     "trace.json is neither a plan nor a trace that Pipescope wrote. A plan is a JSON object with the "
                     "key 'pipescopePlan', a trace one with 'pipescope' and 'traceEvents'. Found: an empty object."),
                 qPrintable(refused[0][0].toString()));
        desk.page.openTrace(desk.folder.filePath("nowhere.json"));
        QTRY_COMPARE(refused.size(), 2);
        QVERIFY(refused[1][0].toString().contains("nowhere.json cannot be read"));
        QCOMPARE(desk.page.view().runs().count(), 0);
    }

    void aRefusalSaysWhatWasFoundInstead_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("says");
        QTest::newRow("settings") << QByteArray(R"({"name": "x", "version": 2})")
                                  << "Found: an object with the keys 'name' and 'version'.";
        QTest::newRow("list") << QByteArray("[1, 2, 3]") << "Found: a list of 3.";
        QTest::newRow("no JSON") << QByteArray("{'name': 1}") << "Found: no JSON from byte 2 on.";
        const QString other = "is a trace of another program: it has no object 'pipescope'";
        QTest::newRow("torch.profiler") << QByteArray(R"({"schemaVersion": 1, "deviceProperties": [], "traceEvents": [
            {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 7, "tid": 7, "ts": 1.5, "dur": 2}]})")
                                        << other;
        QTest::newRow("bare events") << QByteArray(R"([{"ph": "X", "name": "f", "ts": 1, "dur": 2}])") << other;
        QTest::newRow("ours, damaged") << QByteArray(R"({"pipescope": {"version": 1}, "traceEvents": []})")
                                       << "cannot be read: not a trace Pipescope wrote: pipescope: 'title' is missing";
        QTest::newRow("ours, cut short") << QByteArray(R"({"pipescope": {)") << "it is no JSON from byte 16 on";
    }

    void aRefusalSaysWhatWasFoundInstead()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, says);
        TimelinePageDesk desk;
        QSignalSpy refused(&desk.page, &TimelinePage::refused);
        desk.page.openTrace(desk.file(bytes));
        QTRY_COMPARE(refused.size(), 1);
        QVERIFY2(refused[0][0].toString().contains(says), qPrintable(refused[0][0].toString()));
        QCOMPARE(desk.page.view().runs().count(), 0);
    }

    void tableAndTimelineFollowEachOther()
    {
        TimelinePageDesk desk;
        desk.finishRun(tests::evenForward(4, 8, 1000));
        desk.selection.select(tests::forwardOf(2, 3));
        QCOMPARE(desk.actions()->currentIndex().siblingAtColumn(timeline::ActionTableModel::Action).data().toString(),
                 QString("2F3"));
        desk.actions()->setCurrentIndex(desk.actions()->model()->index(0, 0));
        QVERIFY((desk.page.view().current() == Spot{0, 0, -1}));
    }

    void aNodeHasTheActionsOfItsStageInTheRunThatIsShown()
    {
        TimelinePageDesk desk;
        desk.showModel();
        desk.finishRun(tests::evenForward(2, 4, 1000), {"layers.1"});
        desk.selection.select(NodeId{1});
        QCOMPARE(desk.relatedActions(), (QStringList{"1F0", "1F1", "1F2", "1F3"}));
        QCOMPARE(desk.actions()->currentIndex().siblingAtColumn(timeline::ActionTableModel::Action).data().toString(),
                 QString("1F0"));
        QVERIFY(session::idIn<NodeId>(desk.selection.current()).valid()); // the table followed, it chose nothing
        // The plan is another since; the run is what it was.
        desk.document.edit("Split", [](plan::Plan &plan) { plan.splits = {"layers.2"}; });
        desk.selection.select(session::SelectedModule{"layers.0", 0});
        QCOMPARE(desk.relatedActions(), (QStringList{"0F0", "0F1", "0F2", "0F3"}));
        desk.selection.select(session::SelectedModule{"layers.1", 0});
        QCOMPARE(desk.relatedActions().front(), QString("1F0"));
        QTest::mouseClick(desk.actions()->viewport(), Qt::LeftButton, {},
                          desk.actions()->visualRect(desk.actions()->currentIndex()).center());
        QVERIFY(tests::isForward(desk.selection.current(), 1, 0));
    }

    void aRunUnderWayHasTheStagesThatItWasBegunWith()
    {
        TimelinePageDesk desk;
        desk.showModel();
        desk.document.edit("Split", [](plan::Plan &plan) { plan.splits = {"layers.1"}; });
        desk.controller.run();
        desk.document.edit("Split", [](plan::Plan &plan) { plan.splits = {"layers.2"}; });
        desk.page.showLive(std::make_shared<const trace::Trace>(tests::evenForward(2, 2, 1000)));
        QTRY_COMPARE(desk.page.view().runs().count(), 1);
        desk.selection.select(session::SelectedModule{"layers.1", 0});
        QCOMPARE(desk.relatedActions(), (QStringList{"1F0", "1F1"}));
    }

    void nothingOfARunOfAnotherModelGoesWithTheSelection_data()
    {
        QTest::addColumn<char>("hash");
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("method");
        QTest::addColumn<bool>("related");
        QTest::newRow("the same") << 'a' << "/models/decoder.pt"
                                  << "forward" << true;
        QTest::newRow("another file by now") << 'b' << "/models/decoder.pt"
                                             << "forward" << false;
        QTest::newRow("another model") << 'a' << "/models/other.pt"
                                       << "forward" << false;
        QTest::newRow("another method") << 'a' << "/models/decoder.pt"
                                        << "encode" << false;
    }

    void nothingOfARunOfAnotherModelGoesWithTheSelection()
    {
        QFETCH(char, hash);
        QFETCH(QString, model);
        QFETCH(QString, method);
        QFETCH(bool, related);
        TimelinePageDesk desk;
        desk.showModel();
        desk.finishRun(tests::evenForward(2, 2, 1000), {"layers.1"}, hash);
        desk.document.edit("Other", [&](plan::Plan &plan) {
            plan.model = model.toStdString();
            plan.method = method.toStdString();
        });
        desk.selection.select(session::SelectedModule{"layers.1", 0});
        QCOMPARE(desk.relatedActions(), related ? (QStringList{"1F0", "1F1"}) : QStringList());
        desk.selection.select(StageId{0}); // whose number that run has too
        QCOMPARE(desk.relatedActions(), related ? (QStringList{"0F0", "0F1"}) : QStringList());
    }

    void aSplitHasTheTransfersOverIt()
    {
        TimelinePageDesk desk;
        desk.showModel();
        trace::Trace trace = tests::TraceBuilder(3, 3, 1)
                                 .send(0, 0, 0, 1, 100, 110)
                                 .receive(1, 1, 0, 0, 110, 115)
                                 .send(1, 1, 0, 2, 200, 210)
                                 .receive(2, 2, 0, 1, 210, 215)
                                 .build();
        for (trace::Event &event : trace.events)
            event.value = event.value == "h0" ? "layers.0/aten::sin:0" : "layers.1/aten::sin:0";
        desk.finishRun(trace, {"layers.1", "layers.2"});
        desk.page.findChild<QTabWidget *>("timelineTables")->setCurrentIndex(2);
        const auto *table = desk.page.findChild<QTableView *>("transfers");
        const auto row = [&] {
            QStringList cells;
            for (const int column : {timeline::TransferTableModel::Kind, timeline::TransferTableModel::From,
                                     timeline::TransferTableModel::Value})
                cells << table->currentIndex().siblingAtColumn(column).data().toString();
            return cells.join(' ');
        };
        desk.selection.select(session::SelectedCut{2});
        QCOMPARE(row(), QString("send 1 layers.1/aten::sin:0"));
        desk.selection.select(session::SelectedCut{1});
        QCOMPARE(row(), QString("send 0 layers.0/aten::sin:0"));
        QVERIFY(std::holds_alternative<session::SelectedCut>(desk.selection.current()));
    }

    void aStageOfATraceFileIsOneByItsNumber()
    {
        TimelinePageDesk desk;
        desk.showModel();
        desk.page.openTrace(desk.file(QByteArray::fromStdString(trace::toChromeJson(tests::evenForward(2, 2, 1000)))));
        QTRY_COMPARE(desk.page.view().runs().count(), 1);
        desk.selection.select(StageId{1});
        QCOMPARE(desk.relatedActions(), (QStringList{"1F0", "1F1"}));
        desk.selection.select(NodeId{1}); // nobody knows that the file is of this model
        QCOMPARE(desk.relatedActions(), QStringList());
    }

    void theSummaryIsOfWhatIsSelected()
    {
        TimelinePageDesk desk;
        desk.finishRun(tests::evenForward(4, 8, 1000));
        QCOMPARE(desk.text("summaryTitle"), QString("Whole run"));
        const auto *summary = desk.page.findChild<timeline::SelectionSummary *>();
        QCOMPARE(summary->summary().shares.size(), std::size_t{3}); // forward, fill, drain
        desk.selection.select(session::SelectedSpan{{}, {}, 4000, 5000});
        QCOMPARE(desk.text("summaryTitle"), QString("1.00 µs selected"));
        QCOMPARE(summary->summary().shares[0].share, 1.0);
        desk.selection.select(RankId{1});
        QCOMPARE(desk.text("summaryTitle"), QString("rank 1 (cpu:1)"));
        desk.page.view().select(Spot{3, -1, 0});
        QCOMPARE(desk.text("summaryTitle"), QString("Bubble on rank 3, 3.00 µs"));
        desk.selection.select(tests::forwardOf(1, 0));
        QCOMPARE(desk.text("summaryTitle"), QString("1F0"));
    }

    void theOverviewsFrameIsDraggedAndPulled()
    {
        TimelinePageDesk desk;
        desk.finishRun(tests::evenForward(4, 8, 1000));
        desk.page.view().showTimes(2000, 2000);
        auto *overview = desk.page.findChild<timeline::OverviewStrip *>();
        const QPoint middle = overview->frame().center().toPoint();
        const double perPixel = desk.page.view().runs().time().spanNs() / 0.97 / desk.page.view().coordinates().width;
        QTest::mousePress(overview, Qt::LeftButton, {}, middle);
        QTest::mouseMove(overview, middle + QPoint(50, 0));
        QTest::mouseRelease(overview, Qt::LeftButton, {}, middle + QPoint(50, 0));
        QVERIFY(std::abs(desk.page.view().coordinates().beginNs - 2000 - 50 * perPixel) < 2 * perPixel);
        QCOMPARE(desk.page.view().coordinates().spanNs, 2000.0);
        const QPoint edge(static_cast<int>(overview->frame().right()), middle.y());
        QTest::mousePress(overview, Qt::LeftButton, {}, edge);
        QTest::mouseMove(overview, edge + QPoint(30, 0));
        QTest::mouseRelease(overview, Qt::LeftButton, {}, edge + QPoint(30, 0));
        QVERIFY(std::abs(desk.page.view().coordinates().spanNs - 2000 - 30 * perPixel) < 3 * perPixel);
    }

    void aTraceFileGoesWithTheDocumentItWasOpenedBeside()
    {
        TimelinePageDesk desk;
        desk.page.openTrace(desk.file(QByteArray::fromStdString(trace::toChromeJson(tests::evenForward(2, 2, 1000)))));
        QTRY_COMPARE(desk.page.view().runs().count(), 1);
        desk.finishRun(tests::evenForward(4, 4, 1000));
        QCOMPARE(desk.boxes().size(), std::size_t{2});
        // Saved under a name it is the same document.
        QVERIFY(desk.document.saveAs(desk.folder.filePath("plan.json")));
        QCOMPARE(desk.boxes().size(), std::size_t{2});
        desk.selection.select(tests::forwardOf(1, 1));
        desk.document.newFor("/models/other.pt");
        QCOMPARE(desk.page.view().runs().count(), 0);
        QVERIFY(desk.boxes().empty());
        QVERIFY(desk.selection.current() == session::Selected());
    }

    void aTraceFileOpenedBeforeAnyDocumentStaysWithTheFirst()
    {
        TimelinePageDesk desk;
        desk.document.newFor({});
        desk.page.openTrace(desk.file(QByteArray::fromStdString(trace::toChromeJson(tests::evenForward(2, 2, 1000)))));
        QTRY_COMPARE(desk.page.view().runs().count(), 1);
        desk.document.newFor("/models/decoder.pt");
        QCOMPARE(desk.boxes().size(), std::size_t{1});
        desk.document.newFor("/models/other.pt");
        QVERIFY(desk.boxes().empty());
    }
};

PIPESCOPE_WIDGET_TEST(TestTimelinePage)
#include "tst_timeline_page.moc"
