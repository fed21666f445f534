#include "mainwindow/save_stages_dialog.h"
#include "session/stage_hashes.h"
#include "support/file_dialog.h"
#include "support/qt_warnings.h"
#include "support/test_program.h"
#include "support/window_desk.h"

#include <QApplication>
#include <QCheckBox>
#include <QDesktopServices>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QProgressBar>
#include <QTimer>
#include <QToolButton>

using namespace pipescope;

namespace {

const QString OfStage0 = QStringLiteral("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"); // "abc"

struct SaveStagesDesk : tests::WindowDesk
{
    explicit SaveStagesDesk(bool isSplit = true)
    {
        open();
        if (isSplit)
            split();
    }
    [[nodiscard]] QString out() const { return folder.filePath("out"); }
    /// Names a folder in the dialog, and answers the question after it where there is one.
    void saveInto(const QString &path, QMessageBox::StandardButton answer = QMessageBox::NoButton)
    {
        asked.clear();
        QTimer::singleShot(0, [this, path, answer] {
            auto *dialog = qobject_cast<mainwindow::SaveStagesDialog *>(QApplication::activeModalWidget());
            QVERIFY(dialog);
            auto *name = dialog->findChild<QLineEdit *>("stagesFolder");
            auto *keep = dialog->findChild<QCheckBox *>("keepUnused");
            offered = name->text();
            title = dialog->windowTitle();
            unused = dialog->findChild<QLabel *>("unused")->text();
            wasKept = keep->isChecked();
            if (keeps)
                QTest::mouseClick(keep, Qt::LeftButton, {}, QPoint(5, keep->height() / 2));
            name->setText(path);
            if (answer != QMessageBox::NoButton)
                QTimer::singleShot(0, [this, answer] {
                    auto *question = qobject_cast<QMessageBox *>(QApplication::activeModalWidget());
                    QVERIFY(question);
                    asked = question->text();
                    QTest::mouseClick(question->button(answer), Qt::LeftButton);
                });
            QTest::keyClick(name, Qt::Key_Return);
        });
        trigger("saveStages");
    }
    [[nodiscard]] bool isSaving() const { return engine.requests.back().method == "split"; }
    [[nodiscard]] report::SplitReport done() const
    {
        report::SplitReport report;
        report.plan = protocol::fromBody<protocol::SplitRequest>(engine.requests.back().body)->run.plan;
        report.folder = out().toStdString();
        report.planFile = "plan.json";
        report.files = {{"stage0.pt", {}, {}, {}, OfStage0.toStdString()},
                        {"stage1.pt", {}, {}, {}, std::string(64, 'e')}};
        report.stages.resize(2);
        return report;
    }
    /// Saves into a folder that is made, and an engine writes the first stage there.
    void saveStages()
    {
        QVERIFY(QDir(folder.path()).mkdir("out"));
        saveInto(out());
        QVERIFY(!file("out/stage0.pt", "abc").isEmpty());
    }
    /// Once what was looked at beside the window is known.
    [[nodiscard]] bool asksAboutStage0()
    {
        begin(folder.filePath("out/stage0.pt"));
        report::Inspection read = tests::twoLayers(true);
        read.sha256 = OfStage0.toStdString();
        answer(read);
        return protocol::fromBody<report::InspectRequest>(engine.requests.back().body)->structureOnly;
    }
    [[nodiscard]] QString why() const
    {
        for (const actions::ActionRow &row : window.actionTable().rows())
            if (row.id == "saveStages")
                return actions::ActionTable::whyNot(row);
        return "no such action";
    }

    QString asked;
    QString offered; ///< a folder, before another was named
    QString title;
    QString unused;       ///< what the dialog says of it
    bool keeps = false;   ///< the switch is pressed
    bool wasKept = false; ///< as the switch stood at first
};

/// What is to be shown by the desktop.
class Shown : public QObject
{
    Q_OBJECT

public:
    Shown() { QDesktopServices::setUrlHandler("file", this, "take"); }
    ~Shown() override { QDesktopServices::unsetUrlHandler("file"); }
    QList<QUrl> urls;

public Q_SLOTS:
    void take(const QUrl &url) { urls << url; }
};

} // namespace

