// A row of the stage table: what a stage holds, where it begins and, after a run, what it cost.
#pragma once

#include "base/ids.h"
#include "graph/model_graph.h"
#include "partition/partition.h"
#include "trace/event.h"
#include "trace/trace_stats.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pipescope::report {

struct StageReport
{
    std::string name;                ///< "stage0"
    RankId rank;                     ///< invalid when there was no run
    std::string first;               ///< split point it begins at; "" for the first stage
    int nodes = 0;                   ///< of the top-level order
    std::int64_t parameters = 0;     ///< elements, each tensor once, buffers not included
    std::int64_t parameterBytes = 0; ///< of the same
    std::int64_t bufferBytes = 0;
    std::int64_t constantBytes = 0; ///< of tensors that are constants of the code
    double seconds = 0;             ///< median of one microbatch's forward
    std::int64_t sentBytes = 0;     ///< to later stages, per microbatch on average
    /// Of the whole batch, where the graph was profiled on it; absent too where it is not known of one of its nodes.
    std::optional<double> flops;

    /// Of all that it is weighed by: parameters, and constants of the code.
    [[nodiscard]] std::int64_t weightBytes() const { return parameterBytes + constantBytes; }

    friend bool operator==(const StageReport &, const StageReport &) = default;
};

/// What is known of the stages before a run.
[[nodiscard]] std::vector<StageReport> stageReports(const graph::ModelGraph &graph,
                                                    const partition::Partition &partition);

/// Adds what a run tells.
void addMeasurements(std::vector<StageReport> &stages, const trace::Trace &trace, const trace::Stats &stats);

/// The words of --split that give the same cuts again: stable names, one for each cut.
[[nodiscard]] std::vector<std::string> splitWords(const graph::ModelGraph &graph, const std::vector<int> &cuts);

} // namespace pipescope::report
