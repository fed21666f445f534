// A box of schedules: the table's, greyed where they do not fit the plan, the plan's own file, and "From file...",
// which asks for one.
#pragma once

#include "session/document.h"

#include <QObject>
#include <functional>
#include <utility>

class QComboBox;

namespace pipescope::runview {

class ScheduleChoice : public QObject
{
    Q_OBJECT

public:
    /// Fills the box, which is empty, with schedules that have their keys as data; it and the document must outlive
    /// this. Shows the plan's schedule from now on, and edits the plan where another is chosen.
    ScheduleChoice(QComboBox &box, session::Document &document, QObject *parent = nullptr);

    /// Asks for a file, beginning in a folder; "" where there shall be none.
    using ChooseFile = std::function<QString(QWidget &box, const QString &folder)>;
    /// In place of a dialog.
    void setChooser(ChooseFile choose) { m_choose = std::move(choose); }
    /// Whether the engine, and so the file, may be on another machine: then a path there is asked for in place of a
    /// file here, each time one is to be chosen.
    void setFilesAreElsewhere(std::function<bool()> areElsewhere) { m_areElsewhere = std::move(areElsewhere); }
    /// As when "From file..." is chosen.
    void chooseFile();

    bool eventFilter(QObject *watched, QEvent *event) override;

Q_SIGNALS:
    /// What was chosen cannot be used; the plan is as it was.
    void refused(const QString &why);

private:
    void showPlan();
    void showFit();
    void take(int item);
    void setFileEnabled(bool enabled);

    QComboBox &m_box;
    session::Document &m_document;
    ChooseFile m_choose;
    std::function<bool()> m_areElsewhere;
    int m_own; ///< item of a schedule that the table does not have, where there is one; those before are the table's
};

} // namespace pipescope::runview
