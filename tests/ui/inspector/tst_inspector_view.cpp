#include "inspector/inspector_view.h"

#include "../session/fake_link.h"
#include "inspector/fact_browser.h"
#include "inspector/histogram.h"
#include "known.h"
#include "style/theme.h"
#include "support/qt_warnings.h"
#include "support/selected.h"
#include "support/test_program.h"

#include <QAction>
#include <QApplication>
#include <QImage>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableView>
#include <QTest>
#include <QTextCursor>
#include <QToolButton>

using namespace pipescope;
using namespace pipescope::session;
using namespace pipescope::inspector;

namespace {

struct Desk
{
    FakeEngine engine;
    Document document;
    EngineClient client{[this] { return std::make_unique<FakeLink>(engine); }};
    RunController controller{document, client};
    Selection selection;
    TensorProbe probe{client};
    InspectorView view{document, controller, selection, probe};

    Desk()
    {
        view.resize(320, 700);
        view.show();
        document.newFor("model.pt");
        client.start();
        engine.greet();
        document.edit("Split", [](plan::Plan &plan) {
            plan.splits = {"layers.1"};
            plan.microbatches = 2;
        });
        document.setModel(std::make_shared<const report::Inspection>(tests::twoStageModel()));
    }
    [[nodiscard]] FactBrowser &facts() const { return *view.findChild<FactBrowser *>("facts"); }
    [[nodiscard]] FactBrowser &numbers() const { return *view.findChild<FactBrowser *>("numbers"); }
    [[nodiscard]] QPushButton &look() const { return *view.findChild<QPushButton *>("look"); }
    [[nodiscard]] report::StatisticsRequest asked() const
    {
        return *protocol::fromBody<report::StatisticsRequest>(engine.requests.back().body);
    }
};

report::StatisticsReport statistics()
{
    report::LeafStatistics leaf;
    leaf.dtype = "float32";
    leaf.sizes = {4};
    leaf.count = 4;
    leaf.mean = 0.5;
    leaf.smallest = 0;
    leaf.largest = 1;
    leaf.histogram = {1, 3};
    report::StatisticsReport report;
    report.name = "layers.0.weight";
    report.leaves = {leaf};
    return report;
}

/// Where a link stands, by the text it is under.
QPoint placeOf(const FactBrowser &facts, const QString &text)
{
    const QTextCursor found = facts.document()->find(text);
    QTextCursor inside(facts.document());
    inside.setPosition(found.selectionStart() + 2);
    return facts.cursorRect(inside).center();
}

} // namespace

