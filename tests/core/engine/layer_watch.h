// Counts the layers (small_models.h) that any thread of this process runs, and may hold one back: how far a run is,
// without a clock.
#pragma once

#include <ATen/record_function.h>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string_view>
#include <utility>

namespace pipescope::tests {

/// One at a time.
class LayerWatch
{
public:
    /// Whether a layer may run that comes after so many; called by the threads that run layers.
    using MayRun = std::function<bool(int before)>;

    explicit LayerWatch(MayRun mayRun = [](int) { return true; })
    {
        {
            const std::lock_guard lock(state().mutex);
            state().count = 0;
            state().mayRun = std::move(mayRun);
        }
        m_handle = at::addGlobalCallback(at::RecordFunctionCallback(&begin).scopes({at::RecordScope::FUNCTION}));
    }
    /// Holds nobody back any longer.
    ~LayerWatch()
    {
        at::removeCallback(m_handle);
        {
            const std::lock_guard lock(state().mutex);
            state().mayRun = [](int) { return true; };
        }
        askAgain();
    }
    LayerWatch(const LayerWatch &) = delete;
    LayerWatch &operator=(const LayerWatch &) = delete;

    [[nodiscard]] int count() const
    {
        const std::lock_guard lock(state().mutex);
        return state().count;
    }

    /// Until so many layers have begun; false where they stand still for a minute.
    [[nodiscard]] bool waitFor(int count) const
    {
        std::unique_lock lock(state().mutex);
        for (int seen = -1; state().count < count && seen != state().count;) {
            seen = state().count;
            state().changed.wait_for(lock, std::chrono::minutes(1), [&] { return state().count >= count; });
        }
        return state().count >= count;
    }

    /// Where layers that may not run may now.
    void askAgain() const
    {
        const std::lock_guard lock(state().mutex);
        state().changed.notify_all();
    }

private:
    struct State
    {
        std::mutex mutex;
        std::condition_variable changed;
        int count = 0;
        MayRun mayRun;
    };

    /// Outlives every thread that may still be in it.
    static State &state()
    {
        static State state;
        return state;
    }

    static std::unique_ptr<at::ObserverContext> begin(const at::RecordFunction &function)
    {
        // Each layer ends with one.
        if (std::string_view(function.name()) != "aten::relu")
            return nullptr;
        std::unique_lock lock(state().mutex);
        const int before = state().count++;
        state().changed.notify_all();
        state().changed.wait(lock, [before] { return state().mayRun(before); });
        return nullptr;
    }

    at::CallbackHandle m_handle = 0;
};

} // namespace pipescope::tests
