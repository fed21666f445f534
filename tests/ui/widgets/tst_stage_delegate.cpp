#include "widgets/stage_delegate.h"

#include "style/theme.h"
#include "support/qt_warnings.h"
#include "support/test_program.h"
#include "widgets/table.h"

#include <QColor>
#include <QPalette>
#include <QStandardItemModel>
#include <QTableView>
#include <QTest>

using namespace pipescope;

namespace {

struct StageDelegateDesk
{
    QStandardItemModel model{3, 2};
    QTableView table;

    StageDelegateDesk()
    {
        model.setHorizontalHeaderLabels({"stage", "name"});
        model.setItem(0, 0, new QStandardItem("1"));
        model.setItem(1, 0, new QStandardItem);
        model.setItem(2, 0, new QStandardItem("9"));
        widgets::dressTable(table, "stages", "Stages");
        table.setModel(&model);
        table.setItemDelegateForColumn(0, new widgets::StageDelegate(&table));
        table.resize(300, 200);
        table.show();
    }
    [[nodiscard]] QRect cell(int row) const { return table.visualRect(model.index(row, 0)); }
    [[nodiscard]] QColor pixel(int row)
    {
        return table.viewport()->grab().toImage().pixelColor(cell(row).topLeft() + QPoint(7, 8));
    }
};

} // namespace

class TestStageDelegate : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void aStageIsAChipInItsColourSelectedOrNot()
    {
        StageDelegateDesk desk;
        QCOMPARE(desk.pixel(0), style::Theme::dark().colour(StageId{1}));
        QTest::mouseClick(desk.table.viewport(), Qt::LeftButton, {}, desk.cell(0).center());
        QCOMPARE(desk.table.currentIndex().row(), 0);
        QCOMPARE(desk.pixel(0), style::Theme::dark().colour(StageId{1}));
    }

    void aCellWithoutAStageHasNone()
    {
        StageDelegateDesk desk;
        QCOMPARE(desk.pixel(1), desk.table.palette().color(QPalette::Base));
    }
};

PIPESCOPE_WIDGET_TEST(TestStageDelegate)
#include "tst_stage_delegate.moc"
