// Which of the kept runs are shown: a check box for each of the last ones, and a menu of those before.
#pragma once

#include <QStringList>
#include <QWidget>
#include <vector>

class QBoxLayout;
class QCheckBox;
class QToolButton;

namespace pipescope::timeline {

class RunBar : public QWidget
{
    Q_OBJECT

public:
    /// More than two above one another are not read any more.
    static constexpr std::size_t MostChosen = 2;

    explicit RunBar(QWidget *parent = nullptr);

    /// In the order they were made; chosen is only the last one.
    void setRuns(const QStringList &names);
    /// Each is an index in the names. At least one stays chosen; of three the one that was chosen first is left out.
    void setChosen(const std::vector<int> &runs);
    /// The later run first.
    [[nodiscard]] std::vector<int> chosen() const;

Q_SIGNALS:
    /// By the user.
    void chosenChanged();

private:
    void toggle(int run, bool isOn);
    void showChosen();

    static constexpr int MostBoxes = 3;

    QBoxLayout *m_layout; // not owned, nor are those below: Qt's parent has them
    QToolButton *m_earlier;
    std::vector<QCheckBox *> m_boxes; // of the last runs
    int m_first = 0;                  // run of the first box
    QStringList m_names;
    std::vector<int> m_chosen; // in the order they were chosen
};

} // namespace pipescope::timeline
