// Over a model that was only read: says whether anything in it has run, with the one button that lets it.
#pragma once

#include "style/theme.h"

#include <QColor>
#include <QFrame>
#include <QStringList>

class QLabel;
class QPushButton;

namespace pipescope::mainwindow {

class TrustBar : public QFrame
{
    Q_OBJECT

public:
    explicit TrustBar(const style::Theme &theme, QWidget *parent = nullptr);

    void setTheme(const style::Theme &theme);
    /// Those that loading the model loads too; their code runs as well.
    void setLibraries(const QStringList &libraries);
    /// It is being loaded, so that code in it may run now.
    void setLoading(bool loading);

Q_SIGNALS:
    void trusted();

private:
    void showText();

    QLabel *m_text; // not owned, nor is the button: Qt's parent has them
    QPushButton *m_button;
    QColor m_colour;
    QStringList m_libraries;
    bool m_isLoading = false;
};

} // namespace pipescope::mainwindow
