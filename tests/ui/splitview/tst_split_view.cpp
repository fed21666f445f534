#include "splitview/split_view.h"

#include "support/graph_builder.h"
#include "support/number_columns.h"
#include "support/qt_warnings.h"
#include "support/test_program.h"

#include <QAbstractItemModel>
#include <QAbstractItemModelTester>
#include <QLabel>
#include <QLineEdit>
#include <QTableView>
#include <QTest>

using namespace pipescope;
using namespace pipescope::session;
using splitview::SplitTableModel;
using splitview::SplitView;

namespace {

std::shared_ptr<const report::Inspection> model()
{
    report::Inspection inspection;
    inspection.graph = tests::graphFromText(R"(
        in x
        call layers.0
        a = aten::sin x *4096
        end
        call layers.1
        b = aten::sin a
        end
        c = aten::relu_ !b
        return c
    )");
    inspection.splitPoints = partition::splitPoints(inspection.graph);
    return std::make_shared<const report::Inspection>(std::move(inspection));
}

QString cell(const QAbstractItemModel &model, int row, int column)
{
    return model.index(row, column).data().toString();
}

} // namespace

class TestSplitView : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void aModelThatWasOnlyReadHasNoPlacesAndSaysWhy()
    {
        Document document;
        Selection selection;
        SplitView view(document, selection);
        view.show();
        auto *why = view.findChild<QLabel *>("whyNone");
        QVERIFY(!why->isVisible());
        document.newFor("model.pt");
        report::Inspection read = *model();
        read.structureOnly = true;
        read.splitPoints.clear();
        document.setModel(std::make_shared<const report::Inspection>(read));
        QVERIFY(why->isVisible());
        QCOMPARE(why->text(), QString("Not loaded: trust and load it to place splits."));
        document.setModel(model());
        QVERIFY(!why->isVisible());
    }

    void everyPlaceIsARowWithWhatCrossesOrWhyNot()
    {
        Document document;
        document.newFor("model.pt");
        SplitTableModel table(document);
        const QAbstractItemModelTester tester(&table, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(table.rowCount(), 0);
        document.setModel(model());
        QCOMPARE(table.rowCount(), 2);
        QCOMPARE(cell(table, 0, SplitTableModel::Place), QString("layers.1"));
        QCOMPARE(cell(table, 0, SplitTableModel::Bytes), QString("4.00 KiB"));
        QVERIFY(cell(table, 0, SplitTableModel::Crosses).startsWith("layers.0/aten::sin:0"));
        QCOMPARE(cell(table, 0, SplitTableModel::Legal), QString("possible"));
        QVERIFY(cell(table, 1, SplitTableModel::Legal).contains("is written in place"));
        QCOMPARE(cell(table, 1, SplitTableModel::Balance), QString());
        QCOMPARE(tests::numberColumns(table), QString("bytes"));
        QVERIFY(!table.index(1, 0).data(Qt::ToolTipRole).toString().isEmpty());
    }

    void theBalanceOfEveryPlaceFollowsThePlan()
    {
        auto measured = std::make_shared<report::Inspection>();
        measured->graph = tests::graphFromText("in x\na = aten::sin x @0.003\nb = aten::sin a @0.001\n"
                                               "c = aten::sin b @0.001\nreturn c\n");
        measured->splitPoints = partition::splitPoints(measured->graph);
        Document document;
        document.newFor("model.pt");
        document.setModel(measured);
        SplitTableModel table(document);
        const QAbstractItemModelTester tester(&table, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(cell(table, 0, SplitTableModel::Balance), QString("3.00 ms, 20 % over mean"));
        QCOMPARE(cell(table, 1, SplitTableModel::Balance), QString("4.00 ms, 60 % over mean"));
        QVERIFY(table.setData(table.index(0, 0), Qt::Checked, Qt::CheckStateRole));
        QCOMPARE(cell(table, 1, SplitTableModel::Balance), QString("3.00 ms, 80 % over mean"));
        QCOMPARE(table.index(1, SplitTableModel::Balance).data(SplitTableModel::SortRole).toDouble(), 0.003);
    }

    void checkingPlacesAndUncheckingRemoves()
    {
        Document document;
        document.newFor("model.pt");
        document.setModel(model());
        SplitTableModel table(document);
        QVERIFY(table.setData(table.index(0, 0), Qt::Checked, Qt::CheckStateRole));
        QCOMPARE(document.plan().splits, std::vector<std::string>{"layers.1"});
        QCOMPARE(table.index(0, 0).data(Qt::CheckStateRole).toInt(), static_cast<int>(Qt::Checked));
        document.undoStack().undo();
        QCOMPARE(table.index(0, 0).data(Qt::CheckStateRole).toInt(), static_cast<int>(Qt::Unchecked));
        document.undoStack().redo();
        QVERIFY(table.setData(table.index(0, 0), Qt::Unchecked, Qt::CheckStateRole));
        QVERIFY(document.plan().splits.empty());
    }

    void whatCannotBeCutCannotBeChecked()
    {
        Document document;
        document.newFor("model.pt");
        document.setModel(model());
        SplitTableModel table(document);
        QVERIFY(!(table.flags(table.index(1, 0)) & Qt::ItemIsUserCheckable));
        QVERIFY(!table.setData(table.index(1, 0), Qt::Checked, Qt::CheckStateRole));
        QVERIFY(document.plan().splits.empty());
    }

    void theSpaceBarPlacesTheSplitOfTheRow()
    {
        Document document;
        document.newFor("model.pt");
        document.setModel(model());
        Selection selection;
        SplitView view(document, selection);
        view.resize(600, 300);
        view.show();
        auto *table = view.findChild<QTableView *>("splits");
        table->setCurrentIndex(table->model()->index(0, 0));
        QVERIFY(selection.current() == session::Selected(session::SelectedCut{1}));
        QTest::keyClick(table, Qt::Key_Space);
        QCOMPARE(document.plan().splits, std::vector<std::string>{"layers.1"});
    }

    void theFilterKeepsWhatMatchesAndTheSelectionFindsItsRow()
    {
        Document document;
        document.newFor("model.pt");
        document.setModel(model());
        Selection selection;
        SplitView view(document, selection);
        view.show();
        auto *table = view.findChild<QTableView *>("splits");
        QTest::keyClicks(view.findChild<QLineEdit *>("filter"), "end$");
        QCOMPARE(table->model()->rowCount(), 1);
        selection.select(session::SelectedCut{1}); // filtered away
        QVERIFY(table->selectionModel()->selectedRows().isEmpty());
        selection.select(session::SelectedCut{2});
        QCOMPARE(table->selectionModel()->selectedRows().size(), 1);
    }
};

PIPESCOPE_WIDGET_TEST(TestSplitView)
#include "tst_split_view.moc"
