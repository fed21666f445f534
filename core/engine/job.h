// What a user asks for, done from beginning to end: inspect, run, split, check. The command line prints the results; the
// engine process (later) sends them. No printing here.
#pragma once

#include "base/progress.h"
#include "base/result.h"
#include "check/report.h"
#include "graph/model_graph.h"
#include "partition/partition.h"
#include "partition/split_point.h"
#include "plan/plan.h"
#include "trace/trace_stats.h"

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace pipescope::engine {

struct JobContext {
    std::stop_token stop;
    Progress progress;
    std::function<void(const std::string &)> warn; ///< as they happen; also collected in the results
};

struct InspectRequest {
    std::string model;
    std::string method = "forward";
    std::vector<plan::InputSpec> inputs;
    std::vector<std::string> opLibraries;
    std::uint64_t seed = 0;
    int threads = 1;
    bool grad = false;
    bool structureOnly = false;
};

struct MethodInfo {
    std::string name;
    std::string signature;
};

/// Everything known of a model file. With structureOnly (or unknown operators) the graph is empty except for modules,
/// parameters and what the code names.
struct Inspection {
    std::string path;
    std::string fileKind;
    std::string sha256;
    graph::ModelGraph graph;
    std::vector<partition::SplitPoint> splitPoints;
    std::vector<MethodInfo> methods;
    std::vector<std::pair<std::string, int>> operators; ///< name and count, most used first
    std::vector<std::string> unknownOperators;
    std::vector<std::string> state;                     ///< FQNs the method writes
    bool structureOnly = false;
    bool profiled = false;
    std::vector<std::string> warnings;
};

Result<Inspection> inspect(const InspectRequest &request, const JobContext &context);

struct RunRequest {
    plan::Plan plan;
    bool check = true;
    int repeat = 1;
    /// "N": that many stages, balanced by measured cost; replaces plan.splits.
    std::optional<int> balanceInto;
};

struct StageReport {
    std::string name;
    int nodes = 0;
    std::int64_t parameters = 0;
    std::int64_t parameterBytes = 0;
    double seconds = 0; ///< median of one microbatch
    std::string first;  ///< FQN or node name it begins with
    std::int64_t sentBytes = 0; ///< per microbatch, to later stages
};

struct RunReport {
    plan::Plan plan;                      ///< with everything decided: splits as stable names, defaults filled in
    std::vector<StageReport> stages;
    std::vector<std::int64_t> microbatches; ///< rows of each
    trace::Trace trace;                   ///< of the run with the median makespan
    trace::Stats stats;                   ///< of the same run
    std::optional<check::Equivalence> equivalence;   ///< absent without check
    std::optional<check::Separability> separability;
    std::vector<partition::Tie> ties;
    double unsplitSeconds = 0;            ///< the unsplit model on the same microbatches, one after another, same threads
    std::vector<std::string> warnings;
};

Result<RunReport> run(const RunRequest &request, const JobContext &context);

struct SplitReport {
    plan::Plan plan;
    std::string folder;
    std::vector<StageReport> stages;
    std::vector<std::string> files;
    std::vector<std::string> warnings;
};

Result<SplitReport> split(const RunRequest &request, const std::string &folder, const JobContext &context);

} // namespace pipescope::engine
