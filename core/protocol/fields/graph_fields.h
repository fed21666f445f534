// What of a graph and its split points is sent: everything. Private to protocol/.
#pragma once

#include "partition/held_uses.h"
#include "partition/partition.h"
#include "partition/split_point.h"
#include "protocol/codec.h"

#include <type_traits>
#include <utility>
#include <variant>

namespace pipescope::protocol {

template <>
inline constexpr int EnumSize<graph::ValueKind> = 7;
template <>
inline constexpr int EnumSize<graph::Crossing> = 2;
template <>
inline constexpr int EnumSize<graph::Literal::Kind> = 6;

/// Its kind says which of the values there are to be read.
void fields(auto &visit, Is<graph::Literal> auto &literal)
{
    using Kind = graph::Literal::Kind;
    Kind kind = literal.kind();
    visit("kind", kind);
    const auto value = [&]<std::size_t Index>(std::integral_constant<std::size_t, Index>) {
        if constexpr (!std::is_const_v<std::remove_reference_t<decltype(literal)>>)
            literal.is.template emplace<Index>();
        visit("value", std::get<Index>(literal.is));
    };
    // The kinds stand in the order of the alternatives; none, the first, has no value.
    [&]<std::size_t... Before>(std::index_sequence<Before...>)
    {
        const auto is = [kind](std::size_t index) { return static_cast<std::size_t>(kind) == index; };
        ((is(Before + 1) ? value(std::integral_constant<std::size_t, Before + 1>()) : void()), ...);
    }
    (std::make_index_sequence<EnumSize<graph::Literal::Kind> - 1>());
}

void fields(auto &visit, Is<graph::TensorMeta> auto &meta)
{
    visit("dtype", meta.dtype);
    visit("sizes", meta.sizes);
    visit("bytes", meta.bytes);
    visit("requiresGrad", meta.requiresGrad);
}

void fields(auto &visit, Is<graph::Value> auto &value)
{
    visit("id", value.id);
    visit("kind", value.kind);
    visit("name", value.name);
    visit("type", value.type);
    visit("producer", value.producer);
    visit("outputIndex", value.outputIndex);
    visit("crossing", value.crossing);
    visit("holdsTensors", value.holdsTensors);
    visit("tensor", value.tensor);
    visit("bytes", value.bytes);
    visit("requiresGrad", value.requiresGrad);
    visit("literal", value.literal);
}

void fields(auto &visit, Is<graph::SourceLocation> auto &source)
{
    visit("file", source.file);
    visit("line", source.line);
    visit("column", source.column);
    visit("text", source.text);
}

void fields(auto &visit, Is<graph::Alias> auto &alias)
{
    visit("output", alias.output);
    visit("input", alias.input);
}

void fields(auto &visit, Is<graph::Node> auto &node)
{
    visit("id", node.id);
    visit("name", node.name);
    visit("op", node.op);
    visit("overload", node.overload);
    visit("fqn", node.fqn);
    visit("className", node.className);
    visit("call", node.call);
    visit("source", node.source);
    visit("parent", node.parent);
    visit("operands", node.operands);
    visit("uses", node.uses);
    visit("outputs", node.outputs);
    visit("children", node.children);
    visit("writes", node.writes);
    visit("containerWrites", node.containerWrites);
    visit("aliases", node.aliases);
    visit("stateRead", node.stateRead);
    visit("stateWritten", node.stateWritten);
    visit("random", node.random);
    visit("effect", node.effect);
    visit("differentiates", node.differentiates);
    visit("seconds", node.seconds);
    visit("flops", node.flops);
}

void fields(auto &visit, Is<graph::Parameter> auto &parameter)
{
    visit("fqn", parameter.fqn);
    visit("value", parameter.value);
    visit("isBuffer", parameter.isBuffer);
    visit("tensor", parameter.tensor);
    visit("tiedTo", parameter.tiedTo);
}

void fields(auto &visit, Is<graph::ModuleInfo> auto &module)
{
    visit("fqn", module.fqn);
    visit("className", module.className);
    visit("parameters", module.parameters);
    visit("parameterBytes", module.parameterBytes);
    visit("bufferBytes", module.bufferBytes);
}

void fields(auto &visit, Is<graph::ModuleCall> auto &call)
{
    visit("fqn", call.fqn);
    visit("call", call.call);
    visit("begin", call.begin);
    visit("end", call.end);
    visit("inside", call.inside);
}

void fields(auto &visit, Is<graph::Marker> auto &marker)
{
    visit("position", marker.position);
    visit("name", marker.name);
    visit("inside", marker.inside);
}

void fields(auto &visit, Is<graph::Argument> auto &argument)
{
    visit("name", argument.name);
    visit("type", argument.type);
    visit("value", argument.value);
    visit("hasDefault", argument.hasDefault);
    visit("defaultText", argument.defaultText);
}

void fields(auto &visit, Is<graph::ModelGraph> auto &graph)
{
    visit("modelClass", graph.modelClass);
    visit("method", graph.method);
    visit("values", graph.values);
    visit("nodes", graph.nodes);
    visit("order", graph.order);
    visit("arguments", graph.arguments);
    visit("outputs", graph.outputs);
    visit("parameters", graph.parameters);
    visit("modules", graph.modules);
    visit("calls", graph.calls);
    visit("markers", graph.markers);
}

void fields(auto &visit, Is<partition::Cut> auto &cut)
{
    visit("position", cut.position);
    visit("legal", cut.legal);
    visit("reason", cut.reason);
    visit("crossing", cut.crossing);
}

void fields(auto &visit, Is<partition::SplitPoint> auto &point)
{
    visit("id", point.id);
    visit("fqn", point.fqn);
    visit("cut", point.cut);
}

void fields(auto &visit, Is<partition::Tie> auto &tie)
{
    visit("fqn", tie.fqn);
    visit("stages", tie.stages);
}

void fields(auto &visit, Is<partition::UnusedTensors> auto &unused)
{
    visit("names", unused.names);
    visit("tensors", unused.tensors);
    visit("bytes", unused.bytes);
}

} // namespace pipescope::protocol
