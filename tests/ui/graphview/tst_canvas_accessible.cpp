#include "graphview/graph_canvas.h"

#include "support/graph_builder.h"
#include "support/qt_warnings.h"
#include "support/test_program.h"

#include <QAccessible>
#include <QTest>

using namespace pipescope;
using namespace pipescope::graphview;

namespace {

const char *const AccessibleText = R"(in x
call fc
a = aten::linear x
b = aten::relu a
end
c = aten::add b x
return c
)";

class AccessibleCanvas
{
public:
    AccessibleCanvas()
        : canvas(selection)
    {
        canvas.resize(800, 600);
        canvas.show();
        canvas.setGraph(std::make_shared<graph::ModelGraph>(tests::graphFromText(AccessibleText)));
        canvas.closeEverything();
        await();
    }
    void await() { QTRY_VERIFY(!canvas.isLayingOut()); }
    [[nodiscard]] QAccessibleInterface *root() { return QAccessible::queryAccessibleInterface(&canvas); }

    session::Selection selection;
    GraphCanvas canvas;
};

} // namespace

class TestCanvasAccessible : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void theBoxesAreChildrenInProgramOrder()
    {
        AccessibleCanvas shown;
        QVERIFY(shown.root());
        QCOMPARE(shown.root()->text(QAccessible::Name), QStringLiteral("Model graph"));
        QCOMPARE(shown.root()->role(), QAccessible::List);
        QCOMPARE(shown.root()->childCount(), 4);
        const QStringList names{"x, Tensor", QStringLiteral("fc, Module \u00b7 2 ops, closed"), "add",
                                "return, Tensor"};
        for (int i = 0; i < 4; ++i) {
            QAccessibleInterface *child = shown.root()->child(i);
            QCOMPARE(child->text(QAccessible::Name), names[i]);
            QCOMPARE(child->role(), QAccessible::ListItem);
            QCOMPARE(child->parent(), shown.root());
            QCOMPARE(shown.root()->indexOfChild(child), i);
            QCOMPARE(shown.root()->childAt(child->rect().center().x(), child->rect().center().y()), child);
        }
        QVERIFY(!shown.root()->child(4));
        QVERIFY(!shown.root()->child(-1));
    }

    void statesTellWhatIsSelectedAndOpen()
    {
        AccessibleCanvas shown;
        QVERIFY(shown.root()->child(1)->state().expandable);
        QVERIFY(shown.root()->child(1)->state().collapsed);
        QVERIFY(!shown.root()->child(2)->state().expandable);
        QVERIFY(!shown.root()->child(1)->state().selected);
        QTest::keyClick(&shown.canvas, Qt::Key_Down);
        QTest::keyClick(&shown.canvas, Qt::Key_Down);
        QVERIFY(shown.root()->child(1)->state().selected);
        QTest::keyClick(&shown.canvas, Qt::Key_Return);
        shown.await();
        QCOMPARE(shown.root()->childCount(), 6);
        QVERIFY(shown.root()->child(1)->state().expanded);
        QVERIFY(shown.root()->child(2)->text(QAccessible::Name).startsWith(QStringLiteral("linear")));
    }

    void aModelThatIsGoneLeavesNoChildren()
    {
        AccessibleCanvas shown;
        QVERIFY(shown.root()->child(0));
        shown.canvas.setGraph(nullptr);
        QCOMPARE(shown.root()->childCount(), 0);
        QVERIFY(!shown.root()->child(0));
    }
};

PIPESCOPE_WIDGET_TEST(TestCanvasAccessible)
#include "tst_canvas_accessible.moc"
