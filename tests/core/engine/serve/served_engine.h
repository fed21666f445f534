// An engine that a test talks to as a window does, and what it is asked of a small model.
#pragma once

#include "core/engine/small_models.h"
#include "engine/serve/server.h"
#include "support/engine_talk.h"

#include <QTemporaryDir>
#include <QtGlobal>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <fcntl.h>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <variant>

namespace pipescope::tests {

/// An engine on a thread of its own, and the window's end of the conversation with it.
class ServedEngine
{
public:
    explicit ServedEngine(std::chrono::milliseconds patience = std::chrono::minutes(1),
                          std::uint32_t maxFrameBytes = protocol::MaxFrameBytes)
    {
        if (::pipe2(m_toEngine, O_CLOEXEC) != 0 || ::pipe2(m_fromEngine, O_CLOEXEC) != 0)
            qFatal("no pipes");
        m_thread = std::thread([this, patience, maxFrameBytes] {
            ended = engine::serve(
                {m_toEngine[0], m_fromEngine[1], "test-engine", [this] { gaveUp = true; }, patience, maxFrameBytes},
                stop.get_token());
            ::close(m_fromEngine[1]);
        });
        talk.emplace(m_toEngine[1], m_fromEngine[0], maxFrameBytes);
    }
    ~ServedEngine()
    {
        hangUp();
        m_thread.join();
        ::close(m_toEngine[0]);
        ::close(m_fromEngine[0]);
    }
    ServedEngine(const ServedEngine &) = delete;
    ServedEngine &operator=(const ServedEngine &) = delete;

    /// The greeting that comes before everything else.
    bool greet()
    {
        talk->ask<protocol::HelloCall>(1, {});
        return static_cast<bool>(talk->answer<protocol::HelloCall>(1));
    }

    void hangUp()
    {
        if (m_toEngine[1] >= 0)
            ::close(std::exchange(m_toEngine[1], -1));
    }

    void waitForEnd()
    {
        while (talk->next()) {
        }
    }

    std::optional<testing::EngineTalk> talk;
    std::stop_source stop;
    Status ended = Success{};
    std::atomic<bool> gaveUp = false;

private:
    int m_toEngine[2] = {-1, -1};
    int m_fromEngine[2] = {-1, -1};
    std::thread m_thread;
};

template <class T>
std::string messageOf(const Result<T> &result)
{
    return result ? "no error" : result.error().message;
}

inline bool waitForEvent(ServedEngine &engine, std::string_view event)
{
    while (const auto message = engine.talk->next()) {
        const auto *told = std::get_if<protocol::Notification>(&*message);
        if (told != nullptr && told->event == event)
            return true;
    }
    return false;
}

/// Three layers in a file, and runs of two stages of it.
struct ServedModel
{
    QTemporaryDir folder;
    const std::string path = save(chain(3, 8), folder.filePath("chain.pt").toStdString());

    [[nodiscard]] report::RunRequest shortRun() const
    {
        report::RunRequest run;
        run.plan.model = path;
        run.plan.inputs = {*plan::parseInputSpec("x=float32[6,8]")};
        run.plan.splits = {"block1"};
        run.plan.microbatches = 3;
        return run;
    }

    /// One that only a cancellation ends.
    [[nodiscard]] report::RunRequest endlessRun() const
    {
        report::RunRequest run;
        run.plan.model = path;
        run.plan.inputs = {*plan::parseInputSpec("x=float32[64,8]")};
        run.plan.splits = {"block1"};
        run.plan.microbatches = 64;
        run.repeat = 1'000'000;
        return run;
    }
};

} // namespace pipescope::tests
