#include "support/file_dialog.h"
#include "support/qt_warnings.h"
#include "support/run_desk.h"
#include "support/test_program.h"

#include <QAction>
#include <QFile>
#include <QMenu>
#include <QTabWidget>
#include <QTableView>
#include <QTreeView>
#include <utility>

using namespace pipescope;
using tests::RunDesk;

namespace {

using Rows = QList<QStringList>;

/// Cells of a text by RFC 4180, as any other program reads it.
Rows readCsv(const QString &text)
{
    Rows rows;
    QStringList row;
    QString cell;
    bool isQuoted = false;
    for (qsizetype i = 0; i < text.size(); ++i) {
        if (isQuoted && text.mid(i, 2) == "\"\"") {
            cell += text[i++];
        } else if (text[i] == '"') {
            isQuoted = !isQuoted;
        } else if (!isQuoted && (text[i] == ',' || text.mid(i, 2) == "\r\n")) {
            row << std::exchange(cell, QString());
            if (text[i] == '\r') {
                rows << std::exchange(row, QStringList());
                ++i;
            }
        } else {
            cell += text[i];
        }
    }
    return rows;
}

/// As a spreadsheet is to have it: with the signs of programs for what is below zero, a text that could be a formula
/// marked as one.
QString asRead(const QVariant &cell)
{
    QString text = cell.toString().replace(QChar(0x2212), '-');
    bool isNumber = false;
    text.toDouble(&isNumber);
    return !isNumber && !text.isEmpty() && QString("=+-@").contains(text.front()) ? '\'' + text : text;
}

Rows cellsOf(const QAbstractItemModel &model)
{
    Rows rows{QStringList()};
    for (int column = 0; column < model.columnCount(); ++column)
        rows.first() << model.headerData(column, Qt::Horizontal).toString();
    for (int row = 0; row < model.rowCount(); ++row) {
        rows << QStringList();
        for (int column = 0; column < model.columnCount(); ++column)
            rows.last() << asRead(model.index(row, column).data());
    }
    return rows;
}

/// Those that stand in columns or in a tree; lists of one column are choices.
QList<QAbstractItemView *> tablesOf(const QWidget &window)
{
    QList<QAbstractItemView *> tables;
    for (auto *view : window.findChildren<QAbstractItemView *>())
        if (qobject_cast<QTableView *>(view) != nullptr || qobject_cast<QTreeView *>(view) != nullptr)
            tables << view;
    return tables;
}

/// What its context menu writes; nothing without such an entry.
Rows exported(const QAbstractItemView &table, const QString &path)
{
    auto *action = table.findChild<QAction *>("exportCsv");
    if (action == nullptr || !table.actions().contains(action))
        return {};
    action->trigger();
    tests::exportTo(table, path);
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? readCsv(QString::fromUtf8(file.readAll())) : Rows();
}

} // namespace

class TestWindowTables : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void everyTableIsWrittenAsItIsShown()
    {
        const RunDesk desk;
        auto &tabs = *desk.find<QTabWidget>("timelineTables");
        for (int tab = 0; tab < tabs.count(); ++tab)
            tabs.setCurrentIndex(tab); // each is filled when it is first seen
        desk.trigger("showShards");    // likewise
        QStringList names;
        for (const QAbstractItemView *table : tablesOf(desk.window)) {
            const QString name = table->objectName();
            names << name;
            // The bins of a histogram are there once a tensor is looked into; tst_histogram fills them.
            QVERIFY2(table->model()->rowCount() > 0 || name == "bins", qPrintable(name));
            const Rows written = exported(*table, desk.folder.filePath(name + ".csv"));
            QVERIFY2(!written.isEmpty(), qPrintable(name));
            QVERIFY2(written == cellsOf(*table->model()), qPrintable(name));
        }
        names.sort();
        QCOMPARE(names, QStringList({"actions", "bins", "bubbles", "differences", "inputs", "nodes", "outputs",
                                     "shardHoldersAfter", "shardHoldersBefore", "shardSteps", "splits", "stages",
                                     "transfers"}));
    }

    void whatSortsByAHeadingSortsByItsContextMenu()
    {
        const RunDesk desk;
        QStringList sorting;
        for (const auto *table : desk.window.findChildren<QTableView *>()) {
            const auto *menu = table->findChild<QMenu *>("sort");
            QCOMPARE(menu != nullptr && table->actions().contains(menu->menuAction()), table->isSortingEnabled());
            if (menu != nullptr)
                sorting << table->objectName();
        }
        sorting.sort();
        QCOMPARE(sorting, QStringList({"actions", "bubbles", "nodes", "splits", "transfers"}));
    }

    void theSheetOfShortcutsIsATableToo()
    {
        const RunDesk desk;
        desk.trigger("shortcuts");
        const auto tables = tablesOf(*desk.find<QWidget>("shortcutSheet"));
        QCOMPARE(tables.size(), 1);
        const Rows written = exported(*tables[0], desk.folder.filePath("shortcuts.csv"));
        QVERIFY(written.size() > 20);
        QVERIFY(written == cellsOf(*tables[0]->model()));
    }

    void aTableOfManyRowsIsWrittenWhole()
    {
        RunDesk desk;
        const trace::Trace trace = tests::evenForward(4, 500, 1000);
        desk.trigger("run");
        report::TracedRun report;
        report.trace = trace;
        report.stats = trace::traceStats(trace);
        desk.answer(report);
        const auto &table = *desk.find<QTableView>("actions");
        QCOMPARE(table.model()->rowCount(), 2000);
        QCOMPARE(exported(table, desk.folder.filePath("many.csv")).size(), qsizetype(2001));
    }
};

PIPESCOPE_WIDGET_TEST(TestWindowTables)
#include "tst_window_tables.moc"
