#include "widgets/window_style.h"

#include "support/qt_warnings.h"

#include <QDialogButtonBox>
#include <QPainter>
#include <QPushButton>
#include <QStyleOption>
#include <QTabBar>
#include <QTableView>
#include <QtTest>

using pipescope::widgets::WindowStyle;

class TestWindowStyle : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { pipescope::tests::failOnWarnings(); }

    void cellsOfViewsHaveRoomAroundTheirText()
    {
        const WindowStyle style;
        const QTableView table;
        const QTabBar other;
        QCOMPARE(style.pixelMetric(QStyle::PM_FocusFrameHMargin, nullptr, &table), WindowStyle::CellMargin - 1);
        QVERIFY(style.pixelMetric(QStyle::PM_FocusFrameHMargin, nullptr, &other) < WindowStyle::CellMargin - 1);
    }

    void buttonsOfDialogsHaveNoIcons()
    {
        WindowStyle style;
        QDialogButtonBox box;
        box.setStyle(&style);
        QVERIFY(box.addButton(QDialogButtonBox::Close)->icon().isNull());
    }

    void tabsStandOnNoLine()
    {
        const WindowStyle style;
        QImage image(40, 40, QImage::Format_ARGB32_Premultiplied);
        image.fill(Qt::white);
        const QImage before = image;
        QPainter painter(&image);
        QStyleOptionTabBarBase option;
        option.rect = image.rect();
        style.drawPrimitive(QStyle::PE_FrameTabBarBase, &option, &painter, nullptr);
        painter.end();
        QCOMPARE(image, before);
    }
};

QTEST_MAIN(TestWindowStyle)
#include "tst_window_style.moc"
