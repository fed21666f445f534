#include "base/commit.h"

#include <mutex>
#include <optional>

namespace pipescope {

namespace {

struct Commits
{
    std::mutex mutex;
    int underWay = 0;
    std::optional<std::chrono::steady_clock::time_point> lastEnd;
};

Commits &commits()
{
    static Commits all;
    return all;
}

} // namespace

Commit::Commit()
{
    const std::lock_guard lock(commits().mutex);
    ++commits().underWay;
}

Commit::~Commit()
{
    const std::lock_guard lock(commits().mutex);
    --commits().underWay;
    commits().lastEnd = std::chrono::steady_clock::now();
}

bool unlessCommitting(std::chrono::milliseconds quiet, const std::function<void()> &end)
{
    const std::lock_guard lock(commits().mutex);
    const auto &lastEnd = commits().lastEnd;
    if (commits().underWay > 0 || (lastEnd && std::chrono::steady_clock::now() - *lastEnd < quiet))
        return false;
    end();
    return true;
}

} // namespace pipescope
