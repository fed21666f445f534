// The window on the real engine, and the steps of a user in it.
#pragma once

#include "app/real_engine.h"
#include "graphview/graph_canvas.h"
#include "graphview/split_gutter.h"
#include "mainwindow/main_window.h"
#include "plan/plan_file.h"

#include <QAction>
#include <QApplication>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QSettings>
#include <QSpinBox>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <memory>
#include <string>
#include <vector>

namespace pipescope::tests {

inline constexpr int ValueColumn = 2;

/// Makes the example as the program does, but a small one.
inline QString smallExampleMaker(const QString &folder)
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
    session::MakeLink engine = realEngine();
    std::unique_ptr<mainwindow::MainWindow> window;

    void start(const mainwindow::WindowPlaces &places = {})
    {
        window = std::make_unique<mainwindow::MainWindow>(engine, settings, style::Theme::light(), places);
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
        // Inputs that are given may have the engine look for the graph of just these first.
        QTRY_VERIFY_WITH_TIMEOUT(!window->controller().isLooking(), Long);
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
    struct Way
    {
        bool isSeparable = true;
        bool hasGaps = true; ///< of which two boxes are in one line, to click into
    };
    /// The path a user walks with a model that is open and loaded: to the end, and back to it from the file.
    void profileSplitRunCheckSaveAndReopen(const QStringList &inputs, const Way &way)
    {
        setInputs(inputs);
        find<QSpinBox>("microbatches")->setValue(8);
        profile();
        splitInTheGutter();
        if (way.hasGaps)
            splitOnTheCanvas();
        else
            splitInTheGutter();
        const auto splits = plan().splits;
        trigger("undo");
        QCOMPARE(plan().splits.size(), std::size_t(1));
        trigger("redo");
        QCOMPARE(plan().splits, splits);
        QCOMPARE(find<QTableView>("stages")->model()->rowCount(), 3);

        run();
        // Which of them is the longest depends on the times measured.
        const QString why = longestBubble();
        const QRegularExpression causes(
            "^(fill: waiting for stage|drain: nothing left|not running: |waiting for (credit|stage))");
        QVERIFY2(causes.match(why).hasMatch(), qPrintable(why));
        const QString equivalent = find<QLabel>("equivalent")->text();
        QVERIFY2(equivalent.contains("yes (bitwise)"), qPrintable(equivalent));
        const QString cut = find<QLabel>("separable")->text();
        QVERIFY2(cut.contains(way.isSeparable ? ">yes" : ">no"), qPrintable(cut));
        QCOMPARE(find<QTableView>("differences")->model()->rowCount(), 8);

        plan::Plan saved = plan();
        saved.modelSha256 = window->document().model()->sha256; // is written along
        saveAndClose(folder.filePath("plan.json"));
        start();
        QVERIFY(window->open(folder.filePath("plan.json")));
        // Trusted before: it is loaded without a question.
        QTRY_VERIFY_WITH_TIMEOUT(isLoaded(), Long);
        QVERIFY(plan() == saved);
        QCOMPARE(find<QTableView>("stages")->model()->rowCount(), 3);
        QVERIFY(!window->document().isModified());
        QVERIFY(window->close());
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

} // namespace pipescope::tests
