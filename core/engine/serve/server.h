// `pipescope-cli serve`: answers the requests of a window or a script until the conversation ends.
#pragma once

#include "base/result.h"
#include "protocol/frame.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>

namespace pipescope::engine {

struct ServeOptions
{
    int input = 0;      ///< descriptors; they stay the caller's
    int output = 1;     ///< nothing else may write to it
    std::string engine; ///< "pipescope-cli 0.1.0"
    /// Called from a thread of its own when a job has not ended `patience` after the conversation: code that a model
    /// runs as it is loaded cannot be stopped. Not while files are given their places (base/commit.h): then `patience`
    /// begins again. Should end the process.
    std::function<void()> giveUp = {};
    std::chrono::milliseconds patience{3000};
    /// No message that is sent is larger; at least 4096. Tests set less.
    std::uint32_t maxFrameBytes = protocol::MaxFrameBytes;
};

/// Ends well when the input does, when the other side is gone, and when `stop` is requested; jobs that wait or run are
/// cancelled then, and answered where anybody is left to hear it. Error: InvalidFile where what arrives is no message
/// of protocol/message.h; it has been sent to the other side as well.
Status serve(const ServeOptions &options, const std::stop_token &stop);

} // namespace pipescope::engine
