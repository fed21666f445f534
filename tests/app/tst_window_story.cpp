#include "graphview/graph_canvas.h"
#include "graphview/split_gutter.h"
#include "mainwindow/main_window.h"
#include "mainwindow/notice_area.h"
#include "plan/plan_file.h"
#include "runview/schedule_choice.h"
#include "session/process_link.h"
#include "support/qt_warnings.h"
#include "support/real_model.h"
#include "support/test_program.h"
#include "support/torch/models.h"
#include "timeline/timeline_view.h"

#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QSettings>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <csignal>
#include <sys/types.h>

using namespace pipescope;
using namespace pipescope::session;
using mainwindow::MainWindow;

namespace {

constexpr int Long = 60'000;
constexpr int ValueColumn = 2;

/// The engine, started through `command` as one on another machine is: "ssh host".
MakeLink realEngine(const QStringList &command = {})
{
    return [command] {
        return std::make_unique<ProcessLink>(command + QStringList{QStringLiteral(PIPESCOPE_CLI), "serve"});
    };
}

/// Makes the example as the program does, but a small one.
QString smallExampleMaker(const QString &folder)
{
    QFile script(folder + "/make-small-examples");
    const bool written = script.open(QIODevice::WriteOnly) &&
                         script.write("#!/bin/sh\nexec " PIPESCOPE_MAKE_EXAMPLES " \"$@\" --small\n") > 0 &&
                         script.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    return written ? script.fileName() : QString();
}

/// The window on the real engine, and the steps of a user in it.
struct Story
{
    QTemporaryDir folder;
    QSettings settings{folder.filePath("settings.ini"), QSettings::IniFormat};
    MakeLink engine = realEngine();
    std::unique_ptr<MainWindow> window;

    void start(const mainwindow::WindowPlaces &places = {})
    {
        window = std::make_unique<MainWindow>(engine, settings, style::Theme::light(), places);
        window->resize(1280, 800);
        window->show();
        QVERIFY(QTest::qWaitForWindowExposed(window.get()));
    }
    template <class Widget>
    [[nodiscard]] Widget *find(const char *name) const
    {
        return window->findChild<Widget *>(name);
    }
    void trigger(const char *action) const { window->actionTable().action(action).trigger(); }
    [[nodiscard]] const plan::Plan &plan() const { return window->document().plan(); }
    [[nodiscard]] bool isLoaded() const
    {
        const auto model = window->document().model();
        return model && !model->structureOnly;
    }
    [[nodiscard]] QByteArray problem() const
    {
        const auto &error = window->controller().lastError();
        return error ? QByteArray::fromStdString(error->message) : QByteArray();
    }
    void trust() const
    {
        QTRY_VERIFY_WITH_TIMEOUT(window->document().model() != nullptr, Long);
        QVERIFY(window->document().model()->structureOnly);
        QTest::mouseClick(find<QPushButton>("trust"), Qt::LeftButton);
    }
    /// By the start page's button, without a question; the plan's splits go, so that the user places them.
    void openExample()
    {
        mainwindow::WindowPlaces places;
        places.example = {{}, smallExampleMaker(folder.path()), folder.filePath("examples")};
        start(places);
        QTest::mouseClick(find<QPushButton>("openExample"), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(isLoaded(), Long);
        trigger("removeSplits");
    }
    void openAndTrust(const QString &model)
    {
        start();
        QVERIFY(window->open(model));
        trust();
        QTRY_VERIFY_WITH_TIMEOUT(isLoaded(), Long);
    }
    void setInputs(const QStringList &values) const
    {
        auto *model = find<QTableView>("inputs")->model();
        QCOMPARE(model->rowCount(), values.size());
        for (int row = 0; row < values.size(); ++row)
            QVERIFY(model->setData(model->index(row, ValueColumn), values[row]));
    }
    void profile() const
    {
        trigger("profile");
        QTRY_VERIFY_WITH_TIMEOUT(!window->controller().isLooking(), Long);
        QVERIFY2(window->document().model()->profiled, problem());
    }
    /// Clicks in the gutter from the top until there is one split more.
    void splitInTheGutter() const
    {
        auto *gutter = find<graphview::SplitGutter>("gutter");
        QTRY_VERIFY_WITH_TIMEOUT(gutter->rows().size() > 2, Long);
        const std::vector<std::string> before = plan().splits;
        for (int gap = 1; gap < static_cast<int>(gutter->rows().size()) && plan().splits.size() <= before.size();
             ++gap) {
            if (!gutter->viewport()->rect().contains(gutter->gapRect(gap).center()))
                continue;
            QTest::mouseClick(gutter->viewport(), Qt::LeftButton, {}, gutter->gapRect(gap).center());
            if (plan().splits.size() < before.size()) // there was one, which is gone now: back with it
                trigger("undo");
        }
        QCOMPARE(plan().splits.size(), before.size() + 1);
    }
    /// Clicks between two boxes of the picture, from the bottom, until there is one split more.
    void splitOnTheCanvas() const
    {
        auto *canvas = find<graphview::GraphCanvas>("graphCanvas");
        QTRY_VERIFY_WITH_TIMEOUT(canvas->picture() != nullptr && !canvas->isLayingOut(), Long);
        const std::size_t wanted = plan().splits.size() + 1;
        const std::vector<graphview::SplitPlace> places = canvas->splits().places();
        for (auto place = places.rbegin(); place != places.rend() && plan().splits.size() < wanted; ++place) {
            const graph::ModelGraph &graph = window->document().model()->graph;
            if (!place->straight() || place->position >= graph.size())
                continue;
            canvas->showNode(graph.order[static_cast<std::size_t>(place->position)]);
            const QPointF scene((place->left + place->right) / 2, place->y());
            QTest::mouseClick(canvas, Qt::LeftButton, {}, canvas->viewport().toScreen(scene).toPoint());
        }
        QCOMPARE(plan().splits.size(), wanted);
    }
    /// To the end: then so many are kept.
    void run(std::size_t kept = 1) const
    {
        trigger("run");
        QTRY_VERIFY_WITH_TIMEOUT(!window->controller().isRunning(), Long);
        QVERIFY2(window->controller().runs().size() == kept, problem());
    }
    /// Why the longest bubble is there, from the timeline's table.
    [[nodiscard]] QString longestBubble() const
    {
        find<QTabWidget>("timelineTables")->setCurrentIndex(1);
        auto *table = find<QTableView>("bubbles");
        const auto column = [&](const QString &header) {
            int found = table->model()->columnCount() - 1;
            while (found >= 0 && !table->model()->headerData(found, Qt::Horizontal).toString().startsWith(header))
                --found;
            return found;
        };
        table->sortByColumn(column("length"), Qt::DescendingOrder);
        return table->model()->index(0, column("why")).data().toString();
    }
    /// In the file dialog that comes next.
    static void chooseInDialog(const QString &path)
    {
        QTimer::singleShot(0, [path] {
            auto *dialog = qobject_cast<QFileDialog *>(QApplication::activeModalWidget());
            QVERIFY(dialog);
            auto *name = dialog->findChild<QLineEdit *>("fileNameEdit");
            name->setText(path);
            QTest::keyClick(name, Qt::Key_Return);
        });
    }
    void saveAndClose(const QString &path)
    {
        QVERIFY(window->document().saveAs(path));
        QVERIFY(window->close());
        window.reset();
    }
};

} // namespace

/// The path a user walks, with the real engine.
class TestWindowStory : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void openProfileSplitRunCheckSaveAndReopen_data()
    {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QStringList>("inputs");
        QTest::addColumn<bool>("separable");
        QTest::addColumn<bool>("isChain"); // so that there are gaps between its boxes to click into
        QTest::newRow("layers") << QString() << QStringList{"float32[16,16]"} << true << true;
        QTest::newRow("example") << QString() << QStringList{"int64[8,16]<1000"} << true << true;
        QTest::newRow("silero") << QString::fromStdString(tests::realModel("silero_vad.jit"))
                                << QStringList{"float32[16,512]", "16000"} << false << false;
    }

