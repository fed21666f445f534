// What the window shows while nothing is open.
#pragma once

#include <QWidget>

namespace pipescope::mainwindow {

class StartPage : public QWidget
{
    Q_OBJECT

public:
    explicit StartPage(QWidget *parent = nullptr);

Q_SIGNALS:
    void openAsked();
};

} // namespace pipescope::mainwindow
