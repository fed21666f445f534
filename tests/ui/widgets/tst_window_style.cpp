#include "widgets/window_style.h"

#include "style/theme.h"
#include "support/contrast.h"
#include "support/qt_warnings.h"
#include "support/test_program.h"

#include <QAction>
#include <QCheckBox>
#include <QDialogButtonBox>
#include <QImage>
#include <QPainter>
#include <QPushButton>
#include <QScrollBar>
#include <QStyle>
#include <QStyleOption>
#include <QTabBar>
#include <QTableView>
#include <QTest>
#include <QToolBar>
#include <QToolButton>
#include <algorithm>

using pipescope::widgets::WindowStyle;
namespace style = pipescope::style;

namespace {

/// `button` alone on a window of this theme.
QImage pictureOf(QAbstractButton &button, const style::Theme &theme)
{
    WindowStyle fusion;
    button.setStyle(&fusion);
    button.setPalette(theme.palette());
    button.setStyleSheet(theme.styleSheet());
    button.resize(button.sizeHint());
    QImage picture = button.grab().toImage();
    button.setStyle(nullptr);
    return picture;
}

/// Of the line down through the middle, the pixel that is told best from the window's ground.
double mostSeen(const QImage &picture, int x, const style::Theme &theme)
{
    double most = 1;
    for (int y = 0; y < picture.height(); ++y)
        most = std::max(most, pipescope::tests::contrast(picture.pixelColor(x, y), theme.colour(style::Token::Window)));
    return most;
}

} // namespace

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

    void theFrameOfACheckBoxIsSeenOnEveryGroundAndItsTickFillsIt()
    {
        for (const style::Theme *theme : {&style::Theme::dark(), &style::Theme::light()}) {
            QCheckBox box;
            const QImage unticked = pictureOf(box, *theme);
            box.setChecked(true);
            const QImage ticked = pictureOf(box, *theme);
            const QPoint middle(7, unticked.height() / 2);
            QVERIFY2(mostSeen(unticked, middle.x(), *theme) >= 3,
                     qPrintable(theme->colour(style::Token::Window).name()));
            QVERIFY(pipescope::tests::contrast(ticked.pixelColor(middle), unticked.pixelColor(middle)) >= 3);
        }
    }

    void aPressedToolButtonIsToldFromOneThatIsNot()
    {
        for (const style::Theme *theme : {&style::Theme::dark(), &style::Theme::light()}) {
            QToolButton button;
            button.setText("Table");
            button.setCheckable(true);
            const QImage released = pictureOf(button, *theme);
            button.setChecked(true);
            const QImage pressed = pictureOf(button, *theme);
            QCOMPARE(pressed.size(), released.size());
            const QPoint beside(4, released.height() / 2); // left of the text
            QVERIFY2(pipescope::tests::contrast(pressed.pixelColor(beside), released.pixelColor(beside)) >= 3,
                     qPrintable(pressed.pixelColor(beside).name() + released.pixelColor(beside).name()));
        }
    }

    void thePressedButtonOfAToolBarHasAFrameThatIsSeen()
    {
        for (const style::Theme *theme : {&style::Theme::dark(), &style::Theme::light()}) {
            QToolBar bar;
            WindowStyle fusion;
            bar.setStyle(&fusion);
            bar.setPalette(theme->palette());
            bar.setStyleSheet(theme->styleSheet());
            QAction *action = bar.addAction("Split");
            action->setCheckable(true);
            action->setChecked(true);
            bar.resize(bar.sizeHint());
            const QImage picture = bar.widgetForAction(action)->grab().toImage();
            QVERIFY(mostSeen(picture, 8, *theme) >= 3); // left of the text
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

PIPESCOPE_WIDGET_TEST(TestWindowStyle)
#include "tst_window_style.moc"
