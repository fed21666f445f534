#include "widgets/export_actions.h"

#include "support/qt_warnings.h"
#include "support/test_program.h"
#include "widgets/drawable.h"
#include "widgets/table.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QImage>
#include <QMenu>
#include <QMessageBox>
#include <QPainter>
#include <QStandardItemModel>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QWidget>

using namespace pipescope;

namespace {

class Canvas : public QWidget, public widgets::Drawable
{
public:
    Canvas()
    {
        widgets::addDrawingActions(*this, *this);
        resize(100, 100);
    }
    [[nodiscard]] QSizeF drawnSize() const override { return {30, 20}; }
    void draw(QPainter &painter) const override { painter.fillRect(0, 0, 30, 20, Qt::red); }
    [[nodiscard]] QString drawnName() const override { return "canvas"; }
};

struct ExportActionsDesk
{
    QStandardItemModel model{2, 2};
    QTableView table;

    ExportActionsDesk()
    {
        widgets::dressTable(table, "numbers", "Numbers");
        table.setModel(&model);
        model.setHorizontalHeaderLabels({"a", "b"});
        for (int row = 0; row < 2; ++row)
            for (int column = 0; column < 2; ++column)
                model.setItem(row, column, new QStandardItem(QString::number(10 * row + column))); // the model's
        table.show();
    }
};

QAction &action(const QWidget &widget, const char *name)
{
    return *widget.findChild<QAction *>(name);
}

/// What a context menu offers when asked for with the keyboard; the menu is closed again.
QStringList offered(QWidget &widget)
{
    QStringList texts;
    QContextMenuEvent event(QContextMenuEvent::Keyboard, widget.rect().center(),
                            widget.mapToGlobal(widget.rect().center()));
    QTimer::singleShot(0, &widget, [&texts] {
        auto *menu = qobject_cast<QMenu *>(QApplication::activePopupWidget());
        if (menu == nullptr)
            return;
        for (const QAction *action : menu->actions())
            texts += action->text();
        menu->close();
    });
    QApplication::sendEvent(&widget, &event);
    return texts;
}

void accept(QWidget &widget, const QString &path)
{
    auto *dialog = widget.findChild<QFileDialog *>("exportDialog");
    QVERIFY(dialog != nullptr);
    dialog->selectFile(path);
    QMetaObject::invokeMethod(dialog, "accept");
}

} // namespace

class TestExportActions : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QApplication::setAttribute(Qt::AA_DontUseNativeDialogs); }
    void init() { tests::failOnWarnings(); }

    void theSelectedRowIsCopiedByTheUsualKeys()
    {
        ExportActionsDesk desk;
        desk.table.selectRow(1);
        desk.table.setFocus();
        QApplication::setActiveWindow(&desk.table);
        QTest::keyClick(&desk.table, Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QApplication::clipboard()->text(), QString("10\t11"));
        action(desk.table, "copyAll").trigger();
        QCOMPARE(QApplication::clipboard()->text(), QString("a,b\r\n0,1\r\n10,11\r\n"));
    }

    void theContextMenuOffersAllThree()
    {
        ExportActionsDesk desk;
        QCOMPARE(offered(desk.table), (QStringList{"&Copy", "Copy &all as CSV", "&Export as CSV..."}));
    }

    void aTableIsExportedToTheChosenFile()
    {
        const QTemporaryDir folder;
        ExportActionsDesk desk;
        action(desk.table, "exportCsv").trigger();
        accept(desk.table, folder.filePath("numbers.csv"));
        QFile file(folder.filePath("numbers.csv"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), QByteArray("a,b\r\n0,1\r\n10,11\r\n"));
    }

    void aTableWithoutAModelExportsNothing()
    {
        QTableView table;
        widgets::dressTable(table, "numbers", "Numbers");
        action(table, "copy").trigger();
        action(table, "copyAll").trigger();
        QVERIFY(!action(table, "copy").text().isEmpty());
    }

    void aCanvasIsExportedToTheChosenFile()
    {
        const QTemporaryDir folder;
        Canvas canvas;
        canvas.show();
        QCOMPARE(offered(canvas), (QStringList{"Export as &SVG...", "Export as &PNG..."}));
        action(canvas, "exportPng").trigger();
        accept(canvas, folder.filePath("canvas.png"));
        QCOMPARE(QImage(folder.filePath("canvas.png")).size(), QSize(60, 40));
    }

    void aFailureIsToldWhereTheUserWas()
    {
        const QTemporaryDir folder;
        Canvas canvas;
        canvas.show();
        action(canvas, "exportSvg").trigger();
        accept(canvas, folder.filePath("canvas.gif"));
        const auto *box = canvas.findChild<QMessageBox *>("exportProblem");
        QVERIFY(box != nullptr);
        QVERIFY2(box->text().contains(".svg"), qPrintable(box->text()));
        QVERIFY(QDir(folder.path()).isEmpty());
    }
};

PIPESCOPE_WIDGET_TEST(TestExportActions)
#include "tst_export_actions.moc"
