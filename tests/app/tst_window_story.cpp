#include "graphview/split_gutter.h"
#include "mainwindow/main_window.h"
#include "plan/plan_file.h"
#include "session/process_link.h"
#include "support/torch/models.h"

#include <QAction>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QTableView>
#include <QTemporaryDir>
#include <QtTest>

using namespace pipescope;
using namespace pipescope::session;
using mainwindow::MainWindow;

/// The path a user walks, with the real engine.
class TestWindowStory : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void openTrustSplitRunCheckSaveAndReopen()
    {
        QTemporaryDir folder;
        QSettings settings(folder.filePath("settings.ini"), QSettings::IniFormat);
        const QString model = folder.filePath("c1.pt");
        testing::multiMlp().save(model.toStdString());
        const auto link = [] {
            return std::make_unique<ProcessLink>(QStringList{QStringLiteral(PIPESCOPE_CLI), "serve"});
        };
        plan::Plan saved;
        {
            MainWindow window(link, settings, style::Theme::light());
            window.resize(1280, 800);
            window.show();
            QVERIFY(window.open(model));
            QTRY_VERIFY_WITH_TIMEOUT(window.document().model() != nullptr, 60'000);
            QVERIFY(window.document().model()->structureOnly);
            QTest::mouseClick(window.findChild<QPushButton *>("trust"), Qt::LeftButton);
            QTRY_VERIFY_WITH_TIMEOUT(!window.document().model()->structureOnly, 60'000);

            // The input, and eight microbatches.
            auto *inputs = window.findChild<QTableView *>("inputs");
            for (int row = 0; row < inputs->model()->rowCount(); ++row)
                QVERIFY(inputs->model()->setData(inputs->model()->index(row, 2), "float32[16,16]"));
            window.findChild<QSpinBox *>("microbatches")->setValue(8);

            // Two splits by the mouse, in the gaps of the program order; one undone and made again.
            auto *gutter = window.findChild<graphview::SplitGutter *>("gutter");
            QTRY_VERIFY_WITH_TIMEOUT(gutter->rows().size() > 2, 60'000);
            const int gaps = static_cast<int>(gutter->rows().size());
            for (int gap = 1; gap < gaps && window.document().plan().splits.size() < 2; ++gap)
                QTest::mouseClick(gutter->viewport(), Qt::LeftButton, {}, gutter->gapRect(gap).center());
            QCOMPARE(window.document().plan().splits.size(), std::size_t(2));
            window.document().undoStack().undo();
            QCOMPARE(window.document().plan().splits.size(), std::size_t(1));
            window.document().undoStack().redo();
            QCOMPARE(window.findChild<QTableView *>("stages")->model()->rowCount(), 3);

            window.findChild<QAction *>("run")->trigger();
            QTRY_VERIFY_WITH_TIMEOUT(!window.controller().isRunning(), 60'000);
            QVERIFY2(window.controller().runs().size() == 1,
                     window.controller().lastError() ? window.controller().lastError()->message.c_str() : "");
            const auto *equivalent = window.findChild<QLabel *>("equivalent");
            QVERIFY2(equivalent->text().contains("yes (bitwise)"), qPrintable(equivalent->text()));
            QVERIFY(window.findChild<QTableView *>("slices")->model()->rowCount() > 0);
            QCOMPARE(window.findChild<QTableView *>("differences")->model()->rowCount(), 8);

            QVERIFY(window.document().saveAs(folder.filePath("plan.json")));
            saved = window.document().plan();
            QVERIFY(window.close());
        }
        MainWindow again(link, settings, style::Theme::light());
        again.show();
        QVERIFY(again.open(folder.filePath("plan.json")));
        QTRY_VERIFY_WITH_TIMEOUT(again.document().plan() == saved, 60'000);
        // Trusted before: it is loaded without a question.
        QTRY_VERIFY_WITH_TIMEOUT(again.document().model() && !again.document().model()->structureOnly, 60'000);
        QCOMPARE(again.findChild<QTableView *>("stages")->model()->rowCount(), 3);
    }
};

QTEST_MAIN(TestWindowStory)
#include "tst_window_story.moc"
