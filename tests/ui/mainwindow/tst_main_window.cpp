#include "graphview/split_gutter.h"
#include "mainwindow/main_window.h"

#include "../session/fake_link.h"
#include "support/graph_builder.h"
#include "support/qt_warnings.h"

#include <QAction>
#include <QLabel>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QStatusBar>
#include <QTableView>
#include <QTemporaryDir>
#include <QTimer>
#include <QtTest>

using namespace pipescope;
using namespace pipescope::session;
using mainwindow::MainWindow;

namespace {

report::Inspection inspected(bool structureOnly)
{
    report::Inspection inspection;
    inspection.path = "model.pt";
    inspection.sha256 = std::string(64, 'a');
    inspection.structureOnly = structureOnly;
    if (!structureOnly)
        inspection.graph = tests::graphFromText(R"(
            in x
            call layers.0
            a = aten::sin x
            end
            call layers.1
            b = aten::sin a
            end
            return b
        )");
    inspection.splitPoints = partition::splitPoints(inspection.graph);
    return inspection;
}

struct Desk
{
    QTemporaryDir folder;
    QSettings settings{folder.filePath("settings.ini"), QSettings::IniFormat};
    FakeEngine engine;
    MainWindow window{[this] { return std::make_unique<FakeLink>(engine); }, settings, style::Theme::dark()};

    Desk() { window.show(); }

    [[nodiscard]] QString file(const char *name) const
    {
        QFile made(folder.filePath(QString::fromLatin1(name)));
        if (!made.open(QIODevice::WriteOnly))
            qFatal("no file");
        return made.fileName();
    }
    /// Opens a model; the engine that was started for it has greeted.
    void open(const QString &path)
    {
        window.open(path);
        QTRY_COMPARE(engine.starts, 1);
        if (engine.requests.size() == 1)
            engine.greet();
    }
    void answerLook(const report::Inspection &inspection) const
    {
        engine.answer(engine.requests.back().id, inspection);
    }
    void trigger(const char *action) const { window.findChild<QAction *>(action)->trigger(); }
    [[nodiscard]] bool isAsked() const { return window.findChild<QWidget *>("trustBar")->isVisible(); }
};

} // namespace

