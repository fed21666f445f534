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
    int endsPutOff = 0;
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

bool unlessCommitting(std::chrono::milliseconds quiet, const std::function<void()> &end,
                      std::chrono::steady_clock::time_point now)
{
    const std::lock_guard lock(commits().mutex);
    const auto &lastEnd = commits().lastEnd;
    if (commits().underWay > 0 || (lastEnd && now - *lastEnd < quiet)) {
        ++commits().endsPutOff;
        return false;
    }
    end();
    return true;
}

int endsPutOff()
{
    const std::lock_guard lock(commits().mutex);
    return commits().endsPutOff;
}

} // namespace pipescope
