#include "style/icon.h"

#include "support/qt_warnings.h"
#include "support/test_program.h"

#include <QIcon>
#include <QImage>
#include <QTest>

using namespace pipescope;

class TestIcon : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void anIconIsDrawnInTheThemesColourAndGreyedWhereItIsDisabled()
    {
        for (const style::Theme *theme : {&style::Theme::dark(), &style::Theme::light()}) {
            const QIcon run = style::icon("run", *theme);
            QVERIFY(!run.isNull());
            const auto colours = [](const QImage &image) {
                QSet<QRgb> found;
                for (int y = 0; y < image.height(); ++y)
                    for (int x = 0; x < image.width(); ++x)
                        if (image.pixelColor(x, y).alpha() == 255)
                            found.insert(image.pixel(x, y));
                return found;
            };
            QVERIFY(colours(run.pixmap(16).toImage()).contains(theme->colour(style::Token::Text).rgb()));
            QVERIFY(
                colours(run.pixmap(16, QIcon::Disabled).toImage()).contains(theme->colour(style::Token::Faint).rgb()));
        }
        QVERIFY(style::icon("no such icon", style::Theme::dark()).isNull());
    }

    void theProgramHasOneOfItsOwnInTheSizesOfWindowLists()
    {
        const QIcon icon = style::programIcon();
        QCOMPARE(icon.availableSizes(), QList<QSize>({{48, 48}, {128, 128}}));
        QVERIFY(icon.pixmap(48).toImage().pixelColor(24, 24).alpha() > 0);
    }
};

PIPESCOPE_WIDGET_TEST(TestIcon)
#include "tst_icon.moc"
