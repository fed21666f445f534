#include "progress_line.h"

#include "base/shown_text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fmt/format.h>
#include <unistd.h>

namespace pipescope::app {

namespace {

constexpr auto Quiet = std::chrono::milliseconds(150);
constexpr auto Interval = std::chrono::milliseconds(100);
constexpr int BarCells = 24;
constexpr std::string_view ClearLine = "\r\x1b[K";

} // namespace

std::string progressText(std::string_view step, double fraction)
{
    if (!(fraction >= 0))
        return fmt::format("{} ...", step);
    fraction = std::min(fraction, 1.0);
    const int filled = static_cast<int>(std::floor(fraction * BarCells));
    return fmt::format("{}  [{:#<{}}{:.<{}}]  {:.0f} %", step, "", filled, "", BarCells - filled,
                       std::floor(fraction * 100));
}

ProgressLine::ProgressLine()
    : m_visible(isatty(STDERR_FILENO) != 0)
{
}

ProgressLine::~ProgressLine()
{
    clear();
}

void ProgressLine::show(std::string_view step, double fraction)
{
    if (!m_visible)
        return;
    const std::lock_guard lock(m_mutex);
    const Clock::time_point now = Clock::now();
    if (now - m_start < Quiet || (step == m_step && now - m_shownAt < Interval))
        return;
    m_step = step;
    m_shownAt = now;
    m_drawn = true;
    const std::string line = std::string(ClearLine) + shownText(progressText(step, fraction));
    std::fwrite(line.data(), 1, line.size(), stderr);
    std::fflush(stderr);
}

void ProgressLine::clear()
{
    const std::lock_guard lock(m_mutex);
    clearLocked();
}

void ProgressLine::print(std::string_view text)
{
    const std::lock_guard lock(m_mutex);
    clearLocked();
    const std::string shown = shownLines(text);
    std::fwrite(shown.data(), 1, shown.size(), stderr);
    if (!text.ends_with('\n'))
        std::fputc('\n', stderr);
    std::fflush(stderr);
}

void ProgressLine::clearLocked()
{
    if (!m_drawn)
        return;
    m_drawn = false;
    std::fwrite(ClearLine.data(), 1, ClearLine.size(), stderr);
    std::fflush(stderr);
}

} // namespace pipescope::app
