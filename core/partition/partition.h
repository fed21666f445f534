// A partition: the stages a list of cuts makes, and for each what it takes, gives and holds.
#pragma once

#include "base/result.h"
#include "graph/model_graph.h"

#include <string>
#include <vector>

namespace pipescope::partition {

/// One stage: order[begin, end) of the graph.
struct Stage
{
    StageId id;
    std::string name; ///< "stage0"
    int begin = 0;
    int end = 0;
    std::vector<ValueId> inputs;         ///< arguments and earlier stages' results it uses, ascending by id
    std::vector<ValueId> outputs;        ///< results later stages use or the method returns, ascending by id
    std::vector<ValueId> held;           ///< parameters, buffers and attributes it uses, ascending by id
    std::vector<std::string> parameters; ///< FQNs it owns: all names of each tensor it uses; sorted
    std::vector<ValueId> constants;      ///< tensors of the code that it uses, each by the first value it is; ascending

    friend bool operator==(const Stage &, const Stage &) = default;
};

/// A value that goes from the stage that makes it to one that uses it; it may skip stages.
struct Transfer
{
    ValueId value;
    StageId from; ///< invalid for an argument, which comes from the caller
    StageId to;

    friend bool operator==(const Transfer &, const Transfer &) = default;
};

/// Parameters whose one tensor is used in several stages: each has its own copy, gradients are to be summed.
struct Tie
{
    std::string fqn;
    std::vector<StageId> stages;

    friend bool operator==(const Tie &, const Tie &) = default;
};

struct Partition
{
    std::vector<int> cuts;
    std::vector<Stage> stages;
    std::vector<Transfer> transfers; ///< by (from, to, value)
    std::vector<Tie> ties;
    std::vector<StageId> stageOf; ///< by position in the graph's order

    friend bool operator==(const Partition &, const Partition &) = default;
};

/// The partition for ascending positions in (0, order.size()). N cuts give N + 1 stages.
/// Errors: InvalidArgument for positions out of range or not ascending; IllegalCut with the reason.
Result<Partition> makePartition(const graph::ModelGraph &graph, const std::vector<int> &cuts);

/// Gives the tensors that no stage uses to stages too, so that together the stages own all of the model's names: each
/// to the first stage that runs code of the nearest module around it.
void keepUnused(const graph::ModelGraph &graph, Partition &partition);

/// Checks stage parameter names against the model's, for stages that come from elsewhere (saved stages, hand-written
/// ones): every name known, and none missing that the method uses; a name in several stages only where as many nodes
/// use the tensor. Error: InvalidArgument naming the first offending stage and FQN (pytorch/torchtitan#4248's
/// renumbered layers are the case that this is for).
Status checkStageNames(const graph::ModelGraph &graph, const std::vector<std::vector<std::string>> &namesByStage);

} // namespace pipescope::partition
