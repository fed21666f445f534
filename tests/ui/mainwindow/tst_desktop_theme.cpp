#include "mainwindow/desktop_theme.h"
#include "mainwindow/settings_dialog.h"

#include "support/qt_warnings.h"
#include "support/test_program.h"
#include "support/window_desk.h"

#include <QApplication>
#include <QColor>
#include <QPalette>
#include <QProxyStyle>
#include <QSignalSpy>
#include <QTest>

using namespace pipescope;
using mainwindow::isDesktopDark;
using style::Theme;

namespace {

/// The desktop's palette is the platform's, of which a style has the last word before the program's own comes over it.
class Desktop : public QProxyStyle
{
public:
    explicit Desktop(const Theme &theme)
        : QProxyStyle(QStringLiteral("Fusion"))
        , m_palette(theme.palette())
    {
    }
    void polish(QPalette &palette) override { palette = m_palette; }
    using QProxyStyle::polish;

private:
    const QPalette m_palette;
};

/// A window where there is no desktop, which is a light one.
struct DesktopThemeDesk : tests::WindowDesk
{
    /// As the platform does when the desktop changes.
    void tellOfDesktop()
    {
        QEvent changed(QEvent::ThemeChange);
        QApplication::sendEvent(window.windowHandle(), &changed);
    }
    [[nodiscard]] bool isDark() const { return &window.theme() == &Theme::dark(); }
};

QColor ground()
{
    return QApplication::palette().color(QPalette::Window);
}

} // namespace

class TestDesktopTheme : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }
    void cleanup() { QApplication::setStyle(new Desktop(Theme::light())); }

    void theDesktopIsAskedAndNotTheProgramsOwnPalette()
    {
        for (const Theme *own : {&Theme::dark(), &Theme::light()}) {
            QApplication::setPalette(own->palette());
            QVERIFY(!isDesktopDark());
            QCOMPARE(ground(), own->palette().color(QPalette::Window)); // it is back
        }
    }

    void aDarkDesktopIsDarkWhateverTheProgramsOwnPalette()
    {
        QApplication::setStyle(new Desktop(Theme::dark()));
        for (const Theme *own : {&Theme::dark(), &Theme::light()}) {
            QApplication::setPalette(own->palette());
            QVERIFY(isDesktopDark());
            QCOMPARE(ground(), own->palette().color(QPalette::Window));
        }
    }

    void theWindowTurnsDarkWithTheDesktopAndLightAgain()
    {
        DesktopThemeDesk desk;
        desk.window.followTheme();
        QVERIFY(!desk.isDark());
        for (const Theme *now : {&Theme::dark(), &Theme::light()}) {
            QApplication::setStyle(new Desktop(*now));
            desk.tellOfDesktop();
            QTRY_COMPARE(&desk.window.theme(), now);
            QCOMPARE(ground(), now->palette().color(QPalette::Window));
            QCOMPARE(desk.window.palette().color(QPalette::Window), now->colour(style::Token::Window));
        }
    }

    void aThemeThatWasChosenIsNotThatOfADarkDesktop()
    {
        DesktopThemeDesk desk;
        desk.settings.setValue(mainwindow::ThemeKey, "light");
        QApplication::setStyle(new Desktop(Theme::dark()));
        desk.window.followTheme();
        QVERIFY(!desk.isDark());
        desk.settings.setValue(mainwindow::ThemeKey, "desktop");
        desk.window.followTheme();
        QVERIFY(desk.isDark());
    }

    void aWindowThatFollowsNothingStaysAsItWasTold()
    {
        DesktopThemeDesk desk;
        desk.tellOfDesktop();
        QCoreApplication::processEvents();
        QVERIFY(desk.isDark());
    }

    void theWindowFollowsTheDesktopWhileItRuns()
    {
        DesktopThemeDesk desk;
        desk.window.followTheme();
        QVERIFY(!desk.isDark());
        QCOMPARE(ground(), Theme::light().palette().color(QPalette::Window));
        desk.window.setTheme(Theme::dark()); // as if the desktop had been dark until now
        desk.tellOfDesktop();
        QTRY_VERIFY(!desk.isDark());
        QCOMPARE(ground(), Theme::light().palette().color(QPalette::Window));
    }

    void itsOwnPaletteIsNoChangeOfTheDesktop()
    {
        DesktopThemeDesk desk;
        mainwindow::DesktopTheme desktop;
        QSignalSpy changed(&desktop, &mainwindow::DesktopTheme::changed);
        desk.window.setTheme(Theme::light());
        QVERIFY(!isDesktopDark());
        QCoreApplication::processEvents();
        QCOMPARE(changed.size(), 0);
        desk.tellOfDesktop();
        QTRY_COMPARE(changed.size(), 1);
    }

    void aThemeThatWasChosenStays()
    {
        DesktopThemeDesk desk;
        desk.settings.setValue(mainwindow::ThemeKey, "dark");
        desk.window.followTheme();
        desk.tellOfDesktop();
        QCoreApplication::processEvents();
        QVERIFY(desk.isDark());
        desk.settings.setValue(mainwindow::ThemeKey, "desktop");
        desk.window.followTheme();
        QVERIFY(!desk.isDark());
    }
};

PIPESCOPE_WIDGET_TEST(TestDesktopTheme)
#include "tst_desktop_theme.moc"
