// The command palette: words in, anything that can be done or looked at out. For the keyboard alone; the pointer works
// too. Lies over the window it belongs to.
#pragma once

#include "actions/palette_model.h"

#include <QFrame>
#include <QPointer>
#include <vector>

class QLabel;
class QLineEdit;
class QListView;

namespace pipescope::actions {

class CommandPalette : public QFrame
{
    Q_OBJECT

public:
    explicit CommandPalette(QWidget &window);

    /// Over the window's top, empty, with the keyboard.
    void open(std::vector<PaletteItems> items);
    /// The keyboard goes back to where it was.
    void dismiss();
    [[nodiscard]] const PaletteModel &model() const { return m_model; }

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void search(const QString &typed);
    void moveBy(int rows);
    void choose();
    void place();

    PaletteModel m_model;
    QLineEdit *m_typed; // not owned, nor are those below: Qt's parent has them
    QListView *m_list;
    QLabel *m_none;
    QPointer<QWidget> m_before; ///< what had the keyboard
};

} // namespace pipescope::actions