    void openProfileSplitRunCheckSaveAndReopen()
    {
        QFETCH(QString, model);
        QFETCH(QStringList, inputs);
        QFETCH(bool, separable);
        QFETCH(bool, isChain);
        Story story;
        if (model.isEmpty() && qstrcmp(QTest::currentDataTag(), "silero") == 0)
            QSKIP("silero_vad.jit is not here: put it into $PIPESCOPE_MODELS");
        if (qstrcmp(QTest::currentDataTag(), "layers") == 0) {
            model = story.folder.filePath("layers.pt");
            testing::transformerLike().save(model.toStdString());
        }
        if (model.isEmpty()) {
            story.engine = realEngine({"env", "PIPESCOPE_STORY=1"});
            story.openExample();
        } else {
            story.openAndTrust(model);
        }
        story.setInputs(inputs);
        story.find<QSpinBox>("microbatches")->setValue(8);
        story.profile();
        story.splitInTheGutter();
        if (isChain)
            story.splitOnTheCanvas();
        else
            story.splitInTheGutter();
        const auto splits = story.plan().splits;
        story.trigger("undo");
        QCOMPARE(story.plan().splits.size(), std::size_t(1));
        story.trigger("redo");
        QCOMPARE(story.plan().splits, splits);
        QCOMPARE(story.find<QTableView>("stages")->model()->rowCount(), 3);

        story.run();
        // Which of them is the longest depends on the times measured.
        const QString why = story.longestBubble();
        const QRegularExpression causes(
            "^(fill: waiting for stage|drain: nothing left|not running: |waiting for (credit|stage))");
        QVERIFY2(causes.match(why).hasMatch(), qPrintable(why));
        const QString equivalent = story.find<QLabel>("equivalent")->text();
        QVERIFY2(equivalent.contains("yes (bitwise)"), qPrintable(equivalent));
        const QString cut = story.find<QLabel>("separable")->text();
        QVERIFY2(cut.contains(separable ? ">yes<" : ">no<"), qPrintable(cut));
        QCOMPARE(story.find<QTableView>("differences")->model()->rowCount(), 8);

        plan::Plan saved = story.plan();
        saved.modelSha256 = story.window->document().model()->sha256; // is written along
        story.saveAndClose(story.folder.filePath("plan.json"));
        story.start();
        QVERIFY(story.window->open(story.folder.filePath("plan.json")));
        // Trusted before: it is loaded without a question.
        QTRY_VERIFY_WITH_TIMEOUT(story.isLoaded(), Long);
        QVERIFY(story.plan() == saved);
        QCOMPARE(story.find<QTableView>("stages")->model()->rowCount(), 3);
        QVERIFY(!story.window->document().isModified());
        QVERIFY(story.window->close());
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
        story.chooseInDialog(out);
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
        const report::RunReport &run = *story.window->controller().runs().back();
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
