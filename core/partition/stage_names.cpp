#include "base/text.h"
#include "graph/module_names.h"
#include "partition/held_uses.h"
#include "partition/partition.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <string_view>
#include <unordered_map>

namespace pipescope::partition {

namespace {

using graph::ModelGraph;
using graph::Node;

using StageByModule = std::unordered_map<std::string_view, StageId>;

// By module FQN: the first stage that runs code of it or of a module inside it.
StageByModule firstStages(const ModelGraph &graph, const graph::ModuleNames &modules,
                          const std::vector<StageId> &stageOf)
{
    StageByModule first;
    std::vector<NodeId> open;
    for (int position = 0; position < graph.size(); ++position) {
        open.assign(1, graph.at(position).id);
        while (!open.empty()) {
            const Node &node = graph.node(open.back());
            open.pop_back();
            open.insert(open.end(), node.children.begin(), node.children.end());
            std::string_view fqn = node.fqn;
            while (first.emplace(fqn, stageOf[static_cast<std::size_t>(position)]).second && !fqn.empty())
                fqn = modules.around(fqn);
        }
    }
    return first;
}

StageId nearestStage(const StageByModule &first, const graph::ModuleNames &modules, std::string_view fqn)
{
    while (!fqn.empty()) {
        fqn = modules.around(fqn);
        if (const auto found = first.find(fqn); found != first.end())
            return found->second;
    }
    return StageId{0};
}

// How many top-level nodes use each value.
std::vector<int> userCounts(const ModelGraph &graph)
{
    std::vector<int> counts(graph.values.size());
    for (const NodeId id : graph.order)
        for (const ValueId input : graph.node(id).uses)
            ++counts[input.index()];
    return counts;
}

// How many stages may have a tensor.
int mostStages(const graph::HeldTensor &tensor, const std::vector<int> &users)
{
    int most = 1;
    for (const ValueId value : tensor.values)
        most = std::max(most, users[value.index()]);
    return most;
}

Error stageError(std::size_t stage, std::string message)
{
    return {ErrorCode::InvalidArgument, std::move(message), fmt::format("stage {}", stage), {}};
}

} // namespace

void keepUnused(const ModelGraph &graph, Partition &partition)
{
    const graph::ModuleNames modules(graph);
    const StageByModule first = firstStages(graph, modules, partition.stageOf);
    for (const auto &[tensor, stages] : heldUses(graph, partition.stageOf)) {
        if (!stages.empty() || tensor.kind == graph::HeldKind::Constant)
            continue;
        std::vector<std::string> &names =
            partition.stages[nearestStage(first, modules, tensor.names.front()).index()].parameters;
        names.insert(names.end(), tensor.names.begin(), tensor.names.end());
    }
    for (Stage &stage : partition.stages) {
        std::sort(stage.parameters.begin(), stage.parameters.end());
        const auto twice = std::unique(stage.parameters.begin(), stage.parameters.end());
        stage.parameters.erase(twice, stage.parameters.end());
    }
}

Status checkStageNames(const ModelGraph &graph, const std::vector<std::vector<std::string>> &namesByStage)
{
    const std::vector<int> users = userCounts(graph);
    std::map<std::string, int> stagesAllowed; // by name
    for (const graph::HeldTensor &tensor : graph::heldTensors(graph))
        if (tensor.kind != graph::HeldKind::Constant)
            for (const std::string &name : tensor.names)
                stagesAllowed[name] = mostStages(tensor, users);
    std::unordered_map<std::string, std::vector<std::size_t>> stagesOf;
    for (std::size_t stage = 0; stage < namesByStage.size(); ++stage) {
        for (const std::string &name : namesByStage[stage]) {
            const auto allowed = stagesAllowed.find(name);
            if (allowed == stagesAllowed.end()) {
                std::vector<std::string> known;
                known.reserve(stagesAllowed.size());
                for (const auto &[fqn, count] : stagesAllowed)
                    known.push_back(fqn);
                return stageError(stage, fmt::format("stage {} has '{}', which the model has not; stages keep the "
                                                     "model's own names.{}",
                                                     stage, name, didYouMean(name, known)));
            }
            std::vector<std::size_t> &seen = stagesOf[name];
            if (!seen.empty() && seen.back() == stage)
                return stageError(stage, fmt::format("stage {} has '{}' twice", stage, name));
            seen.push_back(stage);
            if (static_cast<int>(seen.size()) > allowed->second)
                return stageError(stage,
                                  fmt::format("stage {} has '{}', which belongs to stage {} and is used {}; stages "
                                              "keep the model's own names, they do not number layers anew",
                                              stage, name, seen.front(),
                                              allowed->second == 1 ? "there only" : "in fewer places"));
        }
    }
    const std::vector<std::string> unused = unusedTensors(graph).names;
    for (const auto &[name, count] : stagesAllowed) {
        if (!stagesOf.contains(name) && !std::binary_search(unused.begin(), unused.end(), name))
            return Error{
                ErrorCode::InvalidArgument, fmt::format("no stage has '{}', which the method uses", name), {}, {}};
    }
    return Success{};
}

} // namespace pipescope::partition
