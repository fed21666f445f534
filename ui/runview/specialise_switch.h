// Whether the graph is the one of the numbers, bools, texts and None that are given: a switch, and a sentence that says
// which values those are, or what switching it on would bring.
#pragma once

#include "session/run_controller.h"

#include <QWidget>
#include <vector>

class QCheckBox;
class QLabel;

namespace pipescope::runview {

class SpecialiseSwitch : public QWidget
{
    Q_OBJECT

public:
    /// Both must outlive this. Hidden where the method takes no such value.
    SpecialiseSwitch(session::Document &document, session::RunController &controller, QWidget *parent = nullptr);

private:
    void showState();
    void showWhyNot(const std::vector<plan::InputSpec> &given);
    [[nodiscard]] QString sentence(const std::vector<plan::InputSpec> &given) const;
    void turn(bool on);
    void specialise();

    session::Document &m_document;
    session::RunController &m_controller;
    bool m_isAsked = false; ///< the engine makes the graph just now
    QCheckBox *m_switch;    // not owned, nor is the one below: Qt's parent has them
    QLabel *m_sentence;
};

} // namespace pipescope::runview
