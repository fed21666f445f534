#include "widgets/window_style.h"

#include "style/theme.h"
#include "support/contrast.h"
#include "support/qt_warnings.h"

#include <QDialogButtonBox>
#include <QPainter>
#include <QPushButton>
#include <QScrollBar>
#include <QStyleOption>
#include <QTabBar>
#include <QTableView>
#include <QtTest>
#include <algorithm>

using pipescope::widgets::WindowStyle;
namespace style = pipescope::style;

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

    void theHandleOfAScrollBarIsSeenOnItsGroove()
    {
        for (const style::Theme *theme : {&style::Theme::dark(), &style::Theme::light()})
            for (const Qt::Orientation orientation : {Qt::Vertical, Qt::Horizontal}) {
                WindowStyle fusion;
                QScrollBar bar(orientation);
                bar.setStyle(&fusion);
                bar.setPalette(theme->palette());
                bar.setStyleSheet(theme->styleSheet());
                bar.setRange(0, 100);
                bar.setPageStep(100);
                bar.resize(orientation == Qt::Vertical ? QSize(12, 200) : QSize(200, 12));
                const QImage picture = bar.grab().toImage();
                const auto along = [&](int at) {
                    return orientation == Qt::Vertical ? picture.pixelColor(6, at) : picture.pixelColor(at, 6);
                };
                QVERIFY2(pipescope::tests::contrast(along(50), along(150)) >= 3,
                         qPrintable(along(50).name() + along(150).name()));
            }
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
