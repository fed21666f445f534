// What the user is told: every sentence in the log, and what went wrong above the canvas as well, with links to where
// it happened.
#pragma once

#include "base/error.h"
#include "base/result.h"
#include "mainwindow/notice_area.h"
#include "mainwindow/workspace.h"
#include "plan/plan.h"
#include "report/inspection.h"
#include "report/run_report.h"

#include <QObject>
#include <optional>
#include <string>
#include <vector>

class QPlainTextEdit;

namespace pipescope::mainwindow {

class Reports : public QObject
{
    Q_OBJECT

public:
    /// All must outlive this. What the engine says goes to the log from now on.
    Reports(Workspace &workspace, NoticeArea &notices, QPlainTextEdit &log);

    /// A line of the log, with the time.
    void log(const QString &text);
    /// In place of the error before it. One that says that something was cancelled is only said in passing.
    void report(const Error &error);
    /// report(), where it did not go well.
    void tell(const Status &done);
    /// The last error is over: something else was opened, the engine is another.
    void forgetError();
    /// Whatever the engine is doing; the last error is over then, and the plan stays.
    void restartEngine();
    /// In place of an earlier one of that id.
    void post(const QString &id, const Notice &notice);
    void forget(const QString &id);

    /// That the split model differs from the unsplit one; an earlier such notice goes where this run has none.
    void reportDifference(const report::RunReport &run);
    void forgetDifference();
    /// That the model's file is another than it was; in the text "%1" is its name.
    void reportReplacedModel(const QString &text);
    void forgetReplacedModel();

    /// That the model calls operators which LibTorch does not know, or is otherwise refused by it, with what to do; an
    /// earlier such notice goes where this model has no such fault. nullptr for no model.
    void reportRefusal(const report::Inspection *model, const plan::Plan &plan);

Q_SIGNALS:
    /// Links that were followed.
    void placeAsked(const pipescope::session::Selected &place);
    void logAsked();
    /// The table where inputs are given.
    void inputsAsked();
    void checkAsked();
    void libraryAsked();
    /// A sentence that needs no answer, for some seconds.
    void saidInPassing(const QString &text);

private:
    void goTo(const Error &error, const QString &named);
    void sayGone(const QString &named);
    void inputsChanged();
    /// The error to be shown with this text is about that argument.
    void followInput(const std::string &argument, const QString &text);

    Workspace &m_workspace;
    NoticeArea &m_notices;
    QPlainTextEdit &m_log;
    bool m_tellsOfLostEngine = false;       ///< the error shown
    std::string m_input;                    ///< the argument that the error shown is about; "" for none
    std::optional<plan::InputSpec> m_given; ///< for that argument, when the error was reported
    std::vector<std::string> m_missing;     ///< where it was missing: all that were
    QString m_missingText;                  ///< what was said of them
};

} // namespace pipescope::mainwindow
