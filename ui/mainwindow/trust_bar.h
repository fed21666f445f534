// Over a model of which nothing has run yet: says so, with the one button that lets it.
#pragma once

#include "style/theme.h"

#include <QFrame>

namespace pipescope::mainwindow {

class TrustBar : public QFrame
{
    Q_OBJECT

public:
    explicit TrustBar(const style::Theme &theme, QWidget *parent = nullptr);

Q_SIGNALS:
    void trusted();
};

} // namespace pipescope::mainwindow
