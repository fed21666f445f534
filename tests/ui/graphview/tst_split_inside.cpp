#include "graphview/split_inside.h"

#include "shown_canvas.h"
#include "style/theme.h"
#include "support/qt_warnings.h"

#include <QSignalSpy>

using namespace pipescope;
using namespace pipescope::graphview;
using Shown = pipescope::tests::ShownCanvas;

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

    void aPillGivesWayDownwards()
    {
        const std::vector<QRectF> others{{0, 0, 50, 18}, {}, {0, 30, 50, 18}};
        QCOMPARE(clearOf(others, {0, 100, 50, 18}), QRectF(0, 100, 50, 18));
        QCOMPARE(clearOf(others, {0, 10, 50, 18}), QRectF(0, 49, 50, 18)); // 19 would cover the one at 30
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
        QCOMPARE(shown.selection.current().cut, std::optional<int>(3));
        shown.selection.clear();
        const QPoint beside(shown.cornerOf("layers.1").x() - 7, shown.at("layers.1").y());
        QTest::mouseClick(&shown.canvas, Qt::LeftButton, {}, beside);
        QCOMPARE(shown.selection.current().cut, std::optional<int>(3));
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
        shown.selection.selectCut(3);
        QTest::keyClick(&shown.canvas, Qt::Key_Return);
        shown.await();
        QVERIFY(placeOf(shown.canvas.splits().places(), 3));
        QCOMPARE(shown.selection.current().cut, std::optional<int>(3));
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
        for (const int one : {2, 3, 4, 5}) {
            for (const int other : {2, 3, 4, 5}) {
                const auto pill = [&](int cut) { return shown.canvas.splits().pillOf(shown.canvas.viewport(), cut); };
                QVERIFY(one == other || !pill(one).intersects(pill(other)));
            }
        }
    }
};

QTEST_MAIN(TestSplitInside)
#include "tst_split_inside.moc"
