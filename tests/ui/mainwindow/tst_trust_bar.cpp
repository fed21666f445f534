#include "mainwindow/trust_bar.h"

#include "plan/plan_file.h"

#include "support/qt_warnings.h"
#include "support/test_program.h"
#include "support/window_desk.h"

#include <QApplication>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>
#include <QTimer>
#include <QWidget>

using namespace pipescope;
using namespace pipescope::session;
using mainwindow::MainWindow;
using tests::twoLayers;

namespace {

struct TrustBarDesk : tests::WindowDesk
{
    [[nodiscard]] bool isAsked() const { return find<QWidget>("trustBar")->isVisible(); }
    [[nodiscard]] bool asksStructureOnly() const
    {
        return protocol::fromBody<report::InspectRequest>(engine.requests.back().body)->structureOnly;
    }
    [[nodiscard]] QString saved(const plan::Plan &plan) const
    {
        const QString path = folder.filePath("plan.json");
        if (!plan::savePlan(plan, path.toStdString()))
            qFatal("no plan");
        return path;
    }
};

void chooseFile(const QString &path)
{
    QTimer::singleShot(0, [path] {
        if (auto *dialog = qobject_cast<QFileDialog *>(QApplication::activeModalWidget())) {
            auto *name = dialog->findChild<QLineEdit *>("fileNameEdit");
            name->setText(path);
            QTest::keyClick(name, Qt::Key_Return);
        }
    });
}

} // namespace

