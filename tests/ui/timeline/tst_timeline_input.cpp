#include "shown_timeline.h"
#include "timeline/timeline_view.h"

#include "support/test_program.h"

#include <QRegularExpression>
#include <QTest>

using namespace pipescope;
using tests::Header;
using tests::ShownTimeline;
using timeline::Coordinates;

/// What the wheel, drags and keys do to what is seen.
class TestTimelineInput : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void theWheelZoomsWhereThePointerIs()
    {
        ShownTimeline shown;
        const QPoint point = shown.at(4000, 1);
        const double before = shown.view.coordinates().toTime(point.x() - Header);
        shown.wheel(point, 3);
        QVERIFY(shown.view.coordinates().spanNs < 7000);
        QVERIFY(std::abs(shown.view.coordinates().toTime(point.x() - Header) - before) < 1e-6);
    }

    void theWheelPansWithShift()
    {
        ShownTimeline shown;
        shown.wheel(shown.at(4000, 1), 6);
        const Coordinates before = shown.view.coordinates();
        shown.wheel(shown.at(4000, 1), -1, Qt::ShiftModifier);
        QCOMPARE(shown.view.coordinates().spanNs, before.spanNs);
        QVERIFY(shown.view.coordinates().beginNs > before.beginNs);
    }

    void wAndSZoomWhileAAndDMove()
    {
        ShownTimeline shown;
        const double all = shown.view.coordinates().spanNs;
        shown.press(Qt::Key_W);
        QCOMPARE(shown.view.coordinates().spanNs, all / 1.5);
        const double begin = shown.view.coordinates().beginNs;
        shown.press(Qt::Key_A);
        QVERIFY(shown.view.coordinates().beginNs < begin);
        shown.press(Qt::Key_D);
        QCOMPARE(shown.view.coordinates().beginNs, begin);
        shown.press(Qt::Key_S);
        QCOMPARE(shown.view.coordinates().spanNs, all);
    }

    void draggingSelectsTheSpanThatWasDraggedOver()
    {
        ShownTimeline shown;
        const Coordinates before = shown.view.coordinates();
        // Both ends near edges of slices, and so exactly at them.
        shown.drag(shown.at(5970, 2), shown.at(2030, 0));
        QVERIFY((shown.selection.current() == session::Selected(session::SelectedSpan{{}, {}, 2000, 6000})));
        QVERIFY(shown.view.coordinates() == before);
        QVERIFY(!shown.view.current());
        shown.press(Qt::Key_Z);
        QVERIFY(std::abs(shown.view.coordinates().beginNs - 1900) < 50);
        QVERIFY(std::abs(shown.view.coordinates().endNs() - 6100) < 50);
        shown.press(Qt::Key_Escape);
        QVERIFY(!std::holds_alternative<session::SelectedSpan>(shown.selection.current()));
    }

    void draggingWithControlOrAlongTheRulerZoomsIntoIt()
    {
        ShownTimeline shown;
        shown.zoom(shown.at(2030, 0), shown.at(5970, 2));
        QCOMPARE(shown.view.coordinates().beginNs, 2000.0);
        QCOMPARE(shown.view.coordinates().endNs(), 6000.0);
        shown.press(Qt::Key_F);
        shown.drag({shown.at(2000, 0).x(), 10}, {shown.at(6000, 0).x(), 12});
        QVERIFY(std::abs(shown.view.coordinates().beginNs - 2000) < 20);
        QVERIFY(!std::holds_alternative<session::SelectedSpan>(shown.selection.current()));
    }

    void mMeasuresWhatIsCurrentOrSeenAndShiftStretchesIt()
    {
        ShownTimeline shown;
        shown.click(shown.at(4500, 2));
        shown.press(Qt::Key_M);
        QVERIFY((shown.selection.current() == session::Selected(session::SelectedSpan{{}, {}, 4000, 5000})));
        QTest::keyClick(&shown.view, Qt::Key_Right, Qt::ShiftModifier);
        QVERIFY((shown.selection.current() == session::Selected(session::SelectedSpan{{}, {}, 4000, 6000})));
        QTest::keyClick(&shown.view, Qt::Key_Left, Qt::ShiftModifier);
        QVERIFY((shown.selection.current() == session::Selected(session::SelectedSpan{{}, {}, 4000, 5000})));
        shown.press(Qt::Key_Escape);
        shown.press(Qt::Key_M);
        QVERIFY((shown.selection.current() == session::Selected(session::SelectedSpan{{}, {}, 0, 11'000})));
    }

    void escapeGivesUpADrag()
    {
        ShownTimeline shown;
        const Coordinates before = shown.view.coordinates();
        QTest::mousePress(shown.view.viewport(), Qt::LeftButton, {}, shown.at(2000, 0));
        shown.move(shown.at(6000, 2), Qt::LeftButton);
        shown.press(Qt::Key_Escape);
        QTest::mouseRelease(shown.view.viewport(), Qt::LeftButton, {}, shown.at(6000, 2));
        QVERIFY(shown.view.coordinates() == before);
    }

    void theMiddleButtonAndShiftPan_data()
    {
        QTest::addColumn<int>("button");
        QTest::addColumn<int>("keys");
        QTest::newRow("middle") << int(Qt::MiddleButton) << int(Qt::NoModifier);
        QTest::newRow("shift") << int(Qt::LeftButton) << int(Qt::ShiftModifier);
    }

    void theMiddleButtonAndShiftPan()
    {
        QFETCH(int, button);
        QFETCH(int, keys);
        ShownTimeline shown;
        shown.zoom(shown.at(2000, 0), shown.at(6000, 2));
        const Coordinates before = shown.view.coordinates();
        shown.drag({Header + 500, 60}, {Header + 400, 60}, Qt::MouseButton(button), Qt::KeyboardModifiers(keys));
        QCOMPARE(shown.view.coordinates().spanNs, before.spanNs);
        QCOMPARE(shown.view.coordinates().beginNs, before.beginNs + 100 * before.spanNs / 1000);
    }

    void fFitsAndBackspaceReturns()
    {
        ShownTimeline shown;
        const Coordinates all = shown.view.coordinates();
        shown.zoom(shown.at(2000, 0), shown.at(6000, 2));
        const Coordinates part = shown.view.coordinates();
        shown.press(Qt::Key_F);
        QVERIFY(shown.view.coordinates() == all);
        shown.press(Qt::Key_Backspace);
        QVERIFY(shown.view.coordinates() == part);
        shown.press(Qt::Key_Backspace);
        QVERIFY(shown.view.coordinates() == all);
        shown.press(Qt::Key_Backspace);
        QVERIFY(shown.view.coordinates() == all);
    }

    void turnsOfTheWheelAreTakenBackTogether()
    {
        ShownTimeline shown;
        const Coordinates all = shown.view.coordinates();
        for (int i = 0; i < 5; ++i)
            shown.wheel(shown.at(4000, 1), 1);
        shown.press(Qt::Key_Backspace);
        QVERIFY(shown.view.coordinates() == all);
    }
};

PIPESCOPE_WIDGET_TEST(TestTimelineInput)
#include "tst_timeline_input.moc"
