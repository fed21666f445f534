#include "app/story.h"
#include "mainwindow/notice_area.h"
#include "plan/plan_file.h"
#include "runview/schedule_choice.h"
#include "support/qt_warnings.h"
#include "support/test_program.h"
#include "support/torch/models.h"
#include "timeline/timeline_view.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>
#include <QTimer>
#include <csignal>
#include <sys/types.h>

using namespace pipescope;
using namespace pipescope::session;
using tests::Long;
using tests::Story;

/// The path a user walks, with the real engine.
class TestWindowStory : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void openProfileSplitRunCheckSaveAndReopen()
    {
        Story story;
        const QString model = story.folder.filePath("layers.pt");
        testing::transformerLike().save(model.toStdString());
        story.openAndTrust(model);
        story.profileSplitRunCheckSaveAndReopen({"float32[16,16]"}, {});
    }

    void theExampleIsRunCheckedAndReopened()
    {
        Story story;
        story.engine = tests::realEngine({"env", "PIPESCOPE_STORY=1"});
        story.openExample();
        story.profileSplitRunCheckSaveAndReopen({"int64[8,16]<1000"}, {});
    }

    void theExampleIsOpenedWithoutAQuestion()
    {
        Story story;
        testing::transformerLike().save(story.folder.filePath("layers.pt").toStdString());
        plan::Plan example;
        example.model = story.folder.filePath("layers.pt").toStdString();
        example.inputs = {*plan::parseInputSpec("float32[16,16]")};
        example.splits = {"layers.2", "layers.4"}; // as the plan of make demo has
        const QString path = story.folder.filePath("example.pipescope.json");
        QVERIFY(plan::savePlan(example, path.toStdString()));
        mainwindow::WindowPlaces places;
        places.example.plans = {path};
        story.start(places);
        QTest::mouseClick(story.find<QPushButton>("openExample"), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(story.isLoaded(), Long);
        QCOMPARE(QString::fromStdString(story.plan().model), story.folder.filePath("layers.pt"));
        QCOMPARE(story.plan().splits, example.splits);
        // As the guide's first walk goes on from there.
        story.trigger("removeSplits");
        QCOMPARE(story.plan().splits, std::vector<std::string>());
        story.splitInTheGutter();
        story.trigger("undo");
        story.trigger("undo");
        QCOMPARE(story.plan().splits, example.splits);
    }

    void theStagesAreSavedAsModelsOfTheirOwn()
    {
        Story story;
        const QString model = story.folder.filePath("layers.pt");
        testing::transformerLike().save(model.toStdString());
        story.openAndTrust(model);
        story.splitInTheGutter();
        const QString out = story.folder.filePath("out");
        QVERIFY(QDir().mkdir(out));
        QTimer::singleShot(0, story.window.get(), [&out] {
            auto *folder = QApplication::activeModalWidget()->findChild<QLineEdit *>("stagesFolder");
            QVERIFY(folder);
            folder->setText(out);
            QTest::keyClick(folder, Qt::Key_Return);
        });
        story.trigger("saveStages");
        auto *notices = story.find<mainwindow::NoticeArea>("notices");
        QTRY_VERIFY2_WITH_TIMEOUT(!notices->text("savedStages").isEmpty(), story.problem(), Long);
        QVERIFY2(notices->text("savedStages").startsWith("2 stages are saved in " + out),
                 qPrintable(notices->text("savedStages")));
        QCOMPARE(QDir(out).entryList(QDir::Files, QDir::Name),
                 (QStringList{"plan.json", "stage0.pt", "stage1.pt", "stages.json"}));
        const auto saved = plan::loadPlan((out + "/plan.json").toStdString());
        QVERIFY(saved && saved->splits == story.plan().splits);
        QVERIFY(story.window->open(out + "/stage1.pt"));
        QTRY_COMPARE_WITH_TIMEOUT(story.plan().model, (out + "/stage1.pt").toStdString(), Long);
        // Without a question: this program has made it, of a model that was trusted.
        QTRY_VERIFY_WITH_TIMEOUT(story.isLoaded(), Long);
    }

    void aScheduleOfOnesOwnIsRun()
    {
        Story story;
        const QString model = story.folder.filePath("layers.pt");
        testing::transformerLike().save(model.toStdString());
        QFile schedule(story.folder.filePath("mine.csv"));
        QVERIFY(schedule.open(QIODevice::WriteOnly));
        QVERIFY(schedule.write("0F1,0F0\r\n,1F1,1F0\r\n") > 0);
        schedule.close();
        story.openAndTrust(model);
        story.setInputs({"float32[4,16]"});
        story.splitInTheGutter();
        story.find<QSpinBox>("microbatches")->setValue(2);
        story.chooseInDialog(schedule.fileName());
        story.find<runview::ScheduleChoice>("")->chooseFile();
        QCOMPARE(story.find<QComboBox>("toolSchedule")->currentText(), QString("mine.csv"));
        story.run();
        const report::TracedRun &run = *story.window->controller().runs().back();
        QVERIFY(run.equivalence && run.equivalence->overall.bitwise);
        std::vector<int> order; // of microbatches on the first rank
        for (const trace::Event &event : run.trace.events)
            if (event.rank == RankId{0} && event.kind == trace::EventKind::Compute)
                order.push_back(event.microbatch.value);
        QCOMPARE(order, (std::vector<int>{1, 0}));
    }

    void anEngineKilledInMidRunIsToldAndTheNextRunGoesOn()
    {
        Story story;
        const QString model = story.folder.filePath("layers.pt");
        testing::transformerLike(512).save(model.toStdString());
        story.start();
        QVERIFY(story.window->open(model));
        story.trust();
        QTRY_VERIFY_WITH_TIMEOUT(story.isLoaded(), Long);
        story.setInputs({"float32[8192,512]"});
        story.splitInTheGutter();
        const plan::Plan plan = story.plan();
        RunController &controller = story.window->controller();
        controller.setSettings({0, 1, false});
        story.run();
        const Run before = controller.runs().back();

        controller.setSettings({1, 1'000'000, false}); // goes on until it is killed
        QSignalSpy live(&controller, &RunController::liveChanged);
        story.trigger("run");
        QTRY_VERIFY_WITH_TIMEOUT(!live.isEmpty() || !controller.isRunning(), Long);
        QVERIFY2(controller.isRunning(), story.problem());
        QVERIFY(::kill(static_cast<pid_t>(story.window->engine().welcome().processId), SIGKILL) == 0);
        QTRY_VERIFY_WITH_TIMEOUT(!controller.isRunning(), Long);
        QVERIFY2(story.problem().startsWith("The engine is gone while running layers.pt"), story.problem());
        QVERIFY(story.plan() == plan);
        QVERIFY(story.isLoaded());
        QCOMPARE(controller.runs().size(), std::size_t(1));
        QCOMPARE(controller.runs().back(), before);
        // What it had done is to be seen, and the run before it where it is asked for.
        QTRY_VERIFY_WITH_TIMEOUT(story.find<QLabel>("numbers")->text().startsWith("did not end"), Long);
        QTest::mouseClick(story.find<QCheckBox>("run0"), Qt::LeftButton, {}, {8, 8});
        QVERIFY(story.find<QLabel>("numbers")->text().startsWith("bubble "));
        QCOMPARE(&story.window->findChild<timeline::TimelineView *>()->model()->trace(), &before->trace);

        controller.setSettings({0, 1, true});
        story.run(2);
        QVERIFY(controller.runs().back()->equivalence->overall.bitwise);
    }
};

PIPESCOPE_WIDGET_TEST(TestWindowStory)
#include "tst_window_story.moc"
