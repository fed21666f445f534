// Whether the desktop is dark, and hearing of it when that changes while the program runs.
#pragma once

#include <QObject>

namespace pipescope::mainwindow {

/// Of the desktop, whatever palette the program has been given itself.
[[nodiscard]] bool isDesktopDark();

class DesktopTheme : public QObject
{
    Q_OBJECT

public:
    explicit DesktopTheme(QObject *parent = nullptr);

Q_SIGNALS:
    void changed();

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
};

} // namespace pipescope::mainwindow