/// The bar in its window: what is read, asked about and loaded.
class TestTrustBar : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void aFileIsReadFirstAndLoadedWhenTheUserSaysSo()
    {
        TrustBarDesk desk;
        QVERIFY(!desk.isAsked());
        desk.begin(desk.file("model.pt"));
        QVERIFY(desk.asksStructureOnly());
        desk.answer(twoLayers(true));
        QVERIFY(desk.isAsked());
        QVERIFY(!desk.action("run").isEnabled());
        QVERIFY(desk.action("run").toolTip().contains("trust and load"));
        auto *bar = desk.find<QWidget>("trustBar");
        QVERIFY(bar->findChild<QLabel *>()->text().contains("Nothing in this file has run"));
        QTest::mouseClick(desk.find<QPushButton>("trust"), Qt::LeftButton);
        QVERIFY(!desk.asksStructureOnly());
        QVERIFY(bar->findChild<QLabel *>()->text().contains("is being loaded, which runs code in it"));
        QVERIFY(!desk.find<QPushButton>("trust")->isEnabled());
        desk.answer(twoLayers(false));
        QVERIFY(!desk.isAsked());
        QVERIFY(desk.action("run").isEnabled());
    }

    void aFileWhoseLoadingWasBegunMayHaveRun()
    {
        TrustBarDesk desk;
        desk.begin(desk.file("model.pt"));
        desk.answer(twoLayers(true));
        const auto *bar = desk.find<QWidget>("trustBar")->findChild<QLabel *>();
        desk.window.controller().look(RunController::Look::Reading);
        QVERIFY2(bar->text().contains("Nothing in this file has run"), qPrintable(bar->text()));
        desk.answer(twoLayers(true));
        QTest::mouseClick(desk.find<QPushButton>("trust"), Qt::LeftButton);
        desk.refuse({ErrorCode::Cancelled, "cancelled", {}, {}});
        QVERIFY(desk.isAsked() && desk.find<QPushButton>("trust")->isEnabled());
        QVERIFY2(bar->text().contains("code in it may have run"), qPrintable(bar->text()));
        desk.window.controller().look(RunController::Look::Reading);
        report::Inspection other = twoLayers(true);
        other.sha256 = std::string(64, 'b');
        desk.answer(other);
        QVERIFY2(bar->text().contains("Nothing in this file has run"), qPrintable(bar->text()));
    }

    void whatIsTrustedOnAnotherMachineIsAskedAboutHere()
    {
        TrustBarDesk desk;
        desk.engine.elsewhere = "ssh host pipescope-cli serve";
        desk.begin(desk.file("model.pt"));
        desk.answer(twoLayers(true));
        QTest::mouseClick(desk.find<QPushButton>("trust"), Qt::LeftButton);
        desk.answer(twoLayers(false));
        QVERIFY(!desk.isAsked());
        QVERIFY(Trust(desk.settings).isTrusted(QString(64, 'a'), {}, desk.engine.elsewhere));
        QVERIFY(!Trust(desk.settings).isTrusted(QString(64, 'a'), {}));
    }

    void anAnswerGivenAfterTheEngineBecameAnotherIsNoneOfItsFile()
    {
        TrustBarDesk desk;
        desk.engine.elsewhere = "ssh host pipescope-cli serve";
        desk.begin(desk.file("model.pt"));
        desk.answer(twoLayers(true));
        desk.engine.elsewhere.clear();
        desk.window.engine().stop();
        QTest::mouseClick(desk.find<QPushButton>("trust"), Qt::LeftButton);
        QTRY_COMPARE(desk.engine.starts, 2);
        desk.greeted();
        QVERIFY(desk.asksStructureOnly());
        desk.answer(twoLayers(true));
        QVERIFY(desk.isAsked());
        QVERIFY(!Trust(desk.settings).isTrusted(QString(64, 'a'), {}));
    }

    void anotherCommandForTheEngineEndsItAndHasWhatIsOpenReadAnew()
    {
        TrustBarDesk desk;
        desk.engine.elsewhere = "ssh host pipescope-cli serve";
        desk.open();
        QVERIFY(!desk.isAsked());
        QTimer::singleShot(0, [&desk] {
            auto *dialog = QApplication::activeModalWidget();
            desk.engine.elsewhere.clear();
            dialog->findChild<QLineEdit *>("engineCommand")->setText("mine");
            dialog->close();
        });
        desk.trigger("settings");
        QTRY_COMPARE(desk.engine.starts, 2);
        desk.engine.greet();
        QVERIFY(desk.asksStructureOnly());
        desk.answer(twoLayers(true));
        QVERIFY(desk.isAsked());
        const auto *bar = desk.find<QWidget>("trustBar")->findChild<QLabel *>();
        QVERIFY2(bar->text().contains("code in it may have run"), qPrintable(bar->text()));
    }

    void whatWasTrustedOnThatMachineIsLoadedThereWithoutAQuestion()
    {
        TrustBarDesk desk;
        desk.engine.elsewhere = "ssh host pipescope-cli serve";
        Trust(desk.settings).trust(QString(64, 'a'), desk.engine.elsewhere);
        desk.begin(desk.file("model.pt"));
        desk.answer(twoLayers(true));
        QVERIFY(!desk.asksStructureOnly());
    }

    void aFolderThatIsTrustedHereSaysNothingOfFilesElsewhere_data()
    {
        QTest::addColumn<bool>("isModelKnown");
        QTest::newRow("a model") << false;
        QTest::newRow("a library of a known model") << true;
    }

    void aFolderThatIsTrustedHereSaysNothingOfFilesElsewhere()
    {
        QFETCH(bool, isModelKnown);
        TrustBarDesk desk;
        desk.engine.elsewhere = "ssh host pipescope-cli serve";
        Trust trust(desk.settings);
        trust.trustFolder(desk.folder.path());
        plan::Plan plan;
        plan.model = desk.file("model.pt").toStdString();
        if (isModelKnown) {
            trust.trust(QString(64, 'a'), desk.engine.elsewhere);
            plan.opLibraries = {desk.file("ops.so").toStdString()};
        }
        desk.begin(desk.saved(plan));
        desk.answer(twoLayers(true));
        QVERIFY(desk.isAsked() && desk.asksStructureOnly());
    }

    void theExampleIsTrustedWhereTheProgramIs_data()
    {
        QTest::addColumn<QString>("elsewhere");
        QTest::newRow("here") << QString();
        QTest::newRow("elsewhere") << "ssh host pipescope-cli serve";
    }

    void theExampleIsTrustedWhereTheProgramIs()
    {
        QFETCH(QString, elsewhere);
        TrustBarDesk desk;
        desk.engine.elsewhere = elsewhere;
        plan::Plan plan;
        plan.model = desk.file("model.pt").toStdString();
        const session::ExamplePlaces example{{desk.saved(plan)}, {}, {}};
        const MainWindow window([&desk] { return std::make_unique<FakeLink>(desk.engine); }, desk.settings,
                                style::Theme::dark(), {{}, example});
        window.actionTable().action("openExample").trigger();
        desk.greeted();
        desk.answer(twoLayers(true));
        QCOMPARE(desk.asksStructureOnly(), !elsewhere.isEmpty());
    }

    void whatWasSelectedOfTheStructureStaysSelectedWhereItIsTheSame()
    {
        TrustBarDesk desk;
        desk.begin(desk.file("model.pt"));
        report::Inspection read = twoLayers(true);
        std::swap(read.graph.nodes[0].name, read.graph.nodes[1].name); // nodes have other numbers there
        std::swap(read.graph.nodes[0].fqn, read.graph.nodes[1].fqn);
        desk.answer(read);
        session::Selection &selection = desk.window.selection();
        selection.select(NodeId{0});
        QTest::mouseClick(desk.find<QPushButton>("trust"), Qt::LeftButton);
        desk.answer(twoLayers(false));
        QCOMPARE(session::idIn<NodeId>(selection.current()), NodeId{1});
    }

    void anOperatorNobodyKnowsIsNamedWithWhatToDo()
    {
        TrustBarDesk desk;
        desk.begin(desk.file("model.pt"));
        report::Inspection read = twoLayers(true);
        read.unknownOperators = {"nolib::mix"};
        desk.answer(read);
        QVERIFY(desk.isAsked());
        QVERIFY2(desk.notice("refusal").contains("nolib::mix"), qPrintable(desk.notice("refusal")));
        QTest::mouseClick(desk.find<QPushButton>("trust"), Qt::LeftButton);
        read.loadRefused = true;
        desk.answer(read);
        QVERIFY(!desk.isAsked());
        QVERIFY(!desk.action("run").isEnabled());
        QVERIFY(desk.action("run").toolTip().contains("nolib::mix"));
        QVERIFY(desk.notice("refusal").contains("load the library that registers it"));
        QVERIFY2(!desk.notice("refusal").contains("--"), qPrintable(desk.notice("refusal")));
        const QString library = desk.file("ops.so");
        chooseFile(library);
        desk.follow("Choose the library...");
        QCOMPARE(desk.window.document().plan().opLibraries, std::vector<std::string>{library.toStdString()});
        QVERIFY(!desk.asksStructureOnly());
        desk.answer(twoLayers(false));
        QCOMPARE(desk.notice("refusal"), QString());
        QVERIFY(desk.action("run").isEnabled());
        desk.trigger("undo");
        QVERIFY(desk.window.document().plan().opLibraries.empty());
    }

    void aFileThatWasTrustedBeforeIsLoadedWithoutAQuestion()
    {
        TrustBarDesk desk;
        Trust(desk.settings).trust(QString(64, 'a'));
        desk.begin(desk.file("model.pt"));
        desk.answer(twoLayers(true));
        QVERIFY(!desk.asksStructureOnly());
        desk.answer(twoLayers(false));
        QVERIFY(!desk.isAsked());
    }

    /// The model's hash says nothing of them.
    void aLibraryOfThePlanIsAskedAboutHoweverWellItsModelIsKnown()
    {
        TrustBarDesk desk;
        Trust(desk.settings).trust(QString(64, 'a'));
        plan::Plan plan;
        plan.model = desk.file("model.pt").toStdString();
        plan.opLibraries = {desk.file("<b>ops.so").toStdString()};
        desk.begin(desk.saved(plan));
        desk.answer(twoLayers(true));
        QVERIFY(desk.isAsked());
        QVERIFY(desk.asksStructureOnly());
        QVERIFY(desk.find<QWidget>("trustBar")->findChild<QLabel *>()->text().contains("&lt;b&gt;ops.so"));
        QTest::mouseClick(desk.find<QPushButton>("trust"), Qt::LeftButton);
        QVERIFY(!desk.asksStructureOnly());
    }
};

PIPESCOPE_WIDGET_TEST(TestTrustBar)
#include "tst_trust_bar.moc"
