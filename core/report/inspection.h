// What a model file is asked for and what is found in it, as plain values.
#pragma once

#include "graph/model_graph.h"
#include "partition/split_point.h"
#include "plan/input_spec.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pipescope::report {

struct InspectRequest
{
    std::string model;
    std::string method = "forward";
    std::vector<plan::InputSpec> inputs;      ///< with any, the method is run on them and measured
    bool measure = true;                      ///< without it `inputs` only tell what may be specialised for
    std::vector<plan::InputSpec> specialised; ///< as plan::Plan has them
    bool specialise = false;                  ///< for `inputs`, in place of `specialised`
    std::vector<std::string> opLibraries;
    std::uint64_t seed = 0;
    int threads = 1;
    bool grad = false;
    bool structureOnly = false; ///< read the file without loading it: nothing in it runs
    /// With structureOnly: where reading all of the file would take long, its hash is left out, so that the answer is
    /// there soon. Who has to know which file it is asks again without.
    bool hashLater = false;
    std::string expectedSha256; ///< a file that has another is refused before any of it is loaded; "" for any

    friend bool operator==(const InspectRequest &, const InspectRequest &) = default;
};

struct MethodInfo
{
    std::string name;
    std::string signature; ///< "(Tensor x, int sr=16000) -> Tensor", or as the code has it when structure only

    friend bool operator==(const MethodInfo &, const MethodInfo &) = default;
};

/// What the code of a module and its children costs in one run of the method on the sample inputs.
struct ModuleCost
{
    int calls = 0; ///< places that call it; those in branches that were not taken left out
    double seconds = 0;
    std::optional<double> flops;  ///< sum over the nodes whose FLOPs are known; absent when none is that counts
    std::vector<ValueId> outputs; ///< what its first call makes and code after it uses (or the method returns)

    friend bool operator==(const ModuleCost &, const ModuleCost &) = default;
};

/// What specialising for the inputs would bring.
struct Specialisable
{
    std::vector<plan::InputSpec> inputs; ///< that it would be for, by name
    int places = 0;                      ///< split points that are legal then; more than are now

    friend bool operator==(const Specialisable &, const Specialisable &) = default;
};

/// Everything known of a model file. With `structureOnly` the graph is what outline/outline.h reads off the code, and
/// there are no split points.
struct Inspection
{
    std::string path;
    std::string fileKind;
    std::string sha256;
    std::string producerVersion; ///< the archive's version record; structure only
    graph::ModelGraph graph;
    std::vector<plan::InputSpec> inputs;      ///< as given
    std::vector<plan::InputSpec> specialised; ///< what the graph is specialised for, by name
    std::optional<Specialisable> specialisable;
    std::vector<partition::SplitPoint> splitPoints;
    std::vector<MethodInfo> methods;                    ///< of the model itself
    std::vector<std::pair<std::string, int>> operators; ///< name and count, nested code included, most used first
    std::vector<std::string> unknownOperators;
    std::vector<std::string> state;      ///< FQNs of what the method assigns or writes in place, sorted
    std::vector<ModuleCost> moduleCosts; ///< by index into graph.modules; empty unless profiled
    bool structureOnly = false;
    bool hashLeftOut = false; ///< sha256 is "", as hashLater allowed
    bool loadRefused = false; ///< structure only because LibTorch would not load the file
    bool profiled = false;
    std::vector<std::string> warnings;

    friend bool operator==(const Inspection &, const Inspection &) = default;
};

} // namespace pipescope::report
