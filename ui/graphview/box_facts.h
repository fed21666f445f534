// What a graph knows of each box besides its name: measured time, bytes, parameters, and the stages it lies in.
#pragma once

#include "graphview/box_tree.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pipescope::graphview {

/// What the boxes show besides their names.
enum class Overlay { Stage, Time, Memory, Parameters };
inline constexpr int OverlayCount = 4;

/// "Stage", "Time", ...
[[nodiscard]] const char *overlayName(Overlay overlay);

struct BoxCosts
{
    std::optional<double> seconds;      ///< of all its nodes, where every one was measured
    std::optional<std::int64_t> memory; ///< bytes of all that its nodes make, likewise
    std::int64_t parameters = 0; ///< bytes of the parameters, buffers and constants of the code it uses, each once

    friend bool operator==(const BoxCosts &, const BoxCosts &) = default;
};

/// First and last stage of a box; invalid for arguments and results, and before there is a partition.
struct StageSpan
{
    StageId first;
    StageId last;

    friend bool operator==(const StageSpan &, const StageSpan &) = default;
};

[[nodiscard]] std::vector<BoxCosts> costsOf(const graph::ModelGraph &graph, const BoxTree &tree);

/// `stageOf` is partition::Partition's: by position of the order. Another length gives no stage to any.
[[nodiscard]] std::vector<StageSpan> stagesOf(const graph::ModelGraph &graph, const BoxTree &tree,
                                              const std::vector<StageId> &stageOf);

/// A cost as a number that boxes can be compared by; nullopt for what is unknown and for Overlay::Stage.
[[nodiscard]] std::optional<double> amount(const BoxCosts &costs, Overlay overlay);

/// "3.41 ms", "9.5 MiB"; empty for what is unknown. The stage overlay shows the time.
[[nodiscard]] std::string amountText(const BoxCosts &costs, Overlay overlay);

} // namespace pipescope::graphview
