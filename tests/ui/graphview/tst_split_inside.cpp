#include "graphview/split_inside.h"

#include "shown_canvas.h"
#include "style/theme.h"
#include "support/qt_warnings.h"
#include "support/test_program.h"

#include <QSignalSpy>

using namespace pipescope;
using namespace pipescope::graphview;
using Shown = pipescope::tests::ShownCanvas;

namespace {

/// The splits whose pills cover one another; "" for none.
QString coveredPills(const Shown &shown, const std::vector<int> &cuts)
{
    QString covered;
    for (const int one : cuts)
        for (const int other : cuts)
            if (const auto pill = [&](int cut) { return shown.canvas.splits().pillOf(shown.canvas.viewport(), cut); };
                one < other && (pill(one).isEmpty() || pill(one).intersects(pill(other))))
                covered += QStringLiteral("%1 and %2 ").arg(one).arg(other);
    return covered;
}

} // namespace

class TestSplitInside : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void onlySplitsInsideClosedBoxesAreInside()
    {
        // Layers run 0-1, 2-3, 4-5 and 6-7.
        const Shown shown;
        QCOMPARE(splitsInside(shown.canvas.picture()->scene, {2, 3, 7}),
                 (std::vector<SplitInside>{{3, shown.box("layers.1")}, {7, shown.box("layers.3")}}));
    }

    void aPillGivesWayToTheNearestFreePlace()
    {
        const std::vector<QRectF> others{{0, 0, 50, 18}, {}, {0, 30, 50, 18}};
        QCOMPARE(clearOf(others, {0, 100, 50, 18}), QRectF(0, 100, 50, 18));
        QCOMPARE(clearOf(others, {0, 16, 50, 18}), QRectF(0, 49, 50, 18)); // 19 would cover the one at 30
        QCOMPARE(clearOf(others, {0, 10, 50, 18}), QRectF(0, -19, 50, 18));
        QCOMPARE(clearOf({{0, 0, 50, 18}}, {0, 0, 50, 18}), QRectF(0, 19, 50, 18)); // as near as -19
    }

    void aSplitInsideAClosedModuleIsMarkedOnBothSidesOfItsBox()
    {
        Shown shown;
        shown.allowSplits({3});
        const QRectF rect = shown.canvas.viewport().toScreen(
            shown.canvas.picture()->scene.rects[static_cast<std::size_t>(shown.box("layers.1"))]);
        const QColor stage = style::Theme::dark().colour(StageId{1});
        QCOMPARE(shown.pixel(QPointF(rect.left() - 7, rect.center().y()).toPoint()), stage); // half of it is before
        QCOMPARE(shown.pixel(QPointF(rect.right() + 7, rect.center().y()).toPoint()), stage);
        QVERIFY(shown.canvas.describe(shown.box("layers.1")).contains("a split inside"));
        QVERIFY(!shown.canvas.describe(shown.box("layers.2")).contains("inside"));
    }

    void itIsSelectedAtItsPillAndAtTheBoxAndMovedAndRemoved()
    {
        Shown shown;
        shown.allowSplits({3});
        QTest::mouseClick(&shown.canvas, Qt::LeftButton, {}, shown.pill(3));
        QVERIFY(shown.selection.current() == session::Selected(session::SelectedCut{3}));
        shown.selection.clear();
        const QPoint beside(shown.cornerOf("layers.1").x() - 7, shown.at("layers.1").y());
        QTest::mouseClick(&shown.canvas, Qt::LeftButton, {}, beside);
        QVERIFY(shown.selection.current() == session::Selected(session::SelectedCut{3}));
        const QSignalSpy moved(&shown.canvas, &GraphCanvas::splitMoved);
        QTest::keyClick(&shown.canvas, Qt::Key_Down, Qt::AltModifier);
        QCOMPARE(moved.size(), 1);
        QCOMPARE(moved[0][0].toString(), QStringLiteral("layers.1/aten::add"));
        QCOMPARE(moved[0][1].toString(), QStringLiteral("layers.2"));
        const QSignalSpy removed(&shown.canvas, &GraphCanvas::splitRemoved);
        QTest::keyClick(&shown.canvas, Qt::Key_Delete);
        QCOMPARE(removed.size(), 1);
    }

    void enterOpensTheModuleAroundTheSelectedSplit()
    {
        Shown shown;
        shown.allowSplits({3});
        QVERIFY(!placeOf(shown.canvas.splits().places(), 3));
        shown.selection.select(session::SelectedCut{3});
        QTest::keyClick(&shown.canvas, Qt::Key_Return);
        shown.await();
        QVERIFY(placeOf(shown.canvas.splits().places(), 3));
        QVERIFY(shown.selection.current() == session::Selected(session::SelectedCut{3}));
        QCOMPARE(shown.canvas.splits().boxAround(3), -1);
    }

    void aDoubleClickOnItsPillOpensTheModuleToo()
    {
        Shown shown;
        shown.allowSplits({3});
        QTest::mouseDClick(&shown.canvas, Qt::LeftButton, {}, shown.pill(3));
        shown.await();
        QVERIFY(placeOf(shown.canvas.splits().places(), 3));
    }

    void pillsOfSplitsInsideCoverNoOthers()
    {
        Shown shown;
        shown.allowSplits({2, 3, 4, 5});
        shown.canvas.zoomBy(0.5); // closer together
        QCOMPARE(coveredPills(shown, {2, 3, 4, 5}), QString());
    }

    void pillsOfSplitsMarkedOnTheSameEdgesCoverNoOthers()
    {
        // Both go through the edges to c, d and e, which are most of those they go through.
        Shown shown("in x\na = aten::relu x\nb = aten::relu a\nc = aten::relu x\nd = aten::relu x\n"
                    "e = aten::relu x\nf = aten::cat b c d e\nreturn f\n");
        shown.allowSplits({1, 2});
        const SplitOverlay &splits = shown.canvas.splits();
        for (const int cut : {1, 2})
            QVERIFY(!placeOf(splits.places(), cut)->straight());
        QCOMPARE(splits.heightOf(*placeOf(splits.places(), 1)), splits.heightOf(*placeOf(splits.places(), 2)));
        QCOMPARE(coveredPills(shown, {1, 2}), QString());
        QCOMPARE(shown.pill(2) - shown.pill(1), QPoint(0, 19)); // below, a pixel apart
        for (const int cut : {1, 2})
            QCOMPARE(splits.lineAt(shown.canvas.viewport(), shown.pill(cut)), cut);
    }

    void pillsOfEveryKindStandBesideOneAnotherNearTheirSplits()
    {
        // Split 1 is a line, 2 and 3 are marked on edges that the line crosses, 6 is inside of m.
        Shown shown("in x\nz = aten::relu x\na = aten::relu z\nb = aten::relu a\nc = aten::relu z\n"
                    "d = aten::relu z\ncall m\ng = aten::relu z\nh = aten::relu g\nend\n"
                    "f = aten::cat b c d h\nreturn f\n");
        shown.allowSplits({1, 2, 3, 6});
        const SplitOverlay &splits = shown.canvas.splits();
        QVERIFY(placeOf(splits.places(), 1)->straight());
        QVERIFY(!placeOf(splits.places(), 2)->straight() && !placeOf(splits.places(), 3)->straight());
        QCOMPARE(splits.boxAround(6), shown.box("m"));
        while (shown.canvas.viewport().zoom() > 0.45) // as near together as they are shown
            shown.canvas.zoomBy(0.95);
        QCOMPARE(coveredPills(shown, {1, 2, 3, 6}), QString());
        for (const int cut : {1, 2, 3}) {
            const double wished =
                shown.canvas.viewport().toScreen(QPointF(0, splits.heightOf(*placeOf(splits.places(), cut)))).y();
            const double away = std::abs(splits.pillOf(shown.canvas.viewport(), cut).center().y() - wished);
            QVERIFY2(away <= (cut == 1 ? 0 : 20), qPrintable(QString::number(away))); // one above, one below
        }
    }

    void theOneThatIsOfferedCoversNoneThatIsThere()
    {
        Shown shown("in x\na = aten::relu x\nb = aten::relu a\nc = aten::relu x\nd = aten::relu x\n"
                    "e = aten::relu x\nf = aten::cat b c d e\nreturn f\n");
        shown.allowSplits({1});
        QCOMPARE(coveredPills(shown, {1, 2}), QString());
    }
};

PIPESCOPE_WIDGET_TEST(TestSplitInside)
#include "tst_split_inside.moc"
