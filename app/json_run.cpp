#include "json_output.h"

namespace pipescope::app {

namespace {

using nlohmann::json;

json planJson(const plan::Plan &plan)
{
    json object = {{"model", plan.model},
                   {"model_sha256", plan.modelSha256},
                   {"method", plan.method},
                   {"splits", plan.splits},
                   {"schedule", plan.schedule},
                   {"devices", plan.devices},
                   {"threads_per_rank", plan.threadsPerRank},
                   {"seed", plan.seed},
                   {"grad", plan.grad}};
    object["inputs"] = textsJson(plan.inputs);
    object["specialised"] = textsJson(plan.specialised);
    return object;
}

json stagesJson(const std::vector<report::StageReport> &stages)
{
    json array = json::array();
    for (const report::StageReport &stage : stages) {
        const bool ran = stage.rank.valid();
        array.push_back({{"name", stage.name},
                         {"rank", ran ? json(stage.rank.value) : json(nullptr)},
                         {"begins_at", textOrNull(stage.first)},
                         {"nodes", stage.nodes},
                         {"parameters", stage.parameters},
                         {"parameter_bytes", stage.parameterBytes},
                         {"buffer_bytes", stage.bufferBytes},
                         {"constant_bytes", stage.constantBytes},
                         {"seconds", ran ? number(stage.seconds) : json(nullptr)},
                         {"sent_bytes", ran ? json(stage.sentBytes) : json(nullptr)}});
    }
    return array;
}

json tiesJson(const std::vector<partition::Tie> &ties)
{
    json array = json::array();
    for (const partition::Tie &tie : ties) {
        json stages = json::array();
        for (const StageId stage : tie.stages)
            stages.push_back(stage.value);
        array.push_back({{"fqn", tie.fqn}, {"stages", std::move(stages)}});
    }
    return array;
}

json unusedJson(const partition::UnusedTensors &unused)
{
    return {{"names", unused.names}, {"tensors", unused.tensors}, {"bytes", unused.bytes}};
}

json differenceJson(const std::optional<report::Divergence> &first)
{
    if (!first)
        return nullptr;
    return {{"stage", first->stage.value},
            {"microbatch", first->microbatch.value},
            {"node", first->nodeName},
            {"value", first->value},
            {"kind", first->difference.kind},
            {"max_abs_error", number(first->difference.maxAbsError)},
            {"worst", textOrNull(first->difference.worst)}};
}

json outputsJson(const std::vector<report::OutputEquivalence> &outputs)
{
    json array = json::array();
    for (const report::OutputEquivalence &output : outputs) {
        const report::Difference &difference = output.difference;
        array.push_back({{"name", output.name},
                         {"equal", difference.equal},
                         {"bitwise", difference.bitwise},
                         {"kind", difference.kind},
                         {"max_abs_error", number(difference.maxAbsError)},
                         {"max_rel_error", number(difference.maxRelError)},
                         {"rtol", output.rtol ? number(*output.rtol) : json(nullptr)},
                         {"atol", output.atol ? number(*output.atol) : json(nullptr)},
                         {"worst", textOrNull(difference.worst)},
                         {"worst_microbatch", output.worst.valid() ? json(output.worst.value) : json(nullptr)},
                         {"first_difference", differenceJson(output.first)}});
    }
    return array;
}

void addEquivalence(json &object, const std::optional<report::Equivalence> &equivalence)
{
    for (const char *key : {"equivalent", "bitwise", "max_abs_error", "max_rel_error", "difference", "first_difference",
                            "reference", "outputs", "more_outputs"})
        object[key] = nullptr;
    if (!equivalence)
        return;
    const report::Difference &overall = equivalence->overall;
    object["equivalent"] = overall.equal;
    object["bitwise"] = overall.bitwise;
    object["max_abs_error"] = number(overall.maxAbsError);
    object["max_rel_error"] = number(overall.maxRelError);
    object["reference"] = equivalence->reference;
    object["outputs"] = outputsJson(equivalence->byOutput);
    object["more_outputs"] = equivalence->moreOutputs;
    if (overall.bitwise)
        return;
    object["difference"] = {{"kind", overall.kind},
                            {"worst", textOrNull(overall.worst)},
                            {"explanation", textOrNull(equivalence->explanation)}};
    object["first_difference"] = differenceJson(equivalence->first);
}

/// null when it was not asked; with `holds` null where it could not be answered.
json separabilityJson(const report::RunReport &report)
{
    if (!report.separability && report.separabilityUnknown.empty())
        return nullptr;
    const report::Separability found = report.separability.value_or(report::Separability{});
    const bool known = report.separability.has_value();
    return {{"holds", known ? json(found.holds) : json(nullptr)},
            {"bitwise", known ? json(found.bitwise) : json(nullptr)},
            {"max_abs_error", known ? number(found.maxAbsError) : json(nullptr)},
            {"max_rel_error", known ? number(found.maxRelError) : json(nullptr)},
            {"relative_l2", known ? number(found.relL2) : json(nullptr)},
            {"noise_floor", known ? number(found.noiseFloor) : json(nullptr)},
            {"output", textOrNull(found.output)},
            {"part", textOrNull(found.part)},
            {"cause", found.cause == report::Cause::None ? json(nullptr) : json(report::causeName(found.cause))},
            {"node", textOrNull(found.nodeName)},
            {"fqn", textOrNull(found.fqn)},
            {"explanation", textOrNull(known ? found.explanation : report.separabilityUnknown)}};
}

} // namespace

json toJson(const report::TracedRun &report, const WrittenFiles &written, std::size_t bubbles)
{
    json object = planJson(report.plan);
    object["schedule_run"] = report.schedule;
    object["class"] = report.modelClass;
    addEquivalence(object, report.equivalence);
    object["separable"] = separabilityJson(report);
    object["stages"] = stagesJson(report.stages);
    object["microbatches"] = report.microbatches;
    object["makespans_seconds"] = report.makespans;
    object["unsplit_seconds"] = report.unsplitSeconds ? number(*report.unsplitSeconds) : json(nullptr);
    addStats(object, report.stats, report.plan.devices);
    addBubbles(object, trace::Explanation(report.trace), bubbles);
    object["tied"] = tiesJson(report.ties);
    object["unused"] = unusedJson(report.unused);
    object["trace_file"] = textOrNull(written.trace);
    object["plan_file"] = textOrNull(written.plan);
    object["warnings"] = report.warnings;
    return object;
}

json toJson(const std::optional<plan::StageFiles> &files)
{
    using Answer = plan::StageFiles::Answer;
    if (!files)
        return nullptr;
    return {{"files", files->files},
            {"as_written", files->answer == Answer::Unknown ? json(nullptr) : json(files->answer == Answer::AsWritten)},
            {"explanation", textOrNull(files->explanation)}};
}

json toJson(const report::SplitReport &report)
{
    json files = json::array();
    for (const report::StageFile &file : report.files)
        files.push_back({{"file", file.file},
                         {"inputs", file.inputs},
                         {"outputs", file.outputs},
                         {"parameters", file.parameters},
                         {"sha256", file.sha256}});
    return {{"model", report.plan.model},    {"model_sha256", report.plan.modelSha256},
            {"splits", report.plan.splits},  {"specialised", textsJson(report.plan.specialised)},
            {"folder", report.folder},       {"plan_file", report.planFile},
            {"files", std::move(files)},     {"stages", stagesJson(report.stages)},
            {"tied", tiesJson(report.ties)}, {"unused", unusedJson(report.unused)},
            {"warnings", report.warnings}};
}

} // namespace pipescope::app
