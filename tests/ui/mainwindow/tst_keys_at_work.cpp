#include "../graphview/shown_canvas.h"
#include "graphview/graph_canvas.h"
#include "graphview/split_gutter.h"
#include "mainwindow/canvas_keys.h"
#include "shardview/shard_page.h"
#include "support/qt_warnings.h"
#include "support/test_program.h"
#include "support/trace_builder.h"
#include "support/window_desk.h"
#include "timeline/timeline_view.h"
#include "trace/chrome_trace.h"

#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QRegularExpression>
#include <memory>
#include <utility>

using namespace pipescope;
using graphview::GraphCanvas;
using graphview::SplitGutter;
using timeline::TimelineView;

namespace {

/// The keys of a row of the sheet, without what is done with the pointer: "N or F3, with Shift" are four.
QStringList keysOf(QString row)
{
    static const QRegularExpression pointer("wheel|dragging|click|button");
    QStringList keys;
    for (QString key : row.replace(" or ", ", ").split(", ")) {
        key.remove("then ");
        if (key == "with Shift") {
            for (const QString &plain : QStringList(keys))
                keys << "Shift+" + plain;
        } else if (!key.contains(pointer)) {
            keys << key;
        }
    }
    return keys;
}

void press(QWidget &canvas, const QString &key)
{
    const QKeySequence keys(key, QKeySequence::PortableText);
    QCOMPARE(keys.count(), 1);
    QTest::keyClick(&canvas, keys[0].key(), keys[0].keyboardModifiers());
}

/// A window whose canvases have something to walk in.
struct KeyDesk : tests::WindowDesk
{
    /// Four layers of two operators, a split before the third.
    void openModel()
    {
        report::Inspection model = tests::layersModel(4);
        model.graph = tests::graphFromText(tests::layersText(4));
        model.splitPoints = partition::splitPoints(model.graph);
        begin(file("model.pt"));
        answer(tests::layersModel(4, true));
        QTest::mouseClick(find<QWidget>("trust"), Qt::LeftButton);
        answer(model);
    }
    void openTrace()
    {
        const std::string trace = trace::toChromeJson(tests::evenForward(4, 8, 1000));
        QVERIFY(window.open(file("trace.json", QByteArray::fromStdString(trace))));
        QTRY_VERIFY(timeline().model() != nullptr && timeline().isVisible());
    }
    void await() { QTRY_VERIFY(canvas().picture() != nullptr && !canvas().isLayingOut()); }
    [[nodiscard]] GraphCanvas &canvas() const { return *find<GraphCanvas>("graphCanvas"); }
    [[nodiscard]] SplitGutter &gutter() const { return *find<SplitGutter>("gutter"); }
    [[nodiscard]] TimelineView &timeline() const { return *window.findChild<TimelineView *>(); }
    [[nodiscard]] shardview::ShardPage &shardPage() const { return *window.findChild<shardview::ShardPage *>(); }

    /// A tensor on its way over two steps.
    void openShards()
    {
        trigger("showShards");
        for (const auto &[field, word] : {std::pair("shardMesh", "2,2"), std::pair("shardShape", "8,8"),
                                          std::pair("shardPlacements", "S0,S1"), std::pair("shardTarget", "S1,S0")}) {
            auto *line = find<QLineEdit>(field);
            line->setText(word);
            Q_EMIT line->textEdited(word);
        }
    }
    void open(const QString &where)
    {
        if (where == "timeline")
            openTrace();
        else if (where == "shards")
            openShards();
        else
            openModel();
    }
    /// Whatever was pressed before, so that the key has something to do there.
    QWidget &prepare(const QString &where, const QString &key)
    {
        if (where == "timeline")
            return prepareTimeline(key);
        if (where == "shards")
            return prepareShards();
        window.document().edit("Split", [](plan::Plan &plan) { plan.splits = {"layers.2"}; });
        canvas().closeEverything();
        await();
        return where == "graph" ? prepareGraph(key) : prepareGutter();
    }
    QWidget &prepareTimeline(const QString &key)
    {
        timeline().fitRun();
        timeline().showTimes(2000, 4000);
        timeline().select(timeline::Spot{1, 2, -1});
        if (key.startsWith("Shift+"))
            press(timeline(), "M");
        return timeline();
    }
    /// A rank that has others on both sides, on the first step.
    QWidget &prepareShards()
    {
        shardview::ShardCanvas &shards = shardPage().canvas();
        shards.fit();
        shards.zoomBy(1.5);
        shards.setCurrent(RankId{1});
        press(shards, "Home");
        press(shards, "PgDown");
        return shards;
    }
    QWidget &prepareGraph(const QString &key)
    {
        canvas().fit();
        canvas().zoomBy(1.5);
        canvas().setOverlay(key == "1" ? graphview::Overlay::Time : graphview::Overlay::Stage);
        canvas().search("layers");
        if (key.startsWith("Alt+") || key == "Delete")
            window.selection().select(session::SelectedCut{4});
        else
            window.selection().select(session::SelectedModule{"layers.1", 0});
        if (key == "Left") { // out of what is open
            press(canvas(), "Right");
            await();
        }
        return canvas();
    }
    /// To the split.
    QWidget &prepareGutter()
    {
        const auto title = [this](int gap) { return gutter().rows()[static_cast<std::size_t>(gap)].title; };
        while (gutter().currentGap() > 1)
            press(gutter(), "Up");
        while (gutter().currentGap() < 0 || title(gutter().currentGap()) != "layers.2")
            press(gutter(), "Down");
        return gutter();
    }

