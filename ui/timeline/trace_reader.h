// Trace files read beside the window.
#pragma once

#include "base/result.h"
#include "session/side_thread.h"
#include "timeline/lane_model.h"

#include <QObject>
#include <QString>
#include <memory>
#include <stop_token>

namespace pipescope::timeline {

class TraceReader : public QObject
{
    Q_OBJECT

public:
    explicit TraceReader(QObject *parent = nullptr);

    /// A file that trace::toChromeJson wrote; loaded() follows, or refused(). One that is under way is given up.
    void open(const QString &path);
    /// Nothing follows then.
    void cancel();
    [[nodiscard]] bool isReading() const { return !m_path.isEmpty(); }
    /// What is being read; "" for nothing.
    [[nodiscard]] QString path() const { return m_path; }

Q_SIGNALS:
    /// isReading() has changed.
    void stateChanged();
    void loaded(const QString &path, const std::shared_ptr<const pipescope::timeline::LaneModel> &model);
    /// A sentence that says what, where and what to do.
    void refused(const QString &message);

private:
    void finish(const QString &path, const Result<std::shared_ptr<const LaneModel>> &answer);

    QString m_path;
    session::SideThread m_thread{session::SideThread::Older::Stopped};
};

/// What TraceReader does; for its thread. Error: InvalidFile as a sentence; Cancelled once `stop` asks for it.
[[nodiscard]] Result<std::shared_ptr<const LaneModel>> readTraceFile(const QString &path,
                                                                     const std::stop_token &stop = {});

/// The sentence about an error of reading a trace file: it names the file and says what to do.
[[nodiscard]] QString whyRefused(const QString &path, const Error &error);

} // namespace pipescope::timeline
