#include "mainwindow/main_window.h"

#include "graphview/split_gutter.h"
#include "support/qt_warnings.h"
#include "support/test_program.h"
#include "support/window_desk.h"

#include <QApplication>
#include <QDialog>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QInputDialog>
#include <QLineEdit>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QStackedWidget>
#include <QTest>
#include <QTimer>
#include <functional>
#include <memory>
#include <set>

using namespace pipescope;
using namespace pipescope::session;
using mainwindow::MainWindow;
using tests::twoLayers;
using tests::WindowDesk;

namespace {

void answerQuestion(QMessageBox::StandardButton button)
{
    QTimer::singleShot(0, [button] {
        if (auto *question = qobject_cast<QMessageBox *>(QApplication::activeModalWidget()))
            QTest::mouseClick(question->button(button), Qt::LeftButton);
    });
}

} // namespace

class TestMainWindow : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void aFileThatCannotBeOpenedLeavesTheDocumentAsItWas()
    {
        WindowDesk desk;
        desk.open();
        desk.split();
        const auto model = desk.window.document().model();
        QVERIFY(!desk.window.open(desk.folder.filePath("nowhere.pt")));
        QVERIFY(desk.notice().contains("nowhere.pt"));
        QVERIFY(!desk.window.open(desk.file("broken.json", "{\"pipescopePlan\": 1, \"model\": 3}")));
        QVERIFY(desk.notice().contains("model"));
        // One that only the engine finds to be no model.
        QVERIFY(desk.window.open(desk.file("other.pt")));
        desk.refuse({ErrorCode::InvalidFile, "'other.pt' is no TorchScript model", "other.pt", {}});
        QCOMPARE(desk.notice(), QString("'other.pt' is no TorchScript model"));
        QVERIFY(desk.window.document().model() == model);
        QCOMPARE(desk.window.document().plan().splits, std::vector<std::string>{"layers.1"});
        QVERIFY(desk.window.document().undoStack().canUndo());
    }

    void theStagesAreWorkedOutOnceAChangeForAllViews()
    {
        WindowDesk desk;
        desk.open();
        session::Document &document = desk.window.document();
        std::set<std::shared_ptr<const session::Staging>> seen{document.staging()};
        const auto look = [&] { seen.insert(document.staging()); };
        connect(&document, &session::Document::planChanged, this, look);
        const auto madeBy = [&](const std::function<void()> &change) {
            const std::size_t before = seen.size();
            change();
            QCoreApplication::processEvents(); // for views that follow later
            look();
            return seen.size() - before;
        };
        QCOMPARE(madeBy([&] { desk.split(); }), std::size_t(1));
        QCOMPARE(madeBy([&] { desk.window.selection().select(StageId{1}); }), std::size_t(0));
        const auto eight = [](plan::Plan &plan) { plan.microbatches = 8; };
        QCOMPARE(madeBy([&] { document.edit("Eight", eight); }), std::size_t(0));
        QCOMPARE(madeBy([&] { document.undoStack().undo(); }), std::size_t(0));
        QCOMPARE(madeBy([&] { document.undoStack().undo(); }), std::size_t(1));
    }

    void changesMadeWhileAFileIsOpenedAreAskedAbout()
    {
        WindowDesk desk;
        desk.open();
        QVERIFY(desk.window.open(desk.file("other.pt")));
        desk.split();
        answerQuestion(QMessageBox::Cancel);
        desk.answer(twoLayers(true));
        QCOMPARE(desk.window.document().plan().splits, std::vector<std::string>{"layers.1"});
    }

    void aClickInTheGutterPlacesASplitAndASecondTakesItAway()
    {
        WindowDesk desk;
        desk.open();
        auto *gutter = desk.find<graphview::SplitGutter>("gutter");
        QTRY_COMPARE(gutter->rows().size(), std::size_t(2));
        const QPoint gap = gutter->gapRect(1).center();
        QTest::mouseClick(gutter->viewport(), Qt::LeftButton, {}, gap);
        QCOMPARE(desk.window.document().plan().splits, std::vector<std::string>{"layers.1"});
        QTest::mouseClick(gutter->viewport(), Qt::LeftButton, {}, gap);
        QVERIFY(desk.window.document().plan().splits.empty());
    }

    void aCheckShowsItsAnswerAndARunTheTimeline()
    {
        WindowDesk desk;
        desk.open();
        auto *dock = desk.find<QDockWidget>("checkDock");
        const auto *canvases = desk.find<QStackedWidget>("canvases");
        dock->hide();
        desk.window.controller().check(); // as the run dock asks for it
        desk.answer(report::TracedRun());
        QVERIFY(dock->isVisible());
        QCOMPARE(canvases->currentIndex(), 0);
        desk.trigger("run");
        desk.refuse({ErrorCode::InvalidArgument, "missing a required argument: 'x'", {}, {}});
        QVERIFY(desk.notice().contains("missing"));
        desk.trigger("run");
        desk.answer(report::TracedRun());
        QCOMPARE(canvases->currentIndex(), 1);
        QCOMPARE(desk.notice(), QString()); // what went wrong before is over
    }

    void changesAreNotLostWithoutAQuestion()
    {
        WindowDesk desk;
        desk.open();
        desk.split();
        QVERIFY(desk.window.isWindowModified());
        answerQuestion(QMessageBox::Cancel);
        QVERIFY(!desk.window.close());
        QVERIFY(desk.window.isVisible());
        desk.window.document().undoStack().undo();
        QVERIFY(desk.window.close());
    }

    void filesThatWereOpenedAreRemembered()
    {
        WindowDesk desk;
        desk.begin(desk.file("model.pt"));
        QVERIFY(desk.settings.value("files/recent").toStringList().isEmpty());
        desk.answer(twoLayers(true));
        QCOMPARE(desk.settings.value("files/recent").toStringList(), QStringList{desk.folder.filePath("model.pt")});
    }

    void aModelOnAnotherMachineIsOpenedByItsPathThere()
    {
        const QString there = "/nowhere/on/this/machine.pt";
        WindowDesk desk;
        QVERIFY(!desk.action("openThere").isEnabled()); // the engine is this machine's
        QVERIFY(!desk.window.open(there));
        QTimer::singleShot(0, [&desk] {
            auto *dialog = qobject_cast<QDialog *>(QApplication::activeModalWidget());
            QVERIFY(dialog);
            desk.engine.elsewhere = "ssh host pipescope-cli serve"; // as a link by that command says
            QTest::keyClicks(dialog->findChild<QLineEdit *>("engineCommand"), "ssh host pipescope-cli serve");
            QTest::keyClick(dialog, Qt::Key_Escape);
        });
        desk.trigger("settings");
        QTimer::singleShot(0, [&there] {
            auto *dialog = qobject_cast<QInputDialog *>(QApplication::activeModalWidget());
            QVERIFY(dialog);
            dialog->setTextValue(there);
            dialog->accept();
        });
        desk.trigger("openThere");
        desk.greeted();
        desk.answer(twoLayers(true));
        QCOMPARE(desk.window.document().plan().model, there.toStdString());
        // It is among the recent files, and opened again from there.
        QCOMPARE(desk.settings.value("files/recent").toStringList(), QStringList{there});
        QVERIFY(desk.window.open(there));
        QCOMPARE(protocol::fromBody<report::InspectRequest>(desk.engine.requests.back().body)->model,
                 there.toStdString());
    }

    void aDroppedFileIsOpened()
    {
        WindowDesk desk;
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(desk.file("model.pt"))});
        QDragEnterEvent enter(QPoint(10, 10), Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(&desk.window, &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop(QPointF(10, 10), Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(&desk.window, &drop);
        desk.greeted();
        desk.answer(twoLayers(true));
        QVERIFY(desk.window.document().plan().model.find("model.pt") != std::string::npos);
    }

    void theStartPageOffersWhatWasOpenedBeforeAndSaysWhatIsGone()
    {
        WindowDesk first;
        first.settings.setValue("files/recent", QStringList{first.file("here.pt"), first.folder.filePath("gone.pt")});
        MainWindow window([&first] { return std::make_unique<FakeLink>(first.engine); }, first.settings,
                          style::Theme::light());
        window.show();
        const auto rows = window.findChildren<QPushButton *>("recentFile");
        QCOMPARE(rows.size(), 2);
        QVERIFY(rows[0]->isEnabled());
        QVERIFY(!rows[1]->isEnabled());
        QVERIFY(rows[1]->text().contains("no longer there"));
        QTest::mouseClick(rows[0], Qt::LeftButton);
        QTRY_COMPARE(first.engine.starts, 1);
        QVERIFY(!window.findChild<QPushButton *>("openExample")->isEnabled()); // neither there nor to be made
    }

    void undoAndRedoNameWhatTheyDo()
    {
        WindowDesk desk;
        QVERIFY(!desk.action("undo").isEnabled());
        desk.open();
        desk.window.selection().select(session::SelectedCut{1});
        desk.trigger("placeSplit");
        QCOMPARE(desk.window.document().plan().splits, std::vector<std::string>{"layers.1"});
        QCOMPARE(desk.action("undo").text(), QString("&Undo Place a split"));
        desk.trigger("undo");
        QVERIFY(desk.window.document().plan().splits.empty());
        QVERIFY(!desk.action("undo").isEnabled());
        QVERIFY(desk.action("undo").toolTip().contains("nothing to undo"));
        desk.trigger("redo");
        desk.trigger("removeSplits");
        QVERIFY(desk.window.document().plan().splits.empty());
    }

    void everyActionCanBeFoundAndSaysWhatItIs()
    {
        const WindowDesk desk;
        for (const actions::ActionRow &row : desk.window.actionTable().rows()) {
            QVERIFY2(!actions::ActionTable::plainText(row).isEmpty(), qPrintable(row.id));
            QVERIFY2(desk.action(row.id.toLatin1().constData()).isEnabled() ||
                         desk.action(row.id.toLatin1().constData()).toolTip().contains('\n'),
                     qPrintable(row.id));
        }
    }
};

PIPESCOPE_WIDGET_TEST(TestMainWindow)
#include "tst_main_window.moc"
