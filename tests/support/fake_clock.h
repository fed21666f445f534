// A time that stands still until the test moves it on.
#pragma once

#include "base/clock.h"

#include <chrono>
#include <memory>

namespace pipescope::tests {

class FakeClock
{
public:
    /// May outlive this.
    [[nodiscard]] Clock clock() const
    {
        return [now = m_now] { return *now; };
    }
    void advance(std::chrono::nanoseconds by) const { *m_now += by; }

private:
    const std::shared_ptr<std::chrono::steady_clock::time_point> m_now =
        std::make_shared<std::chrono::steady_clock::time_point>();
};

} // namespace pipescope::tests