    /// All that keys change, in words.
    [[nodiscard]] QString state()
    {
        QString text;
        QDebug all(&text);
        const graphview::Viewport &seen = canvas().viewport();
        all << seen.zoom() << seen.origin() << static_cast<int>(canvas().overlay()) << canvas().currentMatch()
            << canvas().open().size() << canvas().current() << gutter().currentGap();
        all << timeline().coordinates().beginNs << timeline().coordinates().spanNs;
        if (const auto spot = timeline().current())
            all << spot->lane << spot->slice << spot->bubble;
        const shardview::ShardCanvas &shards = shardPage().canvas();
        all << shards.zoom().factor << shards.current().value_or(RankId()).value << find<QLabel>("stepNow")->text();
        for (const std::string &split : window.document().plan().splits)
            all << split.c_str();
        const session::Selected &selected = window.selection().current();
        const auto *module = std::get_if<session::SelectedModule>(&selected);
        const auto *cut = std::get_if<session::SelectedCut>(&selected);
        const auto *action = std::get_if<session::SelectedAction>(&selected);
        const auto *span = std::get_if<session::SelectedSpan>(&selected);
        all << session::idIn<NodeId>(selected).value << (module != nullptr ? module->fqn.c_str() : "")
            << (cut != nullptr ? cut->position : -1) << (action != nullptr ? action->key.microbatch.value : -1)
            << (span != nullptr ? span->endNs : -1);
        return text;
    }
};

} // namespace

/// Each key that the sheet of shortcuts promises is pressed on its canvas.
class TestKeysAtWork : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void eachKeyOfTheSheetDoesSomething_data()
    {
        QTest::addColumn<QString>("where");
        QTest::addColumn<QString>("key");
        for (const actions::KeyRow &row : mainwindow::canvasKeys())
            for (const QString &key : keysOf(row.keys))
                QTest::newRow(qPrintable(row.where + ": " + key)) << row.where << key;
    }

    void eachKeyOfTheSheetDoesSomething()
    {
        QFETCH(QString, where);
        QFETCH(QString, key);
        if (!m_desk || m_where != where) { // one window for all keys of a canvas
            m_desk = std::make_unique<KeyDesk>();
            m_desk->open(where);
            m_where = where;
        }
        QWidget &canvas = m_desk->prepare(where, key);
        const QString before = m_desk->state();
        press(canvas, "Q"); // which is none of them
        QCOMPARE(m_desk->state(), before);
        press(canvas, key);
        QVERIFY2(m_desk->state() != before, qPrintable(before));
    }

    void cleanupTestCase() { m_desk.reset(); }

    void aCanvasThatIsShownHasTheKeyboard_data()
    {
        QTest::addColumn<QString>("from");
        for (const char *dock : {"stagesDock", "runDock", "checkDock", "logDock"})
            QTest::newRow(dock) << dock;
    }

    void aCanvasThatIsShownHasTheKeyboard()
    {
        QFETCH(QString, from);
        KeyDesk desk;
        desk.window.activateWindow();
        desk.openModel();
        desk.openTrace();
        const auto focusOn = [&](const QString &dock) {
            desk.window.findChild<QWidget *>(dock)->setVisible(true);
            desk.window.findChild<QWidget *>(dock)->raise();
            desk.window.findChild<QDockWidget *>(dock)->widget()->setFocus();
        };
        focusOn(from);
        QTest::keyClick(&desk.window, Qt::Key_1, Qt::ControlModifier);
        QTRY_VERIFY(desk.canvas().hasFocus());
        focusOn(from);
        QTest::keyClick(&desk.window, Qt::Key_2, Qt::ControlModifier);
        QTRY_VERIFY(desk.timeline().hasFocus());
        desk.timeline().showTimes(2000, 1000);
        QTest::keyClick(desk.window.focusWidget(), Qt::Key_F);
        QVERIFY(desk.timeline().isFitted());
        focusOn(from);
        QTest::keyClick(&desk.window, Qt::Key_2, Qt::ControlModifier); // where it is already
        QTRY_VERIFY(desk.timeline().hasFocus());
    }

    void aPerspectiveThatHidesWhatHadTheKeyboardGivesItToItsCanvas()
    {
        KeyDesk desk;
        desk.window.activateWindow();
        desk.openModel();
        auto *stages = desk.find<QWidget>("stages"); // which has no dock beside the timeline
        stages->setFocus();
        QTRY_VERIFY(stages->hasFocus());
        desk.window.show(mainwindow::Perspective::Timeline); // as a link does
        QVERIFY(!stages->isVisible());
        QTRY_VERIFY(desk.timeline().hasFocus());
    }

private:
    std::unique_ptr<KeyDesk> m_desk;
    QString m_where;
};

PIPESCOPE_WIDGET_TEST(TestKeysAtWork)
#include "tst_keys_at_work.moc"
