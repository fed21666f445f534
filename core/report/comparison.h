// The answers to the two questions, as plain values: is the split model the unsplit one, and may the batch be cut at
// all.
#pragma once

#include "base/ids.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pipescope::report {

/// How one output, or all of them together, compares.
struct Difference
{
    bool equal = true; ///< bitwise; where the user gave tolerances, within these
    bool bitwise = true;
    double maxAbsError = 0;
    double maxRelError = 0;
    std::string kind = "none"; ///< tensor/compare.h's differenceName
    std::string worst;

    friend bool operator==(const Difference &, const Difference &) = default;
};

/// The first node at which the split model leaves the unsplit one.
struct Divergence
{
    StageId stage;
    MicrobatchId microbatch;
    NodeId node;
    std::string nodeName;
    std::string value;
    Difference difference;

    friend bool operator==(const Divergence &, const Divergence &) = default;
};

/// One leaf of what the method returns, over all microbatches.
struct OutputEquivalence
{
    std::string name; ///< "output"; inside a tuple, list or dict with its place, "output[1]['boxes']"
    Difference difference;
    std::optional<double> rtol; ///< the user's tolerance it was held to, as is atol; absent where every bit counts
    std::optional<double> atol;
    MicrobatchId worst;              ///< in which it differs most; invalid where it is bitwise equal in all
    std::optional<Divergence> first; ///< when not equal: the first node on the way to it that differs, if found again

    friend bool operator==(const OutputEquivalence &, const OutputEquivalence &) = default;
};

/// Split model against unsplit model, same microbatches, same order: bitwise, or it is not the same model, but for
/// tolerances that the user gave.
struct Equivalence
{
    Difference overall;
    std::vector<Difference> byMicrobatch;
    /// In the order of the method's result. Where containers of the two models differ in size or keys, that container
    /// is one output.
    std::vector<OutputEquivalence> byOutput;
    int moreOutputs = 0; ///< of a great many outputs, those left out of byOutput: equal, but beyond twice as many
    std::optional<Divergence> first; ///< when not equal, and found again when the stages were run one after another
    std::string explanation;         ///< one sentence; "" when equal
    std::string reference;           ///< what the split model was compared with, in words

    friend bool operator==(const Equivalence &, const Equivalence &) = default;
};

/// Why a batch may not be cut.
enum class Cause {
    None,
    State,               ///< carried from call to call
    BatchReduction,      ///< a reduction over the batch dimension
    BatchBranch,         ///< an if or loop that depends on the batch
    BatchStatistics,     ///< batch norm in training mode and its like
    DynamicQuantization, ///< a range taken over the whole batch
    Squeeze,             ///< a dimension of size one dropped in a microbatch of one row
    InputNotRows,        ///< an input was cut that is not made of rows
    FixedBatch,          ///< the number of rows is a constant of the model
    Random,              ///< random numbers drawn per call
    Unknown,
};
[[nodiscard]] std::string_view causeName(Cause cause);

/// Microbatches joined against the whole batch. Every leaf of the outputs, and every column of it, is judged by the
/// size of its own numbers over its own noise floor; all figures are those of the one that is worst by that measure.
struct Separability
{
    bool holds = true;
    bool bitwise = true;    ///< every leaf is the whole batch's bit for bit
    double maxAbsError = 0; ///< of the leaf, element by element; infinite where it cannot be joined
    double maxRelError = 0;
    double relL2 = 0;      ///< of the column: ||joined - whole|| / ||whole||
    double noiseFloor = 0; ///< the same measure of what moves when the last bit of the model's numbers does
    std::string output;    ///< that leaf, named as in OutputEquivalence; "" where there is one microbatch only
    std::string part;      ///< that column, "column 4" or "index 2 of dimension 1"; "" for all of the leaf
    Cause cause = Cause::None;
    NodeId node; ///< where rows stop being independent
    std::string nodeName;
    std::string fqn;
    std::string explanation; ///< one sentence; "" when it holds

    friend bool operator==(const Separability &, const Separability &) = default;
};

} // namespace pipescope::report