/// File > Export > Save the stages, from the menu to the notice.
class TestSaveStages : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void theStagesOfThePlanAreSavedAndTheirFolderShown()
    {
        SaveStagesDesk desk;
        report::Inspection model = *desk.window.document().model();
        model.path = desk.window.document().plan().model; // as an engine says it
        desk.window.document().setModel(std::make_shared<const report::Inspection>(model));
        QVERIFY(QDir(desk.folder.path()).mkdir("out"));
        desk.saveInto(desk.out());
        QVERIFY(desk.isSaving());
        const auto asked = protocol::fromBody<protocol::SplitRequest>(desk.engine.requests.back().body);
        QCOMPARE(asked->folder, desk.out().toStdString());
        QCOMPARE(asked->run.plan.splits, std::vector<std::string>{"layers.1"});
        QCOMPARE(asked->run.expectedSha256, std::string(64, 'a')); // only the file that was looked at
        QVERIFY2(desk.why().contains("being saved"), qPrintable(desk.why()));
        QVERIFY(!desk.action("run").isEnabled());
        desk.answer(desk.done());
        QTRY_VERIFY2(desk.notice("savedStages").startsWith("2 stages are saved in " + desk.out()),
                     qPrintable(desk.notice("savedStages")));
        QCOMPARE(desk.why(), QString());
        Shown shown;
        desk.follow("Show folder");
        QCOMPARE(shown.urls, QList<QUrl>{QUrl::fromLocalFile(desk.out())});
    }

    void howFarItIsStandsInTheStatusBarWithAButtonThatGivesItUp()
    {
        SaveStagesDesk desk;
        QVERIFY(QDir(desk.folder.path()).mkdir("out"));
        desk.saveInto(desk.out());
        const auto id = desk.engine.requests.back().id;
        desk.engine.say(protocol::Notification{id, std::string(protocol::ProgressEvent),
                                               protocol::toBody(protocol::ProgressNote{"saving the stages", 0.5})});
        auto *progress = desk.find<QProgressBar>("");
        for (auto *bar : desk.window.findChildren<QProgressBar *>())
            if (bar->accessibleName() == "Progress")
                progress = bar;
        QTRY_VERIFY(progress->isVisible());
        QCOMPARE(progress->format(), QString("saving the stages"));
        QCOMPARE(progress->value(), progress->maximum() / 2);
        QTest::mouseClick(desk.find<QToolButton>("cancelWork"), Qt::LeftButton);
        QCOMPARE(protocol::fromBody<protocol::CancelRequest>(desk.engine.requests.back().body)->id, id);
        desk.engine.say(protocol::Response{id, Error{ErrorCode::Cancelled, "it was cancelled", {}, {}}});
        QTRY_VERIFY(!progress->isVisible());
        QCOMPARE(desk.notice() + desk.notice("savedStages"), QString()); // as asked: no fault
    }

    void whatIsThereIsWrittenOverOnlyWhenTheUserSaysSo()
    {
        SaveStagesDesk desk;
        QVERIFY(QDir(desk.folder.path()).mkdir("out"));
        for (const char *name : {"out/stage1.pt", "out/stages.json"})
            QVERIFY(!desk.file(name).isEmpty());
        desk.saveInto(desk.out(), QMessageBox::Cancel);
        QVERIFY2(desk.asked.contains("stage1.pt, stages.json"), qPrintable(desk.asked));
        QVERIFY(!desk.isSaving());
        desk.saveInto(desk.out(), QMessageBox::Save);
        QVERIFY(desk.isSaving());
    }

    void noFolderIsNoFault()
    {
        SaveStagesDesk desk;
        QTimer::singleShot(0, [] { QTest::keyClick(QApplication::activeModalWidget(), Qt::Key_Escape); });
        desk.trigger("saveStages");
        QVERIFY(!desk.isSaving());
        QCOMPARE(desk.notice() + desk.notice("savedStages"), QString());
    }

    void aFolderWhoseFilesThePlanIsMadeOfIsRefused()
    {
        SaveStagesDesk desk(false);
        QVERIFY(QDir(desk.folder.path()).mkdir("out"));
        const QString plan = desk.folder.filePath("out/plan.json");
        desk.split();
        QVERIFY(desk.window.document().saveAs(plan));
        desk.saveInto(desk.out());
        QVERIFY(!desk.isSaving());
        QVERIFY2(desk.notice("savedStages").contains("'plan.json', which this plan is made of, would be written over"),
                 qPrintable(desk.notice("savedStages")));
    }

    void aFolderThatCannotBeWrittenToLeadsToAnotherOne()
    {
        SaveStagesDesk desk;
        QVERIFY(QDir(desk.folder.path()).mkdir("out"));
        desk.saveInto(desk.out());
        desk.refuse(
            {ErrorCode::WriteFailed, "cannot write '" + desk.out().toStdString() + "/stage0.pt': no space", {}, {}});
        QTRY_VERIFY2(desk.notice("savedStages").contains("no space. Choose a folder that can be written to."),
                     qPrintable(desk.notice("savedStages")));
        QTimer::singleShot(0, [] { QTest::keyClick(QApplication::activeModalWidget(), Qt::Key_Escape); });
        desk.follow("Choose a folder...");
        QCOMPARE(desk.notice("savedStages"), QString());
    }

    void theFolderProposedIsBesideThePlanAndARelativeOneToo()
    {
        SaveStagesDesk desk;
        desk.saveInto("here/out");
        QCOMPARE(desk.offered, desk.folder.filePath("stages")); // beside the model
        QCOMPARE(desk.title, QString("Save the stages"));
        QCOMPARE(protocol::fromBody<protocol::SplitRequest>(desk.engine.requests.back().body)->folder,
                 desk.folder.filePath("here/out").toStdString());
    }

    void aFolderMayBeChosenInADialog()
    {
        SaveStagesDesk desk;
        QVERIFY(QDir(desk.folder.path()).mkdir("out"));
        QTimer::singleShot(0, [&desk] {
            auto *dialog = qobject_cast<mainwindow::SaveStagesDialog *>(QApplication::activeModalWidget());
            QVERIFY(dialog);
            tests::chooseFile(desk.out());
            QTest::mouseClick(dialog->findChild<QPushButton *>("chooseFolder"), Qt::LeftButton);
            QCOMPARE(dialog->findChild<QLineEdit *>("stagesFolder")->text(), desk.out());
            dialog->accept();
        });
        desk.trigger("saveStages");
        QCOMPARE(protocol::fromBody<protocol::SplitRequest>(desk.engine.requests.back().body)->folder,
                 desk.out().toStdString());
    }

    void withoutAFolderNothingIsSaved()
    {
        SaveStagesDesk desk;
        QTimer::singleShot(0, [] {
            auto *dialog = qobject_cast<mainwindow::SaveStagesDialog *>(QApplication::activeModalWidget());
            QVERIFY(dialog);
            auto *save = dialog->findChild<QDialogButtonBox *>()->button(QDialogButtonBox::Save);
            QVERIFY(save->isEnabled());
            dialog->findChild<QLineEdit *>("stagesFolder")->setText("  ");
            QVERIFY(!save->isEnabled());
            dialog->reject();
        });
        desk.trigger("saveStages");
        QVERIFY(!desk.isSaving());
    }

    void weightsThatNoStageUsesAreKeptOnlyWhereTheUserSaysSo()
    {
        SaveStagesDesk desk;
        desk.saveInto(desk.out());
        QCOMPARE(desk.unused, QString("The method uses all weights."));
        QVERIFY(!protocol::fromBody<protocol::SplitRequest>(desk.engine.requests.back().body)->keepUnused);
        desk.answer(desk.done());

        report::Inspection model = *desk.window.document().model();
        model.graph = tests::graphFromText("in x\ncall layers.0\na = aten::sin x\nend\ncall layers.1\nb = aten::sin a\n"
                                           "end\nunused critic.weight 1024\nreturn b\n");
        desk.window.document().setModel(std::make_shared<const report::Inspection>(model));
        desk.keeps = true;
        desk.saveInto(desk.out());
        QCOMPARE(desk.unused, QString("in no stage: critic.weight, 1.00 KiB"));
        QVERIFY(!desk.wasKept);
        QVERIFY(protocol::fromBody<protocol::SplitRequest>(desk.engine.requests.back().body)->keepUnused);
        desk.answer(desk.done());
        desk.saveInto(desk.out()); // as it was answered before, and pressed again
        QVERIFY(desk.wasKept);
        QVERIFY(!protocol::fromBody<protocol::SplitRequest>(desk.engine.requests.back().body)->keepUnused);
    }

    void warningsStandInTheNotice()
    {
        SaveStagesDesk desk;
        QVERIFY(QDir(desk.folder.path()).mkdir("out"));
        desk.saveInto(desk.out());
        report::SplitReport report = desk.done();
        report.warnings = {"'out' also has stage7.pt, which this split did not write"};
        desk.answer(report);
        QTRY_VERIFY2(desk.notice("savedStages").contains("also has stage7.pt"), qPrintable(desk.notice("savedStages")));
    }

    void aFileThatIsAnotherByNowIsReadAnewAndNotTrusted()
    {
        SaveStagesDesk desk;
        QVERIFY(QDir(desk.folder.path()).mkdir("out"));
        desk.saveInto(desk.out());
        const std::string model = desk.window.document().plan().model;
        desk.refuse({ErrorCode::InvalidFile, "'model.pt' is another file now", model, {}});
        QTRY_COMPARE(desk.engine.requests.back().method, std::string("load"));
        QVERIFY(protocol::fromBody<report::InspectRequest>(desk.engine.requests.back().body)->structureOnly);
        QVERIFY2(desk.notice().contains("is another file now"), qPrintable(desk.notice()));
    }

    /// As where the disk could not be read for a moment: what is loaded and measured of it stays.
    void aFileThatIsTheSameNeverthelessKeepsItsModel()
    {
        SaveStagesDesk desk;
        QVERIFY(QDir(desk.folder.path()).mkdir("out"));
        desk.saveInto(desk.out());
        const auto model = desk.window.document().model();
        desk.refuse({ErrorCode::InvalidFile, "cannot read 'model.pt'", desk.window.document().plan().model, {}});
        QTRY_COMPARE(desk.engine.requests.back().method, std::string("load"));
        desk.answer(tests::twoLayers(true)); // of the same hash
        QVERIFY(desk.window.document().model() == model);
        QVERIFY(!model->structureOnly);
        QVERIFY(desk.action("run").isEnabled());
    }

    void whatTheEngineWroteHereIsTrusted()
    {
        SaveStagesDesk desk;
        desk.saveStages();
        desk.answer(desk.done());
        const session::Trust trust(desk.settings);
        QTRY_VERIFY(trust.isTrusted(OfStage0, {}));
        QVERIFY(!trust.isTrusted(QString(64, 'e'), {})); // which is not there, whatever the engine says
        QVERIFY(!desk.asksAboutStage0());
    }

    /// As with --trust.
    void stagesOfAModelThatIsTrustedThisOnceAreTooAndNoLonger()
    {
        SaveStagesDesk desk;
        desk.settings.remove("trust");
        desk.saveStages();
        desk.answer(desk.done());
        QTRY_VERIFY(!desk.asksAboutStage0());
        QVERIFY(!session::Trust(desk.settings).isTrusted(OfStage0, {}));
    }

    /// As another window may change it.
    void whatIsSetWhileAnEngineSavesChangesNothingOfWhereItsFilesAre()
    {
        SaveStagesDesk desk;
        desk.goElsewhere();
        desk.saveInto(desk.out(), QMessageBox::Save);
        QVERIFY(desk.isSaving());
        QVERIFY(QDir(desk.folder.path()).mkdir("out") && !desk.file("out/stage0.pt", "abc").isEmpty());
        desk.engine.elsewhere.clear(); // of engines to come
        desk.answer(desk.done());
        QTRY_VERIFY(!desk.notice("savedStages").isEmpty());
        for (const auto *button : desk.window.findChildren<QPushButton *>("noticeLink"))
            QVERIFY(button->text() != "Show folder");
        bool hasLooked = false; // after all looks before
        desk.window.findChild<session::StageHashes *>()->look({}, {}, [&](const QStringList &) { hasLooked = true; });
        QTRY_VERIFY(hasLooked);
        QVERIFY(!session::Trust(desk.settings).isTrusted(OfStage0, {}));
        desk.window.engine().stop();
        QVERIFY(desk.action("openThere").toolTip().contains("runs on this machine"));
    }

    void onTheEnginesMachineAFolderIsNamedAndAlwaysAskedAbout()
    {
        SaveStagesDesk desk;
        desk.goElsewhere();
        desk.saveInto("/there/out", QMessageBox::Cancel);
        QCOMPARE(desk.offered, desk.folder.filePath("stages")); // beside the model
        QVERIFY2(desk.asked.contains("/there/out on the engine's machine") &&
                     desk.asked.contains("are replaced: stage0.pt, stage1.pt, stages.json, plan.json"),
                 qPrintable(desk.asked));
        QVERIFY(!desk.isSaving());
        desk.saveInto("/there/out", QMessageBox::Save);
        QVERIFY(desk.isSaving());
        QCOMPARE(protocol::fromBody<protocol::SplitRequest>(desk.engine.requests.back().body)->folder,
                 std::string("/there/out"));
        desk.answer(desk.done());
        QTRY_VERIFY(!desk.notice("savedStages").isEmpty());
        for (const auto *button : desk.window.findChildren<QPushButton *>("noticeLink"))
            QVERIFY(button->text() != "Show folder");                    // of this machine
        QVERIFY(!session::Trust(desk.settings).isTrusted(OfStage0, {})); // what another machine says
    }

    void onTheEnginesMachineAFolderThatCannotBeRightIsRefused()
    {
        SaveStagesDesk desk(false);
        desk.split();
        desk.goElsewhere();
        desk.saveInto("out");
        QVERIFY2(desk.notice("savedStages").contains("'out' is not an absolute path"),
                 qPrintable(desk.notice("savedStages")));
        desk.window.document().edit(
            "Input", [](plan::Plan &plan) { plan.inputs = {*plan::parseInputSpec("x=@/there/out/stage1.pt")}; });
        desk.saveInto("/there/in/../out/");
        QVERIFY2(desk.notice("savedStages").contains("'stage1.pt', which this plan is made of, would be written over"),
                 qPrintable(desk.notice("savedStages")));
        QVERIFY(!desk.isSaving());
    }

    void whyThereIsNothingToSaveIsSaid()
    {
        {
            tests::WindowDesk desk;
            QVERIFY(!desk.action("saveStages").isEnabled());
            QVERIFY2(desk.action("saveStages").toolTip().contains("Open a model first"),
                     qPrintable(desk.action("saveStages").toolTip()));
        }
        SaveStagesDesk desk(false);
        QCOMPARE(desk.why(), QString("Place a split first: the model is one stage."));
        desk.split();
        QCOMPARE(desk.why(), QString());
    }
};

PIPESCOPE_WIDGET_TEST(TestSaveStages)
#include "tst_save_stages.moc"
