// What a run needs of the machine that makes it, told before it begins: memory, and cores for its threads. An estimate
// from what is known of the model; what is not known stays unknown. One answer for the command line and the window.
#pragma once

#include "base/available_memory.h"
#include "graph/model_graph.h"
#include "partition/partition.h"
#include "schedule/schedule.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pipescope::report {

/// What there is.
struct Machine
{
    std::optional<AvailableMemory> memory; ///< before the run's model is loaded
    int cores = 0;                         ///< 0: not known

    friend bool operator==(const Machine &, const Machine &) = default;
};

/// Bytes.
struct RunNeeds
{
    std::int64_t weights = 0;               ///< parameters, buffers and constants of the code, each tensor once
    std::vector<std::int64_t> stageWeights; ///< by stage; none where the stages are not known
    /// Inputs, results that ranks work with, that wait for a stage, and that the run returns. Absent where shapes are
    /// not known.
    std::optional<std::int64_t> activations;
    bool isMeasured = false; ///< activations, by an earlier run of the same
    /// What the comparison with the unsplit model takes beyond that; 0 without one. Absent as above.
    std::optional<std::int64_t> comparison;
    int inFlight = 0; ///< microbatches under way at once; 0: not known
    int ranks = 0;    ///< 0: not known
    int threadsPerRank = 1;
    Machine machine;

    /// Of what is known.
    [[nodiscard]] std::int64_t known() const { return weights + activations.value_or(0) + comparison.value_or(0); }
    [[nodiscard]] bool isComplete() const { return activations && comparison; }
    /// nullopt where that cannot be told: what is known fits, and something is not known.
    [[nodiscard]] std::optional<bool> fits() const;
    [[nodiscard]] int threads() const { return ranks * threadsPerRank; }
    /// Whether ranks have to wait for each other's cores; false where that is not known.
    [[nodiscard]] bool lacksCores() const { return machine.cores > 0 && threads() > machine.cores; }

    friend bool operator==(const RunNeeds &, const RunNeeds &) = default;
};

/// Bytes of all that a model holds (graph/held_tensors.h), each tensor once.
[[nodiscard]] std::int64_t weightsOf(const graph::ModelGraph &graph);

/// What the bytes in a profiled graph are of.
enum class Profiled { WholeBatch, Microbatch };

/// How it is to be run.
struct RunWay
{
    int microbatches = 1;
    int threadsPerRank = 1;
    int maxInFlight = 0; ///< 0: the default (schedule/in_flight.h)
    bool grad = false;
    bool check = true;
    std::optional<Profiled> profiled;       ///< absent: they are of other inputs, and not to be used
    std::optional<std::int64_t> inputBytes; ///< of the whole batch; absent: those of the profiled arguments
    std::vector<std::int64_t> peakBytes;    ///< by rank, as an earlier run of the same measured them; empty: no such
};

/// `forwards` is the schedule that runs (schedule/forwards_of.h); absent, like a partition without stages, where it is
/// not known. Values of the whole batch are taken to be as much smaller in a microbatch as there are microbatches.
[[nodiscard]] RunNeeds runNeeds(const graph::ModelGraph &graph, const partition::Partition &partition,
                                const std::optional<schedule::Schedule> &forwards, const RunWay &way,
                                const Machine &machine);

/// "needs about 5.2 GiB of memory (weights 4.1 GiB, activations 1.1 GiB), 3.9 GiB are free; 4 threads on 2 cores". What
/// is not known is said to be.
[[nodiscard]] std::string needsText(const RunNeeds &needs);

/// Why the run may not end well: it needs more memory than there is. With numbers and a remedy; "" where it fits or
/// that is not known.
[[nodiscard]] std::string memoryWarning(const RunNeeds &needs);

/// Why its times may not be those of so many ranks: they have more threads than the machine has cores; "" where not.
[[nodiscard]] std::string threadsWarning(const RunNeeds &needs);

} // namespace pipescope::report
