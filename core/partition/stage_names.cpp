#include "base/text.h"
#include "graph/module_names.h"
#include "partition/partition.h"
#include "partition/tensor_group.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>
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
    for (const NodeId id : graph.order) {
        const std::set<ValueId> inputs(graph.node(id).uses.begin(), graph.node(id).uses.end());
        for (const ValueId input : inputs)
            ++counts[input.index()];
    }
    return counts;
}

Error stageError(std::size_t stage, std::string message)
{
    return {ErrorCode::InvalidArgument, std::move(message), fmt::format("stage {}", stage), {}};
}

} // namespace

std::vector<std::vector<std::string>> stageNames(const ModelGraph &graph, const std::vector<StageId> &stageOf,
                                                 int stages)
{
    std::vector<std::set<StageId>> users(graph.values.size());
    for (int position = 0; position < graph.size(); ++position) {
        for (const ValueId input : graph.at(position).uses)
            users[input.index()].insert(stageOf[static_cast<std::size_t>(position)]);
    }
    const graph::ModuleNames modules(graph);
    const StageByModule first = firstStages(graph, modules, stageOf);
    std::vector<std::vector<std::string>> names(static_cast<std::size_t>(stages));
    for (const TensorGroup &group : tensorGroups(graph)) {
        std::set<StageId> owners;
        if (group.value.valid())
            owners = users[group.value.index()];
        if (owners.empty())
            owners.insert(nearestStage(first, modules, group.names.front()));
        for (const StageId owner : owners)
            names[owner.index()].insert(names[owner.index()].end(), group.names.begin(), group.names.end());
    }
    for (auto &list : names)
        std::sort(list.begin(), list.end());
    return names;
}

Status checkStageNames(const ModelGraph &graph, const std::vector<std::vector<std::string>> &namesByStage)
{
    const std::vector<int> users = userCounts(graph);
    std::map<std::string, int> stagesAllowed; // by name
    for (const TensorGroup &group : tensorGroups(graph)) {
        for (const std::string &name : group.names)
            stagesAllowed[name] = group.value.valid() ? std::max(1, users[group.value.index()]) : 1;
    }
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
    for (const auto &[name, count] : stagesAllowed) {
        if (!stagesOf.contains(name))
            return Error{
                ErrorCode::InvalidArgument, fmt::format("no stage has '{}', which the model has", name), {}, {}};
    }
    return Success{};
}

} // namespace pipescope::partition
