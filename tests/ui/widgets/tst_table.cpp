#include "widgets/table.h"

#include "support/qt_warnings.h"
#include "support/test_program.h"
#include "widgets/cell_delegate.h"

#include <QFont>
#include <QFontDatabase>
#include <QHelpEvent>
#include <QStandardItemModel>
#include <QTableView>
#include <QTest>
#include <QToolTip>

using namespace pipescope;

namespace {

class Cells : public widgets::CellDelegate
{
public:
    using CellDelegate::initStyleOption;
};

} // namespace

class TestTable : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void whatIsCutOffIsReadInFullInItsToolTip()
    {
        QStandardItemModel model(1, 3);
        model.setItem(0, 0, new QStandardItem("wait for <credit> & \"more\" of stage 1"));
        model.setItem(0, 1, new QStandardItem("1"));
        model.setItem(0, 2, new QStandardItem("idle since the beginning of the run"));
        model.item(0, 2)->setToolTip("why");
        QTableView table;
        widgets::dressTable(table, "bubbles", "Bubbles");
        table.setModel(&model);
        for (int column = 0; column < 3; ++column)
            table.setColumnWidth(column, 60);
        table.resize(300, 100);
        table.show();
        const auto tip = [&](int column) {
            QToolTip::hideText();
            const QPoint at = table.visualRect(model.index(0, column)).center();
            QHelpEvent help(QEvent::ToolTip, at, table.viewport()->mapToGlobal(at));
            QCoreApplication::sendEvent(table.viewport(), &help);
            return QToolTip::isVisible() ? QToolTip::text() : QString();
        };
        QCOMPARE(tip(0), QString("<p>wait for &lt;credit&gt; &amp; &quot;more&quot; of stage 1</p>"));
        QCOMPARE(tip(2), QString("why"));
        table.setColumnWidth(0, 280);
        QTRY_COMPARE(tip(0), QString()); // it can be read where it stands
    }

    void numbersStandInTheFixedWidthFontAsLargeAsTheRest()
    {
        QStandardItemModel model(1, 2);
        model.setItem(0, 0, new QStandardItem("layers.1"));
        model.setItem(0, 1, new QStandardItem("1.05 ms"));
        model.item(0, 1)->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
        QTableView table;
        widgets::dressTable(table, "stages", "Stages");
        QVERIFY(qobject_cast<widgets::CellDelegate *>(table.itemDelegate()));
        QFont words = table.font();
        words.setPixelSize(13);
        const auto fontOf = [&](int column) {
            QStyleOptionViewItem option;
            option.font = words;
            Cells().initStyleOption(&option, model.index(0, column));
            return option.font;
        };
        QCOMPARE(fontOf(0), words);
        QCOMPARE(fontOf(1).family(), QFontDatabase::systemFont(QFontDatabase::FixedFont).family());
        QCOMPARE(fontOf(1).pixelSize(), 13);
    }
};

PIPESCOPE_WIDGET_TEST(TestTable)
#include "tst_table.moc"
