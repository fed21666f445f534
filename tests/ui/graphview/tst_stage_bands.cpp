#include "graphview/stage_bands.h"

#include "partition/partition.h"
#include "shown_canvas.h"
#include "support/qt_warnings.h"
#include "support/recorded_painting.h"
#include "support/test_program.h"

using namespace pipescope;
using namespace pipescope::graphview;

namespace {

struct Standing
{
    double top;
    double bottom;
    int first; ///< stage
    int last;
    bool isOpen = false;
};

/// Of boxes that stand so, beside one another.
std::vector<StageBand> bandsOf(const std::vector<Standing> &standing)
{
    GraphScene scene;
    scene.tree.boxes.resize(1); // the model
    scene.rects.resize(1);
    std::vector<StageSpan> stages(1);
    for (const Standing &box : standing) {
        Box made;
        made.group = box.isOpen ? 1 : -1;
        scene.tree.boxes.push_back(made);
        scene.rects.emplace_back(100 * static_cast<double>(scene.rects.size()), box.top, 80, box.bottom - box.top);
        stages.push_back({StageId{box.first}, StageId{box.last}});
    }
    return stageBands(scene, stages);
}

} // namespace

class TestStageBands : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void stagesBelowOneAnotherStandAlone()
    {
        QCOMPARE(bandsOf({{0, 28, 0, 0}, {64, 92, 0, 0}, {128, 156, 1, 1}}),
                 (std::vector<StageBand>{{0, 92, true}, {128, 156, true}}));
    }

    void stagesThatInterlockDoNotWhicheverIsBetweenThem()
    {
        // Stage 2 begins beside stage 0 and goes on below stage 1.
        QCOMPARE(bandsOf({{0, 28, 0, 0}, {64, 92, 1, 1}, {10, 38, 2, 2}, {128, 156, 2, 2}}),
                 (std::vector<StageBand>{{0, 28, false}, {64, 92, true}, {10, 156, false}}));
    }

    void aBoxOfAnyOtherStageBesideItIsEnough()
    {
        QCOMPARE(bandsOf({{0, 28, 0, 0}, {64, 92, 1, 1}, {0, 28, 2, 2}, {60, 104, 2, 2}}),
                 (std::vector<StageBand>{{0, 28, false}, {64, 92, false}, {0, 104, false}}));
    }

    void aClosedBoxOfTwoStagesIsInBothAndNeitherStandsAlone()
    {
        QCOMPARE(bandsOf({{0, 28, 0, 0}, {64, 108, 0, 1}, {144, 172, 1, 1}}),
                 (std::vector<StageBand>{{0, 108, false}, {64, 172, false}}));
    }

    void anOpenBoxesEdgesAreTakenInAsFarAsEveryOtherStageLeavesRoom()
    {
        // The open one is of stages 1 and 2. Stage 3 begins beside its header.
        QCOMPARE(bandsOf({{0, 28, 0, 0},
                          {50, 300, 1, 2, true},
                          {100, 128, 1, 1},
                          {200, 228, 2, 2},
                          {40, 68, 3, 3},
                          {330, 358, 3, 3}}),
                 (std::vector<StageBand>{{0, 28, true}, {68, 128, true}, {200, 300, true}, {40, 358, false}}));
    }

    void aStageWithoutBoxesStandsInNobodysWay()
    {
        QCOMPARE(bandsOf({{-50, -22, 0, 0}, {10, 38, 2, 2}}),
                 (std::vector<StageBand>{{-50, -22, true}, {0, -1, false}, {10, 38, true}}));
    }

    void aTitleTellsParametersAndConstantsOfTheCode()
    {
        const auto graph = tests::graphFromText("in x\nparam w w 1024\nconst c table 1024\na = aten::f x w c\n"
                                                "b = aten::f a w\nd = aten::sin b\nreturn d\n");
        const auto titles = stageTitles(graph, {StageId{0}, StageId{1}, StageId{2}});
        QCOMPARE(titles[0].detail, QString("2.00 KiB parameters and constants"));
        QCOMPARE(titles[1].detail, QString("1.00 KiB parameters"));
        QCOMPARE(titles[2].detail, QString("no parameters"));
    }

    void aTitleStandsBesideAPill()
    {
        const tests::ShownCanvas shown;
        const auto stages = partition::makePartition(*shown.graph, {4})->stageOf;
        const Picture &picture = *shown.canvas.picture();
        const auto bands = stageBands(picture.scene, stagesOf(*shown.graph, picture.scene.tree, stages));
        Look look;
        look.theme = &style::Theme::dark();
        const auto titleAt = [&](const std::vector<QRectF> &pills) {
            tests::RecordingDevice device(shown.canvas.size());
            QPainter painter(&device);
            TextCache texts{GraphFonts(shown.canvas.font())};
            paintStageTitles(painter, texts, picture, shown.canvas.viewport(), look, bands,
                             stageTitles(*shown.graph, stages), pills);
            const tests::PaintedText *title = device.painting.text(QStringLiteral("stage 1 · layers.2–3"));
            return title != nullptr ? title->at : QPointF();
        };
        const QPointF alone = titleAt({});
        QCOMPARE(alone.x(), 18.0);
        QCOMPARE(titleAt({QRectF(12, alone.y() + 30, 58, 18)}), alone);
        QCOMPARE(titleAt({QRectF(12, alone.y() - 10, 58, 18)}), alone + QPointF(60, 0));
    }
};

PIPESCOPE_WIDGET_TEST(TestStageBands)
#include "tst_stage_bands.moc"
