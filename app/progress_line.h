// One line on standard error that says how far the work is, rewritten in place. Only on a terminal; elsewhere it does
// nothing.
#pragma once

#include <chrono>
#include <mutex>
#include <string>
#include <string_view>

namespace pipescope::app {

/// May be used from several threads.
class ProgressLine
{
public:
    ProgressLine();
    ~ProgressLine();
    ProgressLine(const ProgressLine &) = delete;
    ProgressLine &operator=(const ProgressLine &) = delete;

    /// Shown at most ten times a second, except where the step changes. Nothing is shown in the first 150 ms of all.
    void show(std::string_view step, double fraction);
    void clear();
    /// Clears the line and writes text below what was there before.
    void print(std::string_view text);

private:
    using Clock = std::chrono::steady_clock;
    void clearLocked();

    const bool m_visible;
    const Clock::time_point m_start = Clock::now();
    std::mutex m_mutex;
    Clock::time_point m_shownAt;
    std::string m_step;
    bool m_drawn = false;
};

/// "profiling  [######....]  60 %", or without the bar when the fraction is negative.
[[nodiscard]] std::string progressText(std::string_view step, double fraction);

} // namespace pipescope::app
