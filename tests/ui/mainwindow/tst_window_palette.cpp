#include "actions/command_palette.h"
#include "support/qt_warnings.h"
#include "support/test_program.h"
#include "support/window_desk.h"

#include <QDialog>
#include <QLineEdit>
#include <QPushButton>
#include <QTableView>
#include <QTest>

using namespace pipescope;

namespace {

struct PaletteDesk : tests::WindowDesk
{
    [[nodiscard]] actions::CommandPalette &palette() const { return *find<actions::CommandPalette>("commandPalette"); }
    /// Types into the palette and takes the first answer.
    void find(const QString &words)
    {
        QTest::keyClick(&window, Qt::Key_K, Qt::ControlModifier);
        QVERIFY(palette().isVisible());
        QTest::keyClicks(WindowDesk::find<QLineEdit>("paletteWords"), words);
        QTest::keyClick(WindowDesk::find<QLineEdit>("paletteWords"), Qt::Key_Return);
    }
    using WindowDesk::find;
};

report::TracedRun smallRun()
{
    report::TracedRun run;
    run.trace.ranks = run.trace.stages = 2;
    run.trace.microbatches = 1;
    run.trace.rankNames = {"rank 0", "rank 1"};
    for (int stage = 0; stage < 2; ++stage) {
        trace::Event event;
        event.rank = RankId{stage};
        event.stage = StageId{stage};
        event.microbatch = MicrobatchId{0};
        event.beginNs = stage * 1000;
        event.endNs = event.beginNs + 1000;
        run.trace.events.push_back(event);
    }
    return run;
}

} // namespace

class TestWindowPalette : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void nodesModulesStagesAndSplitPointsAreFoundByWords()
    {
        PaletteDesk desk;
        desk.open();
        QVERIFY(QTest::qWaitForWindowActive(&desk.window));
        desk.find("layers.1 sin");
        QCOMPARE(session::idIn<NodeId>(desk.window.selection().current()), NodeId{1});
        desk.find("layers.0 module");
        QVERIFY((desk.window.selection().current() == session::Selected(session::SelectedModule{"layers.0", 0})));
        desk.find("stage 0");
        QCOMPARE(session::stageIn(desk.window.selection().current()), StageId{0});
        desk.find("layers.1 split before");
        QVERIFY(desk.window.selection().current() == session::Selected(session::SelectedCut{1}));
    }

    void commandsAreDone()
    {
        PaletteDesk desk;
        desk.open();
        QVERIFY(QTest::qWaitForWindowActive(&desk.window));
        desk.window.selection().select(session::SelectedCut{1});
        desk.find("place split");
        QCOMPARE(desk.window.document().plan().splits, std::vector<std::string>{"layers.1"});
    }

    void wordsOfCommandsFindThemFirst_data()
    {
        QTest::addColumn<QStringList>("first");
        const QStringList exports{"Export the graph", "Export the timeline", "Export the shards",
                                  "Export the program order"};
        QTest::newRow("svg") << exports;
        QTest::newRow("png") << exports;
        QTest::newRow("fit") << QStringList{"Fit the run", "Fit the graph"};
        QTest::newRow("run") << QStringList{"Run"};
        QTest::newRow("split") << QStringList{"Split"};
    }

    void wordsOfCommandsFindThemFirst()
    {
        QFETCH(const QStringList, first);
        PaletteDesk desk;
        desk.open();
        QVERIFY(QTest::qWaitForWindowActive(&desk.window));
        QTest::keyClick(&desk.window, Qt::Key_K, Qt::ControlModifier);
        QTest::keyClicks(desk.WindowDesk::find<QLineEdit>("paletteWords"), QTest::currentDataTag());
        QStringList found;
        for (int row = 0; row < first.size(); ++row)
            found << desk.palette().model().index(row).data().toString().remove("...");
        QCOMPARE(found, first);
    }

    void actionsOfTheLastRunAreFoundOnTheTimeline()
    {
        PaletteDesk desk;
        desk.open();
        QVERIFY(QTest::qWaitForWindowActive(&desk.window));
        desk.trigger("run");
        desk.answer(smallRun());
        desk.window.show(mainwindow::Perspective::Split);
        desk.find("1F0");
        QVERIFY(std::holds_alternative<session::SelectedAction>(desk.window.selection().current()));
        QCOMPARE(session::stageIn(desk.window.selection().current()), StageId{1});
        QVERIFY(desk.action("showTimeline").isChecked());
    }

    void itGoesWithTheModelThatItOffers()
    {
        PaletteDesk desk;
        desk.open();
        QVERIFY(QTest::qWaitForWindowActive(&desk.window));
        QTest::keyClick(&desk.window, Qt::Key_K, Qt::ControlModifier);
        QTest::keyClicks(desk.WindowDesk::find<QLineEdit>("paletteWords"), "layers.1 sin");
        QVERIFY(desk.palette().isVisible());
        desk.window.document().setModel(
            std::make_shared<const report::Inspection>(tests::layersModel(1))); // without such a node
        QVERIFY(!desk.palette().isVisible());
    }

    void theFieldOfTheToolBarOpensItToo()
    {
        PaletteDesk desk;
        QTest::mouseClick(desk.find<QPushButton>("paletteField"), Qt::LeftButton);
        QVERIFY(desk.palette().isVisible());
        QTest::keyClick(desk.find<QLineEdit>("paletteWords"), Qt::Key_Escape);
        QVERIFY(!desk.palette().isVisible());
    }

    void theShortcutSheetIsOneKeyAway()
    {
        PaletteDesk desk;
        QVERIFY(QTest::qWaitForWindowActive(&desk.window));
        QTest::keyClick(&desk.window, Qt::Key_F1);
        QTRY_VERIFY(desk.find<QDialog>("shortcutSheet") != nullptr);
        QVERIFY(desk.find<QDialog>("shortcutSheet")->isVisible());
        const auto &keys = *desk.find<QTableView>("shortcuts");
        const QAbstractItemView &view = keys; // where the hint is public
        for (int column = 0; column < keys.model()->columnCount(); ++column)
            QVERIFY2(view.sizeHintForColumn(column) <= keys.columnWidth(column), "a row is cut off");
    }
};

PIPESCOPE_WIDGET_TEST(TestWindowPalette)
#include "tst_window_palette.moc"
