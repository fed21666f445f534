#include "partition/partition.h"
#include "shown_canvas.h"
#include "support/qt_warnings.h"
#include "support/selected.h"
#include "support/test_program.h"

using namespace pipescope;
using namespace pipescope::graphview;
using style::Theme;

namespace {

/// Stages of layers 0 and 1, 2, and 3 and on.
class Staged : public tests::ShownCanvas
{
public:
    explicit Staged(int layers = 4)
        : ShownCanvas(tests::layersText(layers))
    {
        canvas.setStages(partition::makePartition(*graph, {4, 6})->stageOf);
    }
    /// Of the ground right of the boxes, as high as one of them.
    [[nodiscard]] QColor ground(const std::string &title) { return pixel({700, at(title).y()}); }
    [[nodiscard]] QColor strip(const std::string &title) { return pixel(cornerOf(title) + QPoint(4, 12)); }
};

/// How far a colour is from the canvas's own.
int distance(const QColor &colour)
{
    const QColor canvas = Theme::dark().colour(style::Token::Canvas);
    return std::abs(colour.red() - canvas.red()) + std::abs(colour.green() - canvas.green()) +
           std::abs(colour.blue() - canvas.blue());
}

} // namespace

class TestCanvasFollow : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void aSelectedStageStandsOutAndTheOthersStandBack()
    {
        Staged shown;
        const QColor before = shown.ground("layers.2");
        shown.selection.select(StageId{1});
        QVERIFY(distance(shown.ground("layers.2")) > 1.5 * distance(before));
        QCOMPARE(shown.strip("layers.2"), Theme::dark().colour(StageId{1}));
        QVERIFY(shown.strip("layers.0") != Theme::dark().colour(StageId{0}));
        QCOMPARE(shown.canvas.current(), -1);
        QVERIFY2(shown.canvas.accessibleDescription().startsWith("stage 1"),
                 qPrintable(shown.canvas.accessibleDescription()));
        shown.selection.clear();
        QCOMPARE(shown.ground("layers.2"), before);
        QCOMPARE(shown.strip("layers.0"), Theme::dark().colour(StageId{0}));
    }

    void anActionStandsForItsStage()
    {
        Staged shown;
        shown.selection.select(tests::forwardOf(2, 5));
        QCOMPARE(shown.strip("layers.3"), Theme::dark().colour(StageId{2}));
        QVERIFY(shown.strip("layers.2") != Theme::dark().colour(StageId{1}));
    }

    void theBeginningOfTheStageComesIntoView()
    {
        Staged shown(40);
        shown.canvas.setStages(partition::makePartition(*shown.graph, {40})->stageOf);
        QVERIFY(shown.at("layers.20").y() > shown.canvas.height());
        shown.selection.select(StageId{1});
        QVERIFY(shown.canvas.rect().contains(shown.at("layers.20")));
        QVERIFY(shown.canvas.rect().contains(shown.at("layers.21"))); // with some of what follows
        QVERIFY(shown.at("layers.21").y() < Legend::place(shown.canvas.viewport()).top());
        QTest::keyClick(&shown.canvas, Qt::Key_Down); // the keyboard goes on from there
        QVERIFY((shown.selection.current() == session::Selected(session::SelectedModule{"layers.20", 0})));
        shown.selection.select(StageId{0});
        QTest::keyClick(&shown.canvas, Qt::Key_Escape);
        QVERIFY(shown.selection.current() == session::Selected());
    }

    void whatIsSelectedWhileTheCanvasIsHiddenIsInViewOnceItIsShown()
    {
        Staged shown(40);
        shown.canvas.hide();
        shown.selection.select(NodeId{70});
        shown.canvas.show();
        QVERIFY(shown.canvas.rect().contains(shown.at("layers.35")));
    }

    void aModelThatIsNotSplitHasNoStageToShow()
    {
        Staged shown;
        shown.canvas.setStages(partition::makePartition(*shown.graph, {})->stageOf);
        const QColor before = shown.ground("layers.2");
        shown.selection.select(StageId{0});
        QCOMPARE(shown.ground("layers.2"), before);
        shown.selection.select(StageId{7});
        QVERIFY(!shown.canvas.grab().isNull());
    }

    void theMapLiesOverNothingThatIsBroughtIntoView()
    {
        QString text = "in x\n";
        QString last;
        for (int i = 0; i < 9; ++i) { // beside and below one another: wherever the map is, boxes would be under it
            text += QString("call wing%1\na%1 = aten::sin x\nb%1 = aten::cos a%1\nc%1 = aten::tan b%1\nend\n").arg(i);
            last += QString(" c%1").arg(i);
        }
        tests::ShownCanvas shown((text + "d = aten::cat" + last + "\nreturn d\n").toStdString());
        shown.canvas.resize(600, 360);
        shown.canvas.openEverything();
        shown.await();
        const QRectF map = shown.canvas.minimap().place(shown.canvas.viewport());
        const auto isInSight = [&] {
            const QRectF &rect = shown.canvas.picture()->scene.rects[static_cast<std::size_t>(shown.canvas.current())];
            const QRectF place = shown.canvas.viewport().toScreen(rect);
            return QRectF({0, 0}, shown.canvas.viewport().size()).contains(place) && !place.intersects(map);
        };
        QCOMPARE(shown.canvas.search("aten::(sin|cos|tan)"), 27);
        for (int match = 0; match < 27; ++match) {
            shown.canvas.showNextMatch();
            QVERIFY2(isInSight(), qPrintable(QString("match %1").arg(match)));
        }
        for (int node = 26; node >= 0; --node) { // chosen in another view
            shown.selection.select(NodeId{node});
            QVERIFY2(isInSight(), qPrintable(QString("node %1").arg(node)));
        }
        QTest::keyClick(&shown.canvas, Qt::Key_F);
        QVERIFY(!shown.canvas.viewport().toScreen(shown.canvas.picture()->scene.bounds).intersects(map));
    }

    void aModuleIsShownByItsBoxOrByTheBoxThatItIsIn()
    {
        tests::ShownCanvas shown(R"(in x
call block
call block.act
a = aten::relu x
end
call block.act
b = aten::relu a
end
end
return b
)");
        shown.selection.select(session::SelectedModule{"block.act", 1});
        QCOMPARE(shown.canvas.current(), shown.box("block"));
        shown.canvas.openEverything();
        shown.await();
        shown.selection.clear();
        shown.selection.select(session::SelectedModule{"block.act", 1});
        QCOMPARE(shown.canvas.current(), shown.box("act, call 2"));
        shown.selection.select(session::SelectedModule{"block", 0});
        QCOMPARE(shown.canvas.current(), shown.box("block")); // open, and its own box all the same
        shown.selection.select(session::SelectedModule{"no.such", 0});
        QCOMPARE(shown.canvas.current(), -1);
        shown.canvas.setFlat(true);
        shown.await();
        shown.selection.select(session::SelectedModule{"block.act", 1});
        QCOMPARE(shown.canvas.picture()->scene.tree.boxes[static_cast<std::size_t>(shown.canvas.current())].node,
                 NodeId{1});
    }
};

PIPESCOPE_WIDGET_TEST(TestCanvasFollow)
#include "tst_canvas_follow.moc"
