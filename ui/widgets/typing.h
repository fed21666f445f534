// What stands in a line of a form and is not left yet: most is written when the focus leaves a line, and neither a
// shortcut nor a tool button takes it.
#pragma once

class QAbstractSpinBox;
class QWidget;

namespace pipescope::widgets {

/// Takes what is being typed in a line, a number's box or a table's cell, as leaving it does. Lines and boxes keep
/// the focus; a cell's editor closes. Call before anything that reads what the forms write.
void finishTyping();

/// A double click selects the number, wherever in the box, as in one without words behind it: Qt selects the word that
/// was met, and what is typed then goes beside the number.
void selectNumberOnDoubleClick(QAbstractSpinBox &box);

/// For the destructor of a form that writes what its lines say: Qt takes the focus from a line while the form is
/// being destroyed, and the form would hear of it as one that is no form any more.
void stopListening(QWidget &form);

} // namespace pipescope::widgets
