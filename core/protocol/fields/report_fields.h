// What of requests and answers of jobs is sent: everything. Private to protocol/.
#pragma once

#include "plan/plan_file.h"
#include "protocol/fields/graph_fields.h"
#include "protocol/fields/trace_fields.h"
#include "report/inspection.h"
#include "report/run_report.h"
#include "report/split_report.h"
#include "report/tensor_statistics.h"

namespace pipescope::protocol {

template <>
inline constexpr int EnumSize<report::Cause> = 11;

template <>
struct TextForm<plan::InputSpec>
{
    static constexpr bool exists = true;
    static std::string write(const plan::InputSpec &input) { return plan::toText(input); }
    static Result<plan::InputSpec> parse(const std::string &text) { return plan::parseInputSpec(text); }
};

/// As in plan files, which have the one list of its keys; complete or not.
template <>
struct TextForm<plan::Plan>
{
    static constexpr bool exists = true;
    static std::string write(const plan::Plan &plan) { return plan::toJson(plan); }
    static Result<plan::Plan> parse(const std::string &text) { return plan::parseDraft(text); }
};

void fields(auto &visit, Is<report::InspectRequest> auto &request)
{
    visit("model", request.model);
    visit("method", request.method);
    visit("inputs", request.inputs);
    visit("measure", request.measure);
    visit("specialised", request.specialised);
    visit("specialise", request.specialise);
    visit("opLibraries", request.opLibraries);
    visit("seed", request.seed);
    visit("threads", request.threads);
    visit("grad", request.grad);
    visit("structureOnly", request.structureOnly);
    visit("hashLater", request.hashLater);
    visit("expectedSha256", request.expectedSha256);
}

void fields(auto &visit, Is<report::MethodInfo> auto &method)
{
    visit("name", method.name);
    visit("signature", method.signature);
}

void fields(auto &visit, Is<report::ModuleCost> auto &cost)
{
    visit("calls", cost.calls);
    visit("seconds", cost.seconds);
    visit("flops", cost.flops);
    visit("outputs", cost.outputs);
}

void fields(auto &visit, Is<report::Specialisable> auto &specialisable)
{
    visit("inputs", specialisable.inputs);
    visit("places", specialisable.places);
}

void fields(auto &visit, Is<report::Inspection> auto &inspection)
{
    visit("path", inspection.path);
    visit("fileKind", inspection.fileKind);
    visit("sha256", inspection.sha256);
    visit("producerVersion", inspection.producerVersion);
    visit("graph", inspection.graph);
    visit("inputs", inspection.inputs);
    visit("specialised", inspection.specialised);
    visit("specialisable", inspection.specialisable);
    visit("splitPoints", inspection.splitPoints);
    visit("methods", inspection.methods);
    visit("operators", inspection.operators);
    visit("unknownOperators", inspection.unknownOperators);
    visit("state", inspection.state);
    visit("moduleCosts", inspection.moduleCosts);
    visit("structureOnly", inspection.structureOnly);
    visit("hashLeftOut", inspection.hashLeftOut);
    visit("loadRefused", inspection.loadRefused);
    visit("profiled", inspection.profiled);
    visit("warnings", inspection.warnings);
}

void fields(auto &visit, Is<report::RunRequest> auto &request)
{
    visit("plan", request.plan);
    visit("balanceInto", request.balanceInto);
    visit("specialise", request.specialise);
    visit("check", request.check);
    visit("warmUps", request.warmUps);
    visit("repeat", request.repeat);
    visit("expectedSha256", request.expectedSha256);
}

void fields(auto &visit, Is<report::StageReport> auto &stage)
{
    visit("name", stage.name);
    visit("rank", stage.rank);
    visit("first", stage.first);
    visit("nodes", stage.nodes);
    visit("parameters", stage.parameters);
    visit("parameterBytes", stage.parameterBytes);
    visit("bufferBytes", stage.bufferBytes);
    visit("constantBytes", stage.constantBytes);
    visit("seconds", stage.seconds);
    visit("sentBytes", stage.sentBytes);
    visit("flops", stage.flops);
}

void fields(auto &visit, Is<report::Difference> auto &difference)
{
    visit("equal", difference.equal);
    visit("bitwise", difference.bitwise);
    visit("maxAbsError", difference.maxAbsError);
    visit("maxRelError", difference.maxRelError);
    visit("kind", difference.kind);
    visit("worst", difference.worst);
}

void fields(auto &visit, Is<report::Divergence> auto &divergence)
{
    visit("stage", divergence.stage);
    visit("microbatch", divergence.microbatch);
    visit("node", divergence.node);
    visit("nodeName", divergence.nodeName);
    visit("value", divergence.value);
    visit("difference", divergence.difference);
}

void fields(auto &visit, Is<report::OutputEquivalence> auto &output)
{
    visit("name", output.name);
    visit("difference", output.difference);
    visit("rtol", output.rtol);
    visit("atol", output.atol);
    visit("worst", output.worst);
    visit("first", output.first);
}

void fields(auto &visit, Is<report::Equivalence> auto &equivalence)
{
    visit("overall", equivalence.overall);
    visit("byMicrobatch", equivalence.byMicrobatch);
    visit("byOutput", equivalence.byOutput);
    visit("moreOutputs", equivalence.moreOutputs);
    visit("first", equivalence.first);
    visit("explanation", equivalence.explanation);
    visit("reference", equivalence.reference);
}

void fields(auto &visit, Is<report::Separability> auto &separability)
{
    visit("holds", separability.holds);
    visit("bitwise", separability.bitwise);
    visit("maxAbsError", separability.maxAbsError);
    visit("maxRelError", separability.maxRelError);
    visit("relL2", separability.relL2);
    visit("noiseFloor", separability.noiseFloor);
    visit("output", separability.output);
    visit("part", separability.part);
    visit("cause", separability.cause);
    visit("node", separability.node);
    visit("nodeName", separability.nodeName);
    visit("fqn", separability.fqn);
    visit("explanation", separability.explanation);
}

void fields(auto &visit, Is<report::RunReport> auto &run)
{
    visit("plan", run.plan);
    visit("schedule", run.schedule);
    visit("modelClass", run.modelClass);
    visit("stages", run.stages);
    visit("microbatches", run.microbatches);
    visit("traced", run.traced);
    visit("stats", run.stats);
    visit("makespans", run.makespans);
    visit("equivalence", run.equivalence);
    visit("separability", run.separability);
    visit("separabilityUnknown", run.separabilityUnknown);
    visit("ties", run.ties);
    visit("unused", run.unused);
    visit("unsplitSeconds", run.unsplitSeconds);
    visit("warnings", run.warnings);
}

void fields(auto &visit, Is<report::StageFile> auto &file)
{
    visit("file", file.file);
    visit("inputs", file.inputs);
    visit("outputs", file.outputs);
    visit("parameters", file.parameters);
    visit("sha256", file.sha256);
}

void fields(auto &visit, Is<report::SplitReport> auto &split)
{
    visit("plan", split.plan);
    visit("folder", split.folder);
    visit("planFile", split.planFile);
    visit("stages", split.stages);
    visit("files", split.files);
    visit("ties", split.ties);
    visit("unused", split.unused);
    visit("warnings", split.warnings);
}

void fields(auto &visit, Is<report::StatisticsRequest> auto &request)
{
    visit("plan", request.plan);
    visit("value", request.value);
    visit("parameter", request.parameter);
    visit("microbatch", request.microbatch);
    visit("expectedSha256", request.expectedSha256);
}

void fields(auto &visit, Is<report::LeafStatistics> auto &leaf)
{
    visit("path", leaf.path);
    visit("dtype", leaf.dtype);
    visit("sizes", leaf.sizes);
    visit("bytes", leaf.bytes);
    visit("count", leaf.count);
    visit("zeros", leaf.zeros);
    visit("nans", leaf.nans);
    visit("infinities", leaf.infinities);
    visit("smallest", leaf.smallest);
    visit("largest", leaf.largest);
    visit("mean", leaf.mean);
    visit("deviation", leaf.deviation);
    visit("histogram", leaf.histogram);
}

void fields(auto &visit, Is<report::StatisticsReport> auto &report)
{
    visit("name", report.name);
    visit("type", report.type);
    visit("text", report.text);
    visit("leaves", report.leaves);
    visit("moreLeaves", report.moreLeaves);
}

} // namespace pipescope::protocol
