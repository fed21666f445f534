// What is asked about the numbers inside one tensor of a model, and what is told: plain values.
#pragma once

#include "base/ids.h"
#include "plan/plan.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pipescope::report {

/// A value as the unsplit model computes it on the plan's inputs, or something the model holds: one of the two is set.
struct StatisticsRequest
{
    plan::Plan plan;            ///< model, inputs, seed; with a microbatch also how the inputs are cut
    ValueId value;              ///< of the graph of the plan's method
    std::string parameter;      ///< FQN of a parameter or buffer; no input is needed for it
    MicrobatchId microbatch;    ///< invalid: the whole batch
    std::string expectedSha256; ///< of the model's file, as in RunRequest

    friend bool operator==(const StatisticsRequest &, const StatisticsRequest &) = default;
};

/// One tensor. Complex numbers count by their absolute value, bools as 0 and 1, quantized ones by what they stand for.
struct LeafStatistics
{
    std::string path; ///< inside the value: "" for the value itself, "[0].hidden"
    std::string dtype;
    std::vector<std::int64_t> sizes;
    std::int64_t bytes = 0;
    std::int64_t count = 0; ///< elements; those below are among them
    std::int64_t zeros = 0;
    std::int64_t nans = 0;
    std::int64_t infinities = 0;
    std::optional<double> smallest; ///< of the finite elements, as are those below; absent where there is none
    std::optional<double> largest;
    std::optional<double> mean;
    std::optional<double> deviation;     ///< standard, of the population
    std::vector<std::int64_t> histogram; ///< finite elements in equal bins from `smallest` to `largest`; may be empty

    friend bool operator==(const LeafStatistics &, const LeafStatistics &) = default;
};

struct StatisticsReport
{
    std::string name;                   ///< of the value or parameter
    std::string type;                   ///< TorchScript annotation
    std::string text;                   ///< of a value without tensors, in words: "16"
    std::vector<LeafStatistics> leaves; ///< in the order of the value; at most 64
    int moreLeaves = 0;                 ///< that were left out

    friend bool operator==(const StatisticsReport &, const StatisticsReport &) = default;
};

} // namespace pipescope::report