class TestMainWindow : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void aFileIsReadFirstAndLoadedWhenTheUserSaysSo()
    {
        Desk desk;
        QVERIFY(!desk.isAsked());
        desk.open(desk.file("model.pt"));
        QVERIFY(protocol::fromBody<report::InspectRequest>(desk.engine.requests.back().body)->structureOnly);
        desk.answerLook(inspected(true));
        QVERIFY(desk.isAsked());
        QVERIFY(!desk.window.findChild<QAction *>("run")->isEnabled());
        QTest::mouseClick(desk.window.findChild<QPushButton *>("trust"), Qt::LeftButton);
        QVERIFY(!protocol::fromBody<report::InspectRequest>(desk.engine.requests.back().body)->structureOnly);
        desk.answerLook(inspected(false));
        QVERIFY(!desk.isAsked());
        QVERIFY(desk.window.findChild<QAction *>("run")->isEnabled());
    }

    void aFileThatWasTrustedBeforeIsLoadedWithoutAQuestion()
    {
        Desk desk;
        Trust(desk.settings).trust(QString(64, 'a'));
        desk.open(desk.file("model.pt"));
        desk.answerLook(inspected(true));
        QVERIFY(!protocol::fromBody<report::InspectRequest>(desk.engine.requests.back().body)->structureOnly);
        desk.answerLook(inspected(false));
        QVERIFY(!desk.isAsked());
    }

    void aFileThatCannotBeOpenedLeavesTheDocumentAsItWas()
    {
        Desk desk;
        desk.open(desk.file("model.pt"));
        desk.answerLook(inspected(false));
        const auto model = desk.window.document().model();
        QVERIFY(!desk.window.open(desk.folder.filePath("nowhere.pt")));
        QFile plan(desk.folder.filePath("broken.json"));
        QVERIFY(plan.open(QIODevice::WriteOnly) && plan.write("{\"pipescopePlan\": 1, \"model\": 3}") > 0);
        plan.close();
        QVERIFY(!desk.window.open(plan.fileName()));
        QVERIFY(desk.window.document().model() == model);
        QVERIFY(desk.window.statusBar()->currentMessage().contains("model"));
    }

    void aClickInTheGutterPlacesASplitAndASecondTakesItAway()
    {
        Desk desk;
        desk.window.resize(1280, 800);
        desk.open(desk.file("model.pt"));
        desk.answerLook(inspected(false));
        auto *gutter = desk.window.findChild<graphview::SplitGutter *>("gutter");
        QTRY_COMPARE(gutter->rows().size(), std::size_t(2));
        const QPoint gap = gutter->gapRect(1).center();
        QTest::mouseClick(gutter->viewport(), Qt::LeftButton, {}, gap);
        QCOMPARE(desk.window.document().plan().splits, std::vector<std::string>{"layers.1"});
        QTest::mouseClick(gutter->viewport(), Qt::LeftButton, {}, gap);
        QVERIFY(desk.window.document().plan().splits.empty());
    }

    void anEngineThatDiesIsToldAndTheNextRunStartsAnother()
    {
        Desk desk;
        desk.open(desk.file("model.pt"));
        desk.answerLook(inspected(false));
        desk.window.document().edit("Split", [](plan::Plan &plan) { plan.splits = {"layers.1"}; });
        desk.trigger("run");
        Q_EMIT desk.engine.link->ended("it was ended by signal 9");
        const QString log = desk.window.findChild<QPlainTextEdit *>("log")->toPlainText();
        QVERIFY2(log.contains("The engine is gone while running model.pt: it was ended by signal 9."), qPrintable(log));
        QVERIFY(desk.window.findChild<QLabel *>("engineState")->text().contains("gone"));
        QCOMPARE(desk.window.document().plan().splits, std::vector<std::string>{"layers.1"});
        QVERIFY(desk.window.document().model() != nullptr);
        desk.trigger("run");
        QTRY_COMPARE(desk.engine.starts, 2);
    }

    void whatTheEngineIsDoingCanBeCancelledFromTheStatusBar()
    {
        Desk desk;
        desk.open(desk.file("model.pt"));
        desk.answerLook(inspected(false));
        auto *cancel = desk.window.findChild<QWidget *>("cancelWork");
        QVERIFY(!cancel->isVisible());
        desk.trigger("run");
        QVERIFY(cancel->isVisible());
        QTest::mouseClick(cancel, Qt::LeftButton);
        QCOMPARE(desk.engine.requests.back().method, std::string("cancel"));
    }

    void changesAreNotLostWithoutAQuestion()
    {
        Desk desk;
        desk.open(desk.file("model.pt"));
        desk.answerLook(inspected(false));
        desk.window.document().edit("Split", [](plan::Plan &plan) { plan.splits = {"layers.1"}; });
        QVERIFY(desk.window.isWindowModified());
        QTimer::singleShot(0, [] {
            auto *question = qobject_cast<QMessageBox *>(QApplication::activeModalWidget());
            if (question != nullptr)
                QTest::mouseClick(question->button(QMessageBox::Cancel), Qt::LeftButton);
        });
        QVERIFY(!desk.window.close());
        QVERIFY(desk.window.isVisible());
        desk.window.document().undoStack().undo();
        QVERIFY(desk.window.close());
    }

    void filesThatWereOpenedAreRemembered()
    {
        Desk desk;
        const QString path = desk.file("model.pt");
        desk.open(path);
        QCOMPARE(desk.settings.value("files/recent").toStringList(), QStringList{path});
    }
};

QTEST_MAIN(TestMainWindow)
#include "tst_main_window.moc"
