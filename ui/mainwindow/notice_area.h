// Sentences above the canvas: what went wrong, with links to where it happened, or what waits for an answer. One notice
// for each id; the log keeps them all.
#pragma once

#include <QString>
#include <QWidget>
#include <functional>
#include <map>
#include <vector>

class QVBoxLayout;

namespace pipescope::mainwindow {

struct NoticeLink
{
    QString text;
    std::function<void()> follow;
    bool dismisses = false; ///< the notice goes when it is followed: it was answered
};

struct Notice
{
    enum class Kind { Information, Warning, Error };
    Kind kind = Kind::Error;
    QString text; ///< plain
    std::vector<NoticeLink> links;
};

// What an engine or a file says can be of any length, and laying out megabytes would hold the window up.
inline constexpr qsizetype LongestNotice = 2'000;
inline constexpr qsizetype LongestStep = 200; ///< of a line that says what is under way

/// At most so many characters, the last one an ellipsis where there were more.
[[nodiscard]] QString shortened(const QString &text, qsizetype most);

class NoticeArea : public QWidget
{
    Q_OBJECT

public:
    explicit NoticeArea(QWidget *parent = nullptr);

    /// In place of an earlier one of that id.
    void post(const QString &id, const Notice &notice);
    /// Other words for one that is there; its buttons stay, with the keyboard if they have it.
    void reword(const QString &id, const QString &text);
    void remove(const QString &id);
    /// "" where there is none.
    [[nodiscard]] QString text(const QString &id) const;

private:
    QVBoxLayout *m_layout; // not owned, nor are the notices: Qt's parent has them
    std::map<QString, QWidget *> m_notices;
};

} // namespace pipescope::mainwindow
