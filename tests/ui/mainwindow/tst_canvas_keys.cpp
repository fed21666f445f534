#include "mainwindow/canvas_keys.h"

#include "support/qt_warnings.h"
#include "support/test_program.h"
#include "support/window_desk.h"

#include <QFile>
#include <QKeySequence>
#include <QTest>

using namespace pipescope;

class TestCanvasKeys : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void theGuideListsTheSameKeysAsTheSheet()
    {
        QStringList inGuide;
        for (const actions::KeyRow &row : rowsOfGuide())
            if (row.where != "everywhere")
                inGuide << row.where + ": " + row.keys + ": " + row.what;
        QStringList inSheet;
        for (const actions::KeyRow &row : mainwindow::canvasKeys())
            inSheet << row.where + ": " + row.keys + ": " + row.what;
        QCOMPARE(inSheet, inGuide);
    }

    void theGuideListsTheKeysOfAllActions()
    {
        const tests::WindowDesk desk;
        QStringList ofActions;
        for (const actions::ActionRow &row : desk.window.actionTable().rows())
            for (const QKeySequence &key : row.keys)
                ofActions << key.toString(QKeySequence::PortableText);
        QStringList inGuide = keysIn("F1 or ?"); // the page's first words
        QVERIFY(guide().contains("\nF1 or ? shows the same in the window."));
        for (const actions::KeyRow &row : rowsOfGuide())
            if (row.where == "everywhere")
                inGuide << keysIn(row.keys);
        ofActions.sort();
        inGuide.sort();
        QCOMPARE(inGuide, ofActions);
    }

    void aKeyOfTheGuideIsItsActions_data()
    {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("action");
        QTest::newRow("open") << "Ctrl+O"
                              << "open";
        QTest::newRow("save") << "Ctrl+S"
                              << "save";
        QTest::newRow("save as") << "Ctrl+Shift+S"
                                 << "saveAs";
        QTest::newRow("undo") << "Ctrl+Z"
                              << "undo";
        QTest::newRow("redo") << "Ctrl+Shift+Z"
                              << "redo";
        QTest::newRow("palette") << "Ctrl+K"
                                 << "palette";
        QTest::newRow("run") << "Ctrl+R"
                             << "run";
        QTest::newRow("check") << "Ctrl+Shift+R"
                               << "check";
        QTest::newRow("profile") << "Ctrl+P"
                                 << "profile";
        QTest::newRow("cancel") << "Ctrl+."
                                << "cancel";
        QTest::newRow("split") << "Ctrl+D"
                               << "placeSplit";
        QTest::newRow("graph") << "Ctrl+1"
                               << "showGraph";
        QTest::newRow("timeline") << "Ctrl+2"
                                  << "showTimeline";
        QTest::newRow("shards") << "Ctrl+3"
                                << "showShards";
        QTest::newRow("larger") << "Ctrl++"
                                << "zoomIn";
        QTest::newRow("smaller") << "Ctrl+-"
                                 << "zoomOut";
        QTest::newRow("find") << "Ctrl+F"
                              << "find";
        QTest::newRow("settings") << "Ctrl+,"
                                  << "settings";
        QTest::newRow("quit") << "Ctrl+Q"
                              << "quit";
        QTest::newRow("keys") << "F1"
                              << "shortcuts";
    }

    void aKeyOfTheGuideIsItsActions()
    {
        QFETCH(QString, key);
        QFETCH(QString, action);
        const tests::WindowDesk desk;
        QVERIFY(desk.action(qPrintable(action)).shortcuts().contains(QKeySequence(key, QKeySequence::PortableText)));
    }

private:
    static QString guide()
    {
        QFile page(PIPESCOPE_SOURCE_DIR "/docs/guide/keys.md");
        return page.open(QIODevice::ReadOnly) ? QString::fromUtf8(page.readAll()) : QString();
    }
    static std::vector<actions::KeyRow> rowsOfGuide()
    {
        std::vector<actions::KeyRow> rows;
        QString where;
        for (const QString &line : guide().split('\n')) {
            if (!line.startsWith("| ") || line.startsWith("| ---")) {
                if (line.isEmpty())
                    where.clear();
                continue;
            }
            const QStringList cells = line.split('|');
            if (where.isEmpty())
                where = cells[1].trimmed();
            else
                rows.push_back({where, cells[1].trimmed(), cells[2].trimmed()});
        }
        return rows;
    }
    /// As Qt writes them.
    static QStringList keysIn(QString cell)
    {
        QStringList keys;
        for (const QString &key : cell.replace(" or ", ", ").split(", "))
            keys << QKeySequence(key, QKeySequence::PortableText).toString(QKeySequence::PortableText);
        return keys;
    }
};

PIPESCOPE_WIDGET_TEST(TestCanvasKeys)
#include "tst_canvas_keys.moc"
