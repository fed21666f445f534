#include "shown_canvas.h"
#include "support/qt_warnings.h"
#include "support/test_program.h"

#include <QApplication>
#include <QClipboard>
#include <QMenu>
#include <QPointer>
#include <QSignalSpy>
#include <QWindow>

using namespace pipescope;
using namespace pipescope::graphview;

namespace {

class Desk : public tests::ShownCanvas
{
public:
    using ShownCanvas::ShownCanvas;

    /// As the window system has it: the menu is asked for by the right button of a mouse.
    void rightClick(QPoint at) { QTest::mouseClick(canvas.windowHandle(), Qt::RightButton, {}, at); }
    [[nodiscard]] QMenu *menu() const { return canvas.findChild<QMenu *>("graphMenu"); }
    [[nodiscard]] QAction *action(const char *name) const
    {
        const auto actions = menu() ? menu()->actions() : QList<QAction *>();
        const auto found = std::find_if(actions.begin(), actions.end(),
                                        [&](const QAction *one) { return one->objectName() == QLatin1String(name); });
        return found == actions.end() ? nullptr : *found;
    }
    /// By mouse, as a user does.
    void choose(const char *name) const
    {
        QAction *chosen = action(name);
        QVERIFY2(chosen && chosen->isEnabled(), name);
        QTest::mouseClick(menu(), Qt::LeftButton, {}, menu()->actionGeometry(chosen).center());
        QTRY_VERIFY(!menu());
    }
};

} // namespace

