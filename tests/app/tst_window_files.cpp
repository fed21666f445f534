#include "app/story.h"
#include "support/qt_warnings.h"
#include "support/real_model.h"
#include "support/test_program.h"

#include <algorithm>

using namespace pipescope;
using tests::Long;
using tests::Story;

/// The window on a model file that others made.
class TestWindowFiles : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { tests::needRealModels({"silero_vad.jit"}); }
    void init() { tests::failOnWarnings(); }

    void openProfileSplitRunCheckSaveAndReopen()
    {
        Story story;
        story.openAndTrust(m_silero);
        story.profileSplitRunCheckSaveAndReopen({"float32[16,512]", "16000"}, {.isSeparable = false, .hasGaps = false});
    }

    void sileroIsSeenBeforeItIsTrusted()
    {
        Story story;
        story.start();
        QVERIFY(story.window->open(m_silero));
        QTRY_VERIFY_WITH_TIMEOUT(story.window->document().model() != nullptr, Long);
        const auto model = story.window->document().model();
        QVERIFY(model->structureOnly);
        QVERIFY(story.find<QWidget>("trustBar")->isVisible());
        const auto *canvas = story.find<graphview::GraphCanvas>("graphCanvas");
        QTRY_VERIFY_WITH_TIMEOUT(canvas->picture() && canvas->picture()->graph.get() == &model->graph, Long);
        const auto &boxes = canvas->picture()->scene.tree.boxes;
        QVERIFY(std::count_if(boxes.begin(), boxes.end(),
                              [](const graphview::Box &box) { return box.parent >= 0 && box.begin < box.end; }) > 10);
        QVERIFY(std::any_of(boxes.begin(), boxes.end(), [](const graphview::Box &box) { return box.title == "cat"; }));
        QVERIFY(story.find<graphview::SplitGutter>("gutter")->rows().size() > 10);
        const auto &nodes = model->graph.nodes;
        QVERIFY(std::any_of(nodes.begin(), nodes.end(), [](const graph::Node &node) {
            return node.fqn == "_model.encoder.0.reparam_conv" && node.op == "aten::conv1d";
        }));
        story.trust();
        QTRY_VERIFY_WITH_TIMEOUT(story.isLoaded(), Long);
    }

private:
    const QString m_silero = QString::fromStdString(tests::realModel("silero_vad.jit"));
};

PIPESCOPE_WIDGET_TEST(TestWindowFiles)
#include "tst_window_files.moc"
