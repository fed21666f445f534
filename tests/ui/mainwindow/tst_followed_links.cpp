// Where the window goes when a link is followed.
#include "inspector/fact_browser.h"
#include "support/links.h"
#include "support/qt_warnings.h"
#include "support/selected.h"
#include "support/test_program.h"
#include "support/trace_builder.h"
#include "support/window_desk.h"

#include <QLabel>
#include <QStackedWidget>
#include <QTableView>
#include <QTextCursor>

using namespace pipescope;
using mainwindow::Perspective;
using session::Selected;

namespace {

struct FollowedLinksDesk : tests::WindowDesk
{
    FollowedLinksDesk()
    {
        open();
        split();
    }
    /// A run of two stages that differs at a node of stage 1.
    void finishRun()
    {
        trigger("run");
        report::TracedRun run;
        run.plan = window.document().plan();
        run.trace = tests::TraceBuilder(2, 2, 2)
                        .compute(0, 0, 0, 0, 1000)
                        .compute(0, 0, 1, 1000, 2000)
                        .compute(1, 1, 0, 1000, 2000)
                        .compute(1, 1, 1, 2000, 3000)
                        .build();
        run.stats = trace::traceStats(run.trace);
        run.microbatches = {1, 1};
        run.stages.resize(2);
        run.stages[0].rank = RankId{0};
        run.stages[1].rank = RankId{1};
        report::Equivalence differs;
        differs.overall.equal = false;
        differs.first.emplace();
        differs.first->stage = StageId{1};
        differs.first->microbatch = MicrobatchId{1};
        differs.first->node = NodeId{1};
        differs.first->nodeName = "layers.1/aten::sin";
        differs.byMicrobatch.resize(2);
        run.equivalence = differs;
        answer(run);
    }
    [[nodiscard]] bool sees(Perspective perspective) const
    {
        const auto *canvases = find<QStackedWidget>("canvases");
        return canvases->isVisible() && canvases->currentIndex() == (perspective == Perspective::Split ? 0 : 1);
    }
    /// Presses a word of the inspector.
    void pressInInspector(const QString &word) const
    {
        auto *facts = find<inspector::FactBrowser>("facts");
        QTRY_VERIFY(!facts->document()->find(word).isNull());
        QTextCursor at(facts->document());
        at.setPosition(facts->document()->find(word).selectionStart() + 1);
        QTest::mouseClick(facts->viewport(), Qt::LeftButton, {}, facts->cursorRect(at).center());
    }
};

} // namespace

class TestFollowedLinks : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void aLinkIsSeenWhereItsKindIsShown_data()
    {
        QTest::addColumn<Selected>("link");
        QTest::addColumn<bool>("isOfModel");
        QTest::newRow("node") << Selected(NodeId{1}) << true;
        QTest::newRow("module") << Selected(session::SelectedModule{"layers.1", 0}) << true;
        QTest::newRow("value") << Selected(ValueId{1}) << true;
        QTest::newRow("split") << Selected(session::SelectedCut{1}) << true;
        QTest::newRow("parameter") << Selected(session::SelectedParameter{"w"}) << true;
        QTest::newRow("action") << Selected(tests::forwardOf(1, 0)) << false;
        QTest::newRow("span") << Selected(session::SelectedSpan{{}, RankId{0}, 0, 500}) << false;
    }

    void aLinkIsSeenWhereItsKindIsShown()
    {
        QFETCH(const Selected, link);
        QFETCH(const bool, isOfModel);
        FollowedLinksDesk desk;
        desk.finishRun();
        for (const Perspective before : {Perspective::Split, Perspective::Timeline}) {
            desk.window.selection().clear();
            desk.window.show(before);
            desk.window.selection().follow(link);
            QVERIFY(desk.sees(isOfModel ? Perspective::Split : Perspective::Timeline));
            QVERIFY(desk.window.selection().current() != Selected());
        }
    }

    void aStageIsSeenInEither()
    {
        FollowedLinksDesk desk;
        desk.finishRun();
        for (const Perspective before : {Perspective::Split, Perspective::Timeline}) {
            desk.window.show(before);
            desk.window.selection().follow(StageId{1});
            QVERIFY(desk.sees(before));
        }
    }

    void whatIsClickedInAViewLeavesThePerspectiveAlone()
    {
        FollowedLinksDesk desk;
        desk.finishRun();
        desk.window.selection().select(NodeId{0});
        QVERIFY(desk.sees(Perspective::Timeline));
    }

    void aLinkOfTheInspectorIsFollowedThere()
    {
        FollowedLinksDesk desk;
        desk.finishRun();
        QVERIFY(desk.sees(Perspective::Timeline));
        desk.find<QWidget>("inspector")->window()->activateWindow();
        desk.window.selection().select(NodeId{0});
        desk.pressInInspector("layers.1/aten::sin");
        QCOMPARE(session::idIn<NodeId>(desk.window.selection().current()), NodeId{1});
        QVERIFY(desk.sees(Perspective::Split));
    }

    void theCheckLeadsToTheNodeAndARowOfItToTheAction()
    {
        FollowedLinksDesk desk;
        desk.finishRun();
        auto *answer = desk.find<QLabel>("equivalent");
        QVERIFY(tests::followByKeys(*answer, "0"));
        QCOMPARE(session::idIn<NodeId>(desk.window.selection().current()), NodeId{1});
        QVERIFY(desk.sees(Perspective::Split));
        auto *rows = desk.find<QTableView>("differences");
        QTest::mouseClick(rows->viewport(), Qt::LeftButton, {}, rows->visualRect(rows->model()->index(1, 0)).center());
        QVERIFY(tests::isForward(desk.window.selection().current(), 1, 1));
        QVERIFY(desk.sees(Perspective::Timeline));
    }

    void anErrorsLinksLeadToTheGraph()
    {
        FollowedLinksDesk desk;
        desk.trigger("run");
        desk.window.show(Perspective::Timeline);
        desk.refuse({ErrorCode::ModelFailed, "stage 1 failed in layers.1/aten::sin", "", ""});
        desk.follow("layers.1/aten::sin");
        QVERIFY(desk.sees(Perspective::Split));
        desk.window.show(Perspective::Timeline);
        desk.follow("stage 1");
        QCOMPARE(session::stageIn(desk.window.selection().current()), StageId{1});
        QVERIFY(desk.sees(Perspective::Split));
    }
};

PIPESCOPE_WIDGET_TEST(TestFollowedLinks)
#include "tst_followed_links.moc"
