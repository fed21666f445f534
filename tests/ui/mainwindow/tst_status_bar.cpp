#include "mainwindow/status_bar.h"

#include "support/qt_warnings.h"
#include "support/test_program.h"
#include "support/window_desk.h"

#include <QLabel>
#include <QProgressBar>
#include <QTest>
#include <QToolButton>
#include <QWidget>
#include <algorithm>

using namespace pipescope;
using tests::twoLayers;
using tests::WindowDesk;

class TestStatusBar : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void whatWasProfiledWithOtherInputsSaysSo()
    {
        WindowDesk desk;
        desk.open();
        desk.window.document().edit("Input",
                                    [](plan::Plan &plan) { plan.inputs = {*plan::parseInputSpec("float32[2]")}; });
        desk.window.controller().profile();
        report::Inspection profiled = twoLayers(false);
        profiled.profiled = true;
        profiled.inputs = desk.window.document().plan().inputs;
        desk.answer(profiled);
        const auto *summary = desk.find<QLabel>("summary");
        QVERIFY(summary->text().endsWith("profiled"));
        desk.window.document().edit("Input",
                                    [](plan::Plan &plan) { plan.inputs = {*plan::parseInputSpec("float32[4]")}; });
        QVERIFY(summary->text().endsWith("profiled with other inputs"));
        desk.trigger("undo");
        QVERIFY(summary->text().endsWith("profiled"));
        desk.window.document().edit("Threads", [](plan::Plan &plan) { plan.threadsPerRank = 2; });
        QVERIFY(summary->text().endsWith("profiled with other settings"));
        desk.window.document().edit("Splits", [](plan::Plan &plan) { plan.splits = {"layers.1"}; });
        desk.window.document().edit("Threads", [](plan::Plan &plan) { plan.threadsPerRank = 1; });
        QVERIFY(summary->text().endsWith("profiled")); // it has nothing to do with splits
    }

    void anOpeningIsShownAndCanBeCancelled()
    {
        WindowDesk desk;
        desk.open();
        QVERIFY(desk.window.open(desk.file("large.pt")));
        auto *cancel = desk.find<QToolButton>("cancelWork");
        QTRY_VERIFY(cancel->isVisible());
        QVERIFY(desk.find<QLabel>("summary")->text().contains("large.pt"));
        QTest::mouseClick(cancel, Qt::LeftButton);
        QCOMPARE(desk.engine.requests.back().method, std::string("cancel"));
        const std::int64_t opening = desk.engine.requests[desk.engine.requests.size() - 2].id;
        desk.engine.say(protocol::Response{opening, Error{ErrorCode::Cancelled, "cancelled", {}, {}}});
        QVERIFY(!cancel->isVisible());
        QCOMPARE(desk.notice(), QString()); // as asked, and no fault
        QVERIFY(desk.window.document().plan().model.find("/model.pt") != std::string::npos);
    }

    void theStatusBarSaysTheStepThoughNobodyKnowsHowLongItTakes()
    {
        WindowDesk desk;
        desk.open();
        desk.trigger("check");
        const auto say = [&](const char *step, double part) {
            desk.engine.say(protocol::Notification{desk.engine.requests.back().id, "progress",
                                                   protocol::toBody(protocol::ProgressNote{step, part})});
        };
        const auto bars = desk.window.findChildren<QProgressBar *>();
        const auto bar = std::find_if(bars.begin(), bars.end(),
                                      [](QProgressBar *each) { return each->accessibleName() == "Progress"; });
        QVERIFY(bar != bars.end());
        QTRY_VERIFY((*bar)->isVisible());
        QVERIFY2((*bar)->text().startsWith("checking model.pt"), qPrintable((*bar)->text()));
        say("comparing with the unsplit model", -1);
        QCOMPARE((*bar)->text(), QString("comparing with the unsplit model"));
        say("pipeline: 4 microbatches", 0.5);
        QCOMPARE((*bar)->text(), QString("pipeline: 4 microbatches, 50 %"));
    }

    void whatTheEngineIsDoingCanBeCancelledFromTheStatusBar()
    {
        WindowDesk desk;
        desk.open();
        auto *cancel = desk.find<QWidget>("cancelWork");
        QVERIFY(!cancel->isVisible());
        desk.trigger("run");
        QTRY_VERIFY(cancel->isVisible());
        QVERIFY(desk.action("run").toolTip().contains("running model.pt"));
        QTest::mouseClick(cancel, Qt::LeftButton);
        QCOMPARE(desk.engine.requests.back().method, std::string("cancel"));
    }
};

PIPESCOPE_WIDGET_TEST(TestStatusBar)
#include "tst_status_bar.moc"
