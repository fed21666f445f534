#include "graph/held_tensors.h"

#include <string_view>
#include <unordered_map>

namespace pipescope::graph {

namespace {

void addParameters(const ModelGraph &graph, std::vector<HeldTensor> &held)
{
    std::unordered_map<std::string_view, std::size_t> indexOf; // by first name
    for (const Parameter &parameter : graph.parameters) {
        const std::string &first = parameter.tiedTo.empty() ? parameter.fqn : parameter.tiedTo;
        const auto [entry, isNew] = indexOf.emplace(first, held.size());
        if (isNew)
            held.push_back({parameter.isBuffer ? HeldKind::Buffer : HeldKind::Parameter, {}, {}, parameter.tensor});
        HeldTensor &tensor = held[entry->second];
        tensor.names.push_back(parameter.fqn);
        if (parameter.value.valid() && tensor.values.empty())
            tensor.values.push_back(parameter.value);
    }
}

// One constant stands in the graph once for each module whose code has it, under one name.
void addConstants(const ModelGraph &graph, std::vector<HeldTensor> &held)
{
    std::unordered_map<std::string_view, std::size_t> indexOf;
    for (const Value &value : graph.values) {
        if (value.kind != ValueKind::Constant || value.bytes.value_or(0) == 0)
            continue;
        const auto [entry, isNew] = indexOf.emplace(value.name, held.size());
        if (isNew)
            held.push_back(
                {HeldKind::Constant, {value.name}, {}, value.tensor.value_or(TensorMeta{{}, {}, *value.bytes, false})});
        held[entry->second].values.push_back(value.id);
    }
}

std::vector<std::int64_t> bytesByValue(const ModelGraph &graph, bool (*counts)(HeldKind))
{
    std::vector<std::int64_t> bytes(graph.values.size());
    for (const HeldTensor &held : heldTensors(graph))
        if (counts(held.kind))
            for (const ValueId value : held.values)
                bytes[value.index()] += held.tensor.bytes;
    return bytes;
}

} // namespace

std::vector<HeldTensor> heldTensors(const ModelGraph &graph)
{
    std::vector<HeldTensor> held;
    addParameters(graph, held);
    addConstants(graph, held);
    return held;
}

std::vector<std::int64_t> weightBytes(const ModelGraph &graph)
{
    return bytesByValue(graph, [](HeldKind kind) { return kind != HeldKind::Buffer; });
}

std::vector<std::int64_t> heldBytes(const ModelGraph &graph)
{
    return bytesByValue(graph, [](HeldKind) { return true; });
}

} // namespace pipescope::graph
