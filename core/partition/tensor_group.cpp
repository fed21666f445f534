#include "partition/tensor_group.h"

#include <unordered_map>

namespace pipescope::partition {

std::vector<TensorGroup> tensorGroups(const graph::ModelGraph &graph)
{
    std::vector<TensorGroup> groups;
    std::unordered_map<std::string, std::size_t> indexOf; // by first name
    for (const graph::Parameter &parameter : graph.parameters) {
        const std::string &first = parameter.tiedTo.empty() ? parameter.fqn : parameter.tiedTo;
        const auto [entry, isNew] = indexOf.emplace(first, groups.size());
        if (isNew)
            groups.push_back({{}, {}, parameter.isBuffer});
        TensorGroup &group = groups[entry->second];
        group.names.push_back(parameter.fqn);
        if (parameter.value.valid())
            group.value = parameter.value;
    }
    return groups;
}

} // namespace pipescope::partition
