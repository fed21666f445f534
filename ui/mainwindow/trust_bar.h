// Over a model of which nothing has run yet: says so, with the one button that lets it.
#pragma once

#include "style/theme.h"

#include <QColor>
#include <QFrame>
#include <QStringList>

class QLabel;

namespace pipescope::mainwindow {

class TrustBar : public QFrame
{
    Q_OBJECT

public:
    explicit TrustBar(const style::Theme &theme, QWidget *parent = nullptr);

    void setTheme(const style::Theme &theme);
    /// Those that loading the model loads too; their code runs as well.
    void setLibraries(const QStringList &libraries);

Q_SIGNALS:
    void trusted();

private:
    void showText();

    QLabel *m_text; // not owned: Qt's parent has it
    QColor m_colour;
    QStringList m_libraries;
};

} // namespace pipescope::mainwindow
