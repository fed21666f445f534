// A tensor seen over a mesh, with all that belongs around the picture: the fields that say what is seen, the steps to
// another layout, and both as tables. Needs no model.
#pragma once

#include "session/selection.h"
#include "shardview/step_picture.h"
#include "shardview/step_walk.h"
#include "style/theme.h"

#include <QWidget>

class QBoxLayout;
class QComboBox;
class QLabel;
class QSettings;
class QToolButton;

namespace pipescope::widgets {
class ElidedLabel;
}

namespace pipescope::shardview {

class LayoutFields;
class ShardTables;
class ViewFields;

class ShardPage : public QWidget
{
    Q_OBJECT

public:
    /// Begins with what stood in the fields the last time, else with an example, once it is seen. The settings must
    /// outlive this.
    ShardPage(QSettings &settings, const style::Theme &theme, QWidget *parent = nullptr);

    /// Shape and dtype are those of the tensor; mesh and placements stay, where they fit it.
    void showTensor(const session::TensorToShow &tensor);
    void setTheme(const style::Theme &theme);

    [[nodiscard]] StepPicture &picture() { return *m_picture; }
    [[nodiscard]] ShardCanvas &canvas() { return m_picture->before(); }

protected:
    void showEvent(QShowEvent *event) override;
    /// Home, End, Page Up and Page Down step, where no field and no table takes them.
    void keyPressEvent(QKeyEvent *event) override;

private:
    void layOut();
    QBoxLayout *makeViewBar();
    QBoxLayout *makeStepBar();
    QToolButton *stepButton(const QString &text, const char *name, const QString &help);
    void connectParts();
    void readFields();
    void showProblems();
    void showWalk();
    void goTo(int place);
    void keepFields();

    QSettings &m_settings;
    bool m_hasRead = false; ///< what stands in the fields
    StepWalk m_walk;
    LayoutFields *m_fields; // not owned, nor are those below: Qt's parent has them
    widgets::ElidedLabel *m_name;
    ViewFields *m_view;
    QWidget *m_stepBar;
    QComboBox *m_planner;
    QToolButton *m_first;
    QToolButton *m_previous;
    QToolButton *m_next;
    QToolButton *m_last;
    widgets::ElidedLabel *m_now;
    QLabel *m_difference;
    StepPicture *m_picture;
    ShardTables *m_tables;
};

} // namespace pipescope::shardview
