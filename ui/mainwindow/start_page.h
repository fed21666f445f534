// What the window shows while nothing is open: open a model, open the example, the files opened last, and what there is
// to do then, in three steps.
#pragma once

#include "session/recent_files.h"
#include "style/theme.h"

#include <QWidget>
#include <vector>

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace pipescope::mainwindow {

class StartPage : public QWidget
{
    Q_OBJECT

public:
    explicit StartPage(QWidget *parent = nullptr);

    void setTheme(const style::Theme &theme);
    void setRecent(const std::vector<session::RecentFile> &files);
    /// Why the example cannot be opened, as a sentence; "" where it can.
    void setExample(const QString &hint, const QString &whyNot);

Q_SIGNALS:
    void openAsked();
    void exampleAsked();
    void recentAsked(const QString &path);

private:
    QWidget *makeSteps();

    QPushButton *m_open; // not owned, nor are those below: Qt's parent has them
    QPushButton *m_example;
    QLabel *m_exampleHint;
    QLabel *m_recentTitle;
    QVBoxLayout *m_recent;
    std::vector<QWidget *> m_rows;
    std::vector<QLabel *> m_numbers;
    std::vector<QLabel *> m_dim;
};

} // namespace pipescope::mainwindow
