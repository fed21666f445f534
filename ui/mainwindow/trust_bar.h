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
    /// Whether code of the file runs, as it does while it is loaded. `MayHaveRun`: loading it was begun, and did not
    /// end well, or what came of it is gone. Until the file was read to its end, nobody can say which one it is that
    /// would be trusted: `BeingRead`, and `NotReadToItsEnd` where that was given up, so that the button reads it.
    enum class Code { NotRun, Running, MayHaveRun, BeingRead, NotReadToItsEnd };
    void setCode(Code code);

Q_SIGNALS:
    void trusted();

private:
    void showText();
    [[nodiscard]] QString sentences() const;

    QLabel *m_text; // not owned, nor is the button: Qt's parent has them
    QPushButton *m_button;
    QColor m_colour;
    QStringList m_libraries;
    Code m_code = Code::NotRun;
};

} // namespace pipescope::mainwindow
