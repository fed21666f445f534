// The numbers and names that writing and reading Chrome traces share. Private to trace/.
#pragma once

#include "trace/event.h"

#include <array>
#include <string_view>

namespace pipescope::trace {

inline constexpr int FormatVersion = 1;

/// The kinds of event; a track's number (tid) is its place here.
inline constexpr std::array Tracks{EventKind::Compute, EventKind::Send, EventKind::Receive, EventKind::Wait};
inline constexpr std::array Causes{WaitCause::None, WaitCause::Input, WaitCause::Credit, WaitCause::Device};

[[nodiscard]] constexpr int trackOf(EventKind kind)
{
    int track = 0;
    while (Tracks[static_cast<std::size_t>(track)] != kind)
        ++track;
    return track;
}

} // namespace pipescope::trace
