// Trace files read beside the window.
#pragma once

#include "base/result.h"
#include "timeline/lane_model.h"

#include <QObject>
#include <QString>
#include <QThreadPool>
#include <memory>

namespace pipescope::timeline {

class TraceReader : public QObject
{
    Q_OBJECT

public:
    explicit TraceReader(QObject *parent = nullptr);
    /// Waits for the one under way.
    ~TraceReader() override;

    /// A file that trace::toChromeJson wrote; loaded() follows, or refused().
    void open(const QString &path);

Q_SIGNALS:
    void loaded(const QString &path, const std::shared_ptr<const pipescope::timeline::LaneModel> &model);
    /// A sentence that says what, where and what to do.
    void refused(const QString &message);

private:
    QThreadPool m_pool; // of one thread
};

/// What TraceReader does; for its thread.
[[nodiscard]] Result<std::shared_ptr<const LaneModel>> readTraceFile(const QString &path);

} // namespace pipescope::timeline
