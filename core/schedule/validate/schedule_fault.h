// Errors that point into a schedule. Private to schedule/.
#pragma once

#include "schedule/schedule_csv.h"

#include <fmt/format.h>

namespace pipescope::schedule {

/// "Rank 1, step 0"
[[nodiscard]] inline std::string toText(const Place &place)
{
    return fmt::format("Rank {}, step {}", place.rank.value, place.step);
}

/// `message`, with the grid as details and that place marked in it.
[[nodiscard]] inline Error faultAt(const Schedule &schedule, ErrorCode code, std::string message, const Place &place)
{
    return {code, std::move(message), toText(place), "Full pipeline schedule:\n" + toGrid(schedule, place)};
}

/// The same, with the place before the message.
[[nodiscard]] inline Error invalidAt(const Schedule &schedule, const Place &place, std::string_view what)
{
    return faultAt(schedule, ErrorCode::InvalidArgument, fmt::format("{}: {}", toText(place), what), place);
}

} // namespace pipescope::schedule
