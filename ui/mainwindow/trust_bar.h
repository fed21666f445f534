// Over a model of which nothing has run yet: says so, with the one button that lets it.
#pragma once

#include "style/theme.h"

#include <QFrame>

class QLabel;

namespace pipescope::mainwindow {

class TrustBar : public QFrame
{
    Q_OBJECT

public:
    explicit TrustBar(const style::Theme &theme, QWidget *parent = nullptr);

    void setTheme(const style::Theme &theme);

Q_SIGNALS:
    void trusted();

private:
    QLabel *m_text; // not owned: Qt's parent has it
};

} // namespace pipescope::mainwindow
