#include "mainwindow/desktop_theme.h"

#include <QApplication>
#include <QEvent>
#include <QPalette>
#include <QStyleHints>

namespace pipescope::mainwindow {

bool isDesktopDark()
{
#if QT_VERSION >= QT_VERSION_CHECK(6, 5, 0)
    if (const Qt::ColorScheme scheme = QGuiApplication::styleHints()->colorScheme(); scheme != Qt::ColorScheme::Unknown)
        return scheme == Qt::ColorScheme::Dark;
#endif
    // Before 6.5 only the palette tells; the program's own is taken away for a moment to see the desktop's.
    const QPalette own = QApplication::palette();
    QApplication::setPalette(QPalette());
    const bool isDark = QApplication::palette().color(QPalette::Window).lightness() < 128;
    QApplication::setPalette(own);
    return isDark;
}

DesktopTheme::DesktopTheme(QObject *parent)
    : QObject(parent)
{
#if QT_VERSION >= QT_VERSION_CHECK(6, 5, 0)
    connect(QGuiApplication::styleHints(), &QStyleHints::colorSchemeChanged, this, &DesktopTheme::changed);
#endif
    qApp->installEventFilter(this);
}

bool DesktopTheme::eventFilter(QObject *watched, QEvent *event)
{
    // ApplicationPaletteChange also comes of the program's own palette; ThemeChange of the desktop's only. It is sent
    // to every window: one is enough, and late, since the filter may not change palettes while one is being given out.
    if (event->type() == QEvent::ThemeChange && watched->isWindowType())
        QMetaObject::invokeMethod(this, &DesktopTheme::changed, Qt::QueuedConnection);
    return QObject::eventFilter(watched, event);
}

} // namespace pipescope::mainwindow
