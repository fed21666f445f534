#include "json_output.h"

#include "code_constants.h"
#include "partition/held_uses.h"

#include <algorithm>
#include <optional>

namespace pipescope::app {

namespace {

using nlohmann::json;

template <class T>
json orNull(const std::optional<T> &value)
{
    return value ? json(*value) : json(nullptr);
}

/// Adds what is known of a value's tensors; nulls before a sample run, and for shapes of anything but a single tensor.
void addTensor(json &object, const graph::Value &value)
{
    object["type"] = value.type;
    object["dtype"] = value.tensor ? json(value.tensor->dtype) : json(nullptr);
    object["shape"] = value.tensor ? json(value.tensor->sizes) : json(nullptr);
    object["bytes"] = orNull(value.bytes);
    object["requires_grad"] = orNull(value.requiresGrad);
}

json modulesJson(const report::Inspection &inspection)
{
    json modules = json::array();
    for (std::size_t i = 0; i < inspection.graph.modules.size(); ++i) {
        const graph::ModuleInfo &module = inspection.graph.modules[i];
        json object = {{"fqn", module.fqn},
                       {"class", module.className},
                       {"parameters", module.parameters},
                       {"parameter_bytes", module.parameterBytes},
                       {"buffer_bytes", module.bufferBytes}};
        const bool measured = i < inspection.moduleCosts.size();
        const report::ModuleCost cost = measured ? inspection.moduleCosts[i] : report::ModuleCost{};
        object["calls"] = measured ? json(cost.calls) : json(nullptr);
        object["seconds"] = measured ? number(cost.seconds) : json(nullptr);
        object["flops"] = measured && cost.flops ? number(*cost.flops) : json(nullptr);
        object["outputs"] = json::array();
        for (const ValueId id : cost.outputs) {
            json output = {{"value", inspection.graph.value(id).name}};
            addTensor(output, inspection.graph.value(id));
            object["outputs"].push_back(std::move(output));
        }
        modules.push_back(std::move(object));
    }
    return modules;
}

json parametersJson(const graph::ModelGraph &graph, bool structureOnly)
{
    const std::vector<std::string> unused = partition::unusedTensors(graph).names;
    const auto isUsed = [&](const std::string &fqn) { return !std::binary_search(unused.begin(), unused.end(), fqn); };
    json parameters = json::array();
    for (const graph::Parameter &parameter : graph.parameters)
        parameters.push_back({{"fqn", parameter.fqn},
                              {"kind", parameter.isBuffer ? "buffer" : "parameter"},
                              {"dtype", parameter.tensor.dtype},
                              {"shape", parameter.tensor.sizes},
                              {"bytes", parameter.tensor.bytes},
                              {"requires_grad", parameter.tensor.requiresGrad},
                              {"tied_to", textOrNull(parameter.tiedTo)},
                              {"used", structureOnly ? json(nullptr) : json(isUsed(parameter.fqn))}});
    return parameters;
}

/// Tensors that are constants of the code; null where it was not loaded.
json constantsJson(const graph::ModelGraph &graph, bool structureOnly)
{
    if (structureOnly)
        return nullptr;
    json constants = json::array();
    for (const CodeConstant &constant : codeConstants(graph)) {
        json users = json::array();
        for (const NodeId user : constant.users)
            users.push_back(graph.node(user).name);
        const std::optional<graph::TensorMeta> &tensor = constant.value->tensor;
        constants.push_back({{"name", constant.value->name},
                             {"type", constant.value->type},
                             {"dtype", tensor ? json(tensor->dtype) : json(nullptr)},
                             {"shape", tensor ? json(tensor->sizes) : json(nullptr)},
                             {"bytes", constant.held.tensor.bytes},
                             {"used_by", std::move(users)}});
    }
    return constants;
}

json inputsJson(const report::Inspection &inspection)
{
    json inputs = json::array();
    if (inspection.structureOnly)
        return inputs;
    for (std::size_t i = 0; i < inspection.graph.arguments.size(); ++i) {
        const graph::Argument &argument = inspection.graph.arguments[i];
        json input = {{"name", argument.name}, {"required", !argument.hasDefault}};
        input["default"] = argument.hasDefault ? json(argument.defaultText) : json(nullptr);
        addTensor(input, inspection.graph.value(argument.value));
        inputs.push_back(std::move(input));
    }
    return inputs;
}

json specialisableJson(const std::optional<report::Specialisable> &specialisable)
{
    if (!specialisable)
        return nullptr;
    return {{"inputs", textsJson(specialisable->inputs)}, {"split_points", specialisable->places}};
}

json outputsJson(const graph::ModelGraph &graph)
{
    json outputs = json::array();
    for (const ValueId id : graph.outputs) {
        json output = {{"value", graph.value(id).name}};
        addTensor(output, graph.value(id));
        outputs.push_back(std::move(output));
    }
    return outputs;
}

json controlFlowJson(const graph::ModelGraph &graph)
{
    json nodes = json::array();
    for (const graph::Node &node : graph.nodes) {
        if (node.children.empty())
            continue;
        nodes.push_back({{"node", node.name},
                         {"op", node.op},
                         {"fqn", node.fqn},
                         {"nodes", node.children.size()},
                         {"source", {{"file", node.source.file}, {"line", node.source.line}}}});
    }
    return nodes;
}

json splitPointsJson(const report::Inspection &inspection)
{
    json points = json::array();
    for (const partition::SplitPoint &point : inspection.splitPoints) {
        json crossing = json::array();
        for (const ValueId id : point.cut.crossing) {
            json value = {{"value", inspection.graph.value(id).name}};
            addTensor(value, inspection.graph.value(id));
            crossing.push_back(std::move(value));
        }
        points.push_back({{"id", point.id},
                          {"fqn", point.fqn},
                          {"position", point.cut.position},
                          {"legal", point.cut.legal},
                          {"reason", textOrNull(point.cut.reason)},
                          {"crossing", std::move(crossing)},
                          {"crossing_bytes", orNull(partition::crossingBytes(inspection.graph, point.cut))}});
    }
    return points;
}

json methodsJson(const report::Inspection &inspection)
{
    json methods = json::array();
    for (const report::MethodInfo &method : inspection.methods)
        methods.push_back({{"name", method.name}, {"signature", method.signature}});
    return methods;
}

json operatorsJson(const report::Inspection &inspection)
{
    json operators = json::array();
    for (const auto &[name, count] : inspection.operators)
        operators.push_back({{"name", name}, {"count", count}});
    return operators;
}

json markersJson(const graph::ModelGraph &graph)
{
    json markers = json::array();
    for (const graph::Marker &marker : graph.markers)
        markers.push_back({{"name", textOrNull(marker.name)},
                           {"position", marker.position},
                           {"inside", marker.inside.valid() ? json(graph.node(marker.inside).name) : json(nullptr)}});
    return markers;
}

} // namespace

json toJson(const report::Inspection &inspection)
{
    // Names of nodes that were only read from the code are others once the file is loaded.
    const graph::ModelGraph none{};
    const graph::ModelGraph &loaded = inspection.structureOnly ? none : inspection.graph;
    return {{"model", inspection.path},
            {"file_kind", inspection.fileKind},
            {"producer_version", textOrNull(inspection.producerVersion)},
            {"sha256", inspection.sha256},
            {"class", inspection.graph.modelClass},
            {"method", inspection.graph.method},
            {"structure_only", inspection.structureOnly},
            {"profiled", inspection.profiled},
            {"modules", modulesJson(inspection)},
            {"parameters", parametersJson(inspection.graph, inspection.structureOnly)},
            {"constants", constantsJson(inspection.graph, inspection.structureOnly)},
            {"operators", operatorsJson(inspection)},
            {"unknown_operators", inspection.unknownOperators},
            {"control_flow", controlFlowJson(loaded)},
            {"state", inspection.state},
            {"methods", methodsJson(inspection)},
            {"inputs", inputsJson(inspection)},
            {"specialised", textsJson(inspection.specialised)},
            {"specialisable", specialisableJson(inspection.specialisable)},
            {"outputs", outputsJson(loaded)},
            {"markers", markersJson(loaded)},
            {"split_points", splitPointsJson(inspection)},
            {"warnings", inspection.warnings}};
}

} // namespace pipescope::app