class TestCanvasMenu : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void aBoxIsSelectedAndSplitBefore()
    {
        Desk desk;
        desk.allowSplits();
        QSignalSpy placed(&desk.canvas, &GraphCanvas::splitPlaced);
        desk.rightClick(desk.at("layers.2"));
        QVERIFY(desk.menu()->isVisible());
        QVERIFY((desk.selection.current() == session::Selected(session::SelectedModule{"layers.2", 0})));
        desk.choose("split");
        QCOMPARE(placed.size(), 1);
        QCOMPARE(placed[0][0].toString(), QStringLiteral("layers.2"));
    }

    void aSplitIsRemovedAtItsLineAndAtTheBoxBehindIt()
    {
        Desk desk;
        desk.allowSplits({4});
        QSignalSpy removed(&desk.canvas, &GraphCanvas::splitRemoved);
        desk.rightClick(desk.pill(4));
        QVERIFY(desk.selection.current() == session::Selected(session::SelectedCut{4}));
        desk.choose("removeSplit");
        desk.rightClick(desk.at("layers.2"));
        QVERIFY(!desk.action("split"));
        desk.choose("removeSplit");
        QCOMPARE(removed.size(), 2);
        QCOMPARE(removed[1][0].toString(), QStringLiteral("layers.2"));
    }

    void whereNoSplitCanBeItSaysWhy()
    {
        Desk desk("in x\na = aten::sin x\nb = aten::relu_ !a\nreturn b\n");
        desk.allowSplits();
        desk.rightClick(desk.at("relu_"));
        QVERIFY(!desk.action("split")->isEnabled());
        QVERIFY2(desk.action("split")->text().startsWith("Split before this: "),
                 qPrintable(desk.action("split")->text()));
        QVERIFY2(desk.action("split")->toolTip().contains("in place"), qPrintable(desk.action("split")->toolTip()));
        QTest::keyClick(desk.menu(), Qt::Key_Escape);
        desk.rightClick(desk.at("sin"));
        QVERIFY(!desk.action("split")->isEnabled());
        QVERIFY(desk.action("split")->text().contains("the model begins here"));
        QVERIFY(!desk.action("selectModule")->isEnabled());
    }

    void modulesAreOpenedClosedAndOpenedWithAllThatIsInside()
    {
        Desk desk(R"(in x
call a
call a.b
u = aten::sin x
end
end
call c
v = aten::sin u
end
return v
)");
        desk.rightClick(desk.at("a"));
        desk.choose("openInside");
        desk.await();
        QVERIFY(desk.box("sin") > 0);
        QCOMPARE(desk.canvas.open(), (OpenBoxes{{BoxKind::Module, 0}, {BoxKind::Module, 1}}));
        desk.rightClick(desk.cornerOf("a") + QPoint(40, 8));
        QVERIFY(desk.action("toggle")->text().contains("Close"));
        desk.choose("toggle");
        desk.await();
        QCOMPARE(desk.box("b"), -1);
        desk.rightClick(desk.at("c"));
        desk.choose("toggle");
        desk.await();
        QCOMPARE(desk.canvas.open(), (OpenBoxes{{BoxKind::Module, 1}, {BoxKind::Module, 2}}));
    }

    void anOperatorLeadsToItsModuleAndGivesItsName()
    {
        Desk desk;
        desk.canvas.openEverything();
        desk.await();
        desk.rightClick(desk.at("linear"));
        QCOMPARE(session::idIn<NodeId>(desk.selection.current()), NodeId{0});
        desk.choose("copyName");
        QCOMPARE(QApplication::clipboard()->text(), QString("layers.0/aten::linear"));
        desk.rightClick(desk.at("linear"));
        desk.choose("selectModule");
        QVERIFY((desk.selection.current() == session::Selected(session::SelectedModule{"layers.0", 0})));
        QCOMPARE(desk.canvas.current(), desk.box("layers.0"));
    }

    void theKeyboardOpensItForWhatItIsAt_data()
    {
        QTest::addColumn<Qt::Key>("key");
        QTest::addColumn<Qt::KeyboardModifiers>("modifiers");
        QTest::newRow("menu") << Qt::Key_Menu << Qt::KeyboardModifiers();
        QTest::newRow("Shift+F10") << Qt::Key_F10 << Qt::KeyboardModifiers(Qt::ShiftModifier);
    }

    void theKeyboardOpensItForWhatItIsAt()
    {
        QFETCH(const Qt::Key, key);
        QFETCH(const Qt::KeyboardModifiers, modifiers);
        Desk desk;
        desk.allowSplits({4});
        desk.selection.select(session::SelectedModule{"layers.1", 0});
        QTest::keyClick(&desk.canvas, key, modifiers);
        QVERIFY(desk.menu()->isVisible());
        QVERIFY(desk.action("split")->isEnabled());
        QVERIFY(desk.action("copyName"));
        QTest::keyClick(desk.menu(), Qt::Key_Escape);
        QTRY_VERIFY(!desk.menu());
        desk.selection.select(session::SelectedCut{4});
        QTest::keyClick(&desk.canvas, key, modifiers);
        QVERIFY(desk.action("removeSplit"));
        QVERIFY(!desk.action("copyName"));
    }

    void theGroundHasWhatIsForAllOfTheModelAndItsPicture()
    {
        Desk desk;
        desk.rightClick({20, 300});
        for (const char *name : {"openAll", "closeAll", "fit", "exportSvg", "exportPng"})
            QVERIFY2(desk.action(name), name);
        QVERIFY(!desk.action("copyName"));
        desk.choose("openAll");
        desk.await();
        QCOMPARE(desk.canvas.open().size(), 4U);
        desk.rightClick({20, 300});
        desk.choose("fit");
        QVERIFY(desk.canvas.viewport().visible().contains(desk.canvas.picture()->scene.bounds));
    }

    void itGoesWithTheGraphThatItIsAbout_data()
    {
        QTest::addColumn<bool>("another");
        QTest::newRow("the model is closed") << false;
        QTest::newRow("another one is opened") << true;
    }

    void itGoesWithTheGraphThatItIsAbout()
    {
        QFETCH(const bool, another);
        Desk desk;
        desk.allowSplits();
        QSignalSpy placed(&desk.canvas, &GraphCanvas::splitPlaced);
        desk.rightClick(desk.at("layers.3"));
        const QPointer<QMenu> menu = desk.menu();
        const QPointer<QAction> split = desk.action("split");
        QVERIFY(menu && menu->isVisible() && split);
        desk.canvas.setGraph(another ? std::make_shared<graph::ModelGraph>(tests::graphFromText(tests::layersText(1)))
                                     : nullptr);
        QVERIFY(!menu->isVisible());
        QTRY_VERIFY(!menu && !split);
        QTest::keyClick(&desk.canvas, Qt::Key_Return); // which a menu that is left would take
        QCOMPARE(placed.size(), 0);
        if (another) {
            desk.await();
            desk.rightClick(desk.at("linear")); // there is one for the new graph
            QVERIFY(desk.menu() && desk.menu()->isVisible());
        }
    }

    void itStaysWhenTheGraphIsTheSameButForItsMeasures()
    {
        Desk desk;
        desk.rightClick(desk.at("layers.2"));
        desk.canvas.setGraph(std::make_shared<graph::ModelGraph>(*desk.graph));
        desk.await();
        QVERIFY(desk.menu() && desk.menu()->isVisible());
        desk.choose("toggle");
        desk.await();
        QCOMPARE(desk.canvas.open(), (OpenBoxes{{BoxKind::Module, 2}}));
    }

    void withoutAModelThereIsNothingToOpen()
    {
        session::Selection selection;
        GraphCanvas canvas(selection);
        canvas.resize(300, 200);
        canvas.show();
        QTest::keyClick(&canvas, Qt::Key_Menu);
        const auto *menu = canvas.findChild<QMenu *>("graphMenu");
        QVERIFY(menu);
        QCOMPARE(menu->actions().size(), 2); // what exports
    }
};

PIPESCOPE_WIDGET_TEST(TestCanvasMenu)
#include "tst_canvas_menu.moc"