class TestInspectorView : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void withNothingSelectedItTellsOfTheModel()
    {
        Desk desk;
        QVERIFY(desk.facts().toPlainText().contains("whole model"));
        QVERIFY(!desk.look().isVisible());
        desk.document.setModel(nullptr);
        QVERIFY(desk.view.findChild<QLabel *>("nothing")->isVisible());
        QVERIFY(!desk.facts().isVisible());
    }

    void aClickedLinkIsTheNextSelection()
    {
        Desk desk;
        desk.selection.select(NodeId{0});
        QVERIFY(desk.facts().toPlainText().contains("layers.0/aten::linear"));
        QTest::mouseClick(desk.facts().viewport(), Qt::LeftButton, {}, placeOf(desk.facts(), "layers.0/aten::relu_"));
        QCOMPARE(session::idIn<NodeId>(desk.selection.current()), NodeId{1});
        QVERIFY(desk.facts().toPlainText().startsWith("layers.0/aten::relu_"));
    }

    void parametersAndBuffersCanBeShownAsShardsAndNothingElse()
    {
        Desk desk;
        auto &button = *desk.view.findChild<QPushButton *>("showAsShards");
        QVERIFY(!button.isVisible());
        const QSignalSpy asked(&desk.selection, &Selection::shardsAsked);
        for (const char *fqn : {"layers.0.weight", "layers.1.running"}) {
            desk.selection.select(SelectedParameter{fqn});
            QVERIFY2(button.isVisible(), fqn);
            QTest::mouseClick(&button, Qt::LeftButton);
        }
        QCOMPARE(asked.size(), 2);
        QCOMPARE(asked[0][0].value<TensorToShow>(), (TensorToShow{"layers.0.weight", {1024}, "float32"}));
        QCOMPARE(asked[1][0].value<TensorToShow>(), (TensorToShow{"layers.1.running", {16}, "float32"}));
        desk.selection.select(NodeId{0});
        QVERIFY(!button.isVisible());
        desk.selection.select(StageId{0});
        QVERIFY(!button.isVisible());
    }

    void aParameterOfUnknownShapeCannotBeShownAsShards()
    {
        Desk desk;
        report::Inspection model = tests::twoStageModel();
        model.graph.parameters.front().tensor.sizes = {-1, 4};
        desk.document.setModel(std::make_shared<const report::Inspection>(model));
        desk.selection.select(SelectedParameter{"layers.0.weight"});
        QVERIFY(desk.facts().toPlainText().startsWith("layers.0.weight"));
        QVERIFY(!desk.view.findChild<QPushButton *>("showAsShards")->isVisible());
    }

    void linksAreReachedByTabAndFollowedByEnter()
    {
        Desk desk;
        desk.selection.select(NodeId{0});
        QApplication::setActiveWindow(&desk.view);
        desk.facts().setFocus();
        QTest::keyClick(&desk.facts(), Qt::Key_Tab); // the first link is the stage's
        QTest::keyClick(&desk.facts(), Qt::Key_Return);
        QCOMPARE(session::stageIn(desk.selection.current()), StageId{0});
    }

    void aLongListUnfoldsWhereItStands()
    {
        Desk desk;
        report::Inspection many = tests::twoStageModel();
        many.path = "many.pt";
        for (int i = 0; i < 20; ++i)
            many.operators.emplace_back("aten::op" + std::to_string(i), 1);
        desk.document.setModel(std::make_shared<const report::Inspection>(many));
        QVERIFY(desk.facts().toPlainText().contains("14 more kinds"));
        QVERIFY(!desk.facts().toPlainText().contains("op19"));
        const int before = desk.facts().height();
        QTest::mouseClick(desk.facts().viewport(), Qt::LeftButton, {}, placeOf(desk.facts(), "14 more kinds"));
        QVERIFY(desk.facts().toPlainText().contains("op19"));
        QVERIFY(!desk.facts().toPlainText().contains("more kinds"));
        QVERIFY(desk.facts().height() > before);
        QVERIFY(desk.selection.current() == Selected()); // nothing else was pressed
        // What is unfolded stays while it is about the same, and is folded again for what comes next.
        desk.document.edit("Other", [](plan::Plan &plan) { plan.microbatches = 4; });
        QVERIFY(desk.facts().toPlainText().contains("op19"));
        desk.selection.select(NodeId{0});
        desk.selection.clear();
        QVERIFY(desk.facts().toPlainText().contains("14 more kinds"));
    }

    void aListUnfoldsByKeyboardToo()
    {
        Desk desk;
        report::Inspection many = tests::twoStageModel();
        many.path = "many.pt";
        many.graph.arguments.clear();
        many.graph.outputs.clear();
        for (int i = 0; i < 20; ++i)
            many.operators.emplace_back("aten::op" + std::to_string(i), 1);
        desk.document.setModel(std::make_shared<const report::Inspection>(many));
        QApplication::setActiveWindow(&desk.view);
        desk.facts().setFocus();
        QTest::keyClick(&desk.facts(), Qt::Key_Tab);
        QTest::keyClick(&desk.facts(), Qt::Key_Return);
        QVERIFY(desk.facts().toPlainText().contains("op19"));
    }

    void aStageHasAChipInItsColour()
    {
        Desk desk;
        desk.selection.select(NodeId{2});
        const QTextCursor stage = desk.facts().document()->find("stage 1");
        QTextCursor start(desk.facts().document());
        start.setPosition(stage.selectionStart());
        const QRect text = desk.facts().cursorRect(start);
        const QImage image = desk.facts().viewport()->grab().toImage();
        int coloured = 0;
        for (int x = text.left() - 24; x < text.left(); ++x)
            for (int y = text.top(); y < text.bottom(); ++y)
                coloured += image.pixelColor(x, y) == style::Theme::dark().colour(StageId{1}) ? 1 : 0;
        QVERIFY2(coloured > 60, qPrintable(QString::number(coloured)));
    }

    void aModuleIsToldOfAndItsLinksAreFollowed()
    {
        Desk desk;
        desk.selection.select(session::SelectedModule{"layers.0", 0});
        QVERIFY(desk.facts().toPlainText().startsWith("layers.0"));
        QTest::mouseClick(desk.facts().viewport(), Qt::LeftButton, {}, placeOf(desk.facts(), "layers.0.weight"));
        QVERIFY(desk.selection.current() == session::Selected(session::SelectedParameter{"layers.0.weight"}));
    }

    void nothingIsWiderThanThePanel()
    {
        Desk desk;
        for (int node = 0; node < 3; ++node) {
            desk.selection.select(NodeId{node});
            QVERIFY(desk.facts().document()->size().width() <= desk.facts().viewport()->width() + 1);
            QVERIFY(desk.view.widget()->width() <= desk.view.viewport()->width());
        }
    }

    void onlyTheFileThatWasLookedAtIsLookedInto()
    {
        Desk desk;
        report::Inspection model = tests::twoStageModel();
        model.path = desk.document.plan().model;
        model.sha256 = std::string(64, 'a');
        desk.document.setModel(std::make_shared<const report::Inspection>(model));
        desk.selection.select(session::SelectedParameter{"layers.0.weight"});
        QCOMPARE(desk.asked().expectedSha256, model.sha256);
    }

    void eachRunHasALateTimeOfItsOwn()
    {
        Desk desk;
        report::TracedRun run = tests::twoStageRun();
        run.plan = desk.document.plan();
        const auto finish = [&] {
            desk.controller.run();
            desk.engine.answer(desk.engine.requests.back().id, run);
        };
        finish();
        desk.selection.select(tests::forwardOf(1, 0));
        QVERIFY(desk.facts().toPlainText().contains("2.10 ms for stage 0"));
        for (trace::Event &event : run.trace.events)
            if (event.kind == trace::EventKind::Send)
                event.beginNs = event.endNs = 1'000'000;
        finish();
        QVERIFY(desk.facts().toPlainText().contains("1.00 ms for stage 0"));
        QVERIFY(desk.facts().toPlainText().contains("not running"));
    }

    void anActionIsToldOfInTheRunThatItIsOf()
    {
        Desk desk;
        report::TracedRun run = tests::twoStageRun();
        run.plan = desk.document.plan();
        const auto finish = [&] {
            desk.controller.run();
            desk.engine.answer(desk.engine.requests.back().id, run);
            return desk.controller.idOf(desk.controller.runs().back().get());
        };
        const RunId first = finish();
        run.trace.events[0].endNs = 1'000'000; // 0F0
        const RunId second = finish();
        desk.selection.select(tests::forwardOf(0, 0, first));
        QVERIFY(desk.facts().toPlainText().contains("2.00 ms (stage's median"));
        QVERIFY(desk.facts().toPlainText().contains("Run 1"));
        desk.selection.select(tests::forwardOf(0, 0, second));
        QVERIFY(desk.facts().toPlainText().contains("1.00 ms (stage's median"));
        QVERIFY(desk.facts().toPlainText().contains("Run 2"));
        // Links lead to the same run.
        desk.selection.select(tests::forwardOf(1, 0, first));
        QTest::mouseClick(desk.facts().viewport(), Qt::LeftButton, {}, placeOf(desk.facts(), "h0 512 B from stage 0"));
        QVERIFY(desk.selection.current() == Selected(tests::forwardOf(0, 0, first)));
    }

    void anActionOfNoKeptRunIsLeftToTheTimeline()
    {
        Desk desk;
        report::TracedRun run = tests::twoStageRun();
        run.plan = desk.document.plan();
        desk.controller.run();
        desk.engine.answer(desk.engine.requests.back().id, run);
        desk.selection.select(tests::forwardOf(0, 0, desk.controller.newId()));
        const auto &nothing = *desk.view.findChild<QLabel *>("nothing");
        QVERIFY(nothing.isVisible() && !desk.facts().isVisible());
        QVERIFY2(nothing.text().startsWith("This is of a trace file, or of a run that has not finished"),
                 qPrintable(nothing.text()));
        desk.selection.clear();
        QVERIFY(!nothing.isVisible());
    }

    void anActionOfARunThatFailedAtOnceIsNotSaidToBeShown()
    {
        Desk desk;
        desk.controller.run();
        desk.engine.say(
            protocol::Response{desk.engine.requests.back().id, Error{ErrorCode::ModelFailed, "it broke", {}, {}}});
        desk.selection.select(tests::forwardOf(0, 0, desk.controller.begun().id));
        const auto &nothing = *desk.view.findChild<QLabel *>("nothing");
        QVERIFY(nothing.isVisible() && !desk.facts().isVisible());
        QVERIFY2(!nothing.text().contains("shows this"), qPrintable(nothing.text()));
        QVERIFY2(nothing.text().endsWith("as much of it as was recorded."), qPrintable(nothing.text()));
    }

    void aSmallParameterIsLookedIntoAtOnce()
    {
        Desk desk;
        desk.selection.select(session::SelectedParameter{"layers.0.weight"});
        QCOMPARE(desk.engine.requests.back().method, std::string(protocol::StatisticsCall::method));
        QCOMPARE(desk.asked().parameter, std::string("layers.0.weight"));
        desk.engine.answer(desk.engine.requests.back().id, statistics());
        QVERIFY(desk.numbers().isVisible());
        QVERIFY(desk.numbers().toPlainText().contains("0.5"));
        QCOMPARE(desk.view.findChild<Histogram *>("histogram")->bins().counts, (std::vector<std::int64_t>{1, 3}));
        desk.selection.select(StageId{1});
        QVERIFY(!desk.numbers().isVisible());
    }

    void numbersOfAFileThatIsAnotherByNowAreNotShown()
    {
        Desk desk;
        const auto read = [&desk](const std::string &sha256) {
            report::Inspection model = tests::twoStageModel();
            model.path = "model.pt";
            model.sha256 = sha256;
            desk.document.setModel(std::make_shared<const report::Inspection>(model));
        };
        read(std::string(64, 'a'));
        desk.selection.select(session::SelectedParameter{"layers.0.weight"});
        QCOMPARE(desk.asked().expectedSha256, std::string(64, 'a'));
        desk.engine.answer(desk.engine.requests.back().id, statistics());
        QVERIFY(desk.numbers().isVisible());
        read(std::string(64, 'b'));
        QVERIFY(!desk.numbers().isVisible());
        QCOMPARE(desk.asked().expectedSha256, std::string(64, 'b'));
        desk.engine.answer(desk.engine.requests.back().id, statistics());
        QVERIFY(desk.numbers().isVisible());
    }

    void theHistogramsBinsAreATableOnDemand()
    {
        Desk desk;
        auto *asTable = desk.view.findChild<QToolButton *>("binsAsTable");
        const auto *histogram = desk.view.findChild<Histogram *>("histogram");
        const auto *table = desk.view.findChild<QTableView *>("bins");
        desk.selection.select(session::SelectedParameter{"layers.0.weight"});
        QVERIFY(!asTable->isVisible() && !table->isVisible());
        desk.engine.answer(desk.engine.requests.back().id, statistics());
        QVERIFY(histogram->isVisible() && !table->isVisible());
        QApplication::setActiveWindow(&desk.view);
        asTable->setFocus(Qt::TabFocusReason);
        QVERIFY(asTable->focusPolicy() & Qt::TabFocus);
        QTest::keyClick(asTable, Qt::Key_Space);
        QVERIFY(!histogram->isVisible() && table->isVisible());
        QCOMPARE(table->accessibleName(), QString("Bins of the histogram"));
        QVERIFY(!table->findChildren<QAction *>("exportCsv").isEmpty());
        QCOMPARE(table->model()->rowCount(), 2);
        QCOMPARE(table->model()->index(1, 2).data().toString(), QString("3"));
        QCOMPARE(table->model()->index(1, 0).data().toString(), QString("0.5"));

        desk.selection.select(StageId{1});
        QVERIFY(!asTable->isVisible() && !table->isVisible() && !histogram->isVisible());
        desk.selection.select(session::SelectedParameter{"layers.0.weight"});
        QVERIFY(!histogram->isVisible() && table->isVisible());
    }

    void aValueIsLookedIntoWhenAskedFor()
    {
        Desk desk;
        desk.selection.select(NodeId{2});
        const std::size_t before = desk.engine.requests.size();
        auto *microbatch = desk.view.findChild<QSpinBox *>("microbatch");
        QCOMPARE(microbatch->text(), QString("whole batch"));
        microbatch->setValue(1);
        QCOMPARE(desk.engine.requests.size(), before);
        QTest::mouseClick(&desk.look(), Qt::LeftButton);
        QCOMPARE(desk.asked().microbatch, MicrobatchId{1});
        QCOMPARE(desk.asked().value, desk.document.model()->graph.nodes[2].outputs[0]);
        QVERIFY(!desk.look().isEnabled());
        desk.engine.say(
            protocol::Response{desk.engine.requests.back().id,
                               Error{ErrorCode::InvalidArgument, "missing a required argument: 'x'", {}, {}}});
        QCOMPARE(desk.view.findChild<QLabel *>("said")->text(), QString("missing a required argument: 'x'"));
        QVERIFY(desk.look().isEnabled());
    }

    void anAnswerAboutAnotherMicrobatchIsNotShown()
    {
        Desk desk;
        desk.selection.select(NodeId{2});
        QTest::mouseClick(&desk.look(), Qt::LeftButton);
        desk.engine.answer(desk.engine.requests.back().id, statistics());
        QVERIFY(desk.numbers().isVisible());
        desk.view.findChild<QSpinBox *>("microbatch")->setValue(0);
        QVERIFY(!desk.numbers().isVisible());
    }
};

PIPESCOPE_WIDGET_TEST(TestInspectorView)
#include "tst_inspector_view.moc"
