#include "widgets/table.h"

#include "support/qt_warnings.h"

#include <QHelpEvent>
#include <QStandardItemModel>
#include <QTableView>
#include <QToolTip>
#include <QtTest>

using namespace pipescope;

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
};

QTEST_MAIN(TestTable)
#include "tst_table.moc"
