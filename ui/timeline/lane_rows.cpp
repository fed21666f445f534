#include "timeline/lane_rows.h"

#include <QThread>
#include <atomic>
#include <latch>
#include <memory>

namespace pipescope::timeline {

namespace {

/// Rows to be found, by whoever has time for the next one.
class Sharing
{
public:
    explicit Sharing(std::span<LaneRow> rows)
        : m_rows(rows)
        , m_left(std::ssize(rows))
    {
    }
    /// Until none is left to begin with. Who comes too late for any touches none.
    void work()
    {
        for (std::size_t i = m_next++; i < m_rows.size(); i = m_next++) {
            m_rows[i].collect();
            m_left.count_down();
        }
    }
    void waitForAll() { m_left.wait(); }

private:
    const std::span<LaneRow> m_rows;
    std::atomic<std::size_t> m_next = 0;
    std::latch m_left;
};

} // namespace

LaneRows::LaneRows()
{
    m_pool.setMaxThreadCount(std::max(1, QThread::idealThreadCount() - 1));
}

void LaneRows::collect(const Scene &scene)
{
    std::size_t count = 0;
    for (int lane = scene.geometry.firstLane(); lane < scene.geometry.endLane(); ++lane)
        for (int run = 0; run < scene.runs.count(); ++run)
            if (scene.runs.lane(run, lane) != nullptr) {
                if (count == m_rows.size())
                    m_rows.emplace_back();
                m_rows[count++].stand(scene, lane, run);
            }
    m_rows.resize(count);
    // Whoever asks takes part: where other programs have the cores, no frame waits for a thread to begin. Such a thread
    // may come when all is over, so that what is shared is its too.
    const auto sharing = std::make_shared<Sharing>(m_rows);
    for (int helper = 0; helper < std::min(m_pool.maxThreadCount(), static_cast<int>(count) - 1); ++helper)
        m_pool.start([sharing] { sharing->work(); });
    sharing->work();
    sharing->waitForAll();
}

} // namespace pipescope::timeline
