#include "plan_options.h"

#include "base/text.h"
#include "number_option.h"
#include "partition/split_point.h"
#include "plan/devices.h"
#include "plan/limits.h"
#include "plan/plan_file.h"
#include "schedule/schedule_table.h"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>
#include <utility>

namespace pipescope::app {

namespace {

Error optionError(Error error, std::string_view option)
{
    error.where = option;
    return error;
}

/// The files that input values are read from.
struct FilesIn
{
    std::vector<std::string> &files;

    void operator()(const plan::InputValue &value) const { std::visit(*this, value.node); }
    void operator()(const plan::FileSpec &file) const { files.push_back(file.path); }
    void operator()(const plan::InputValue::List &list) const { each(list.items); }
    void operator()(const plan::InputValue::Tuple &tuple) const { each(tuple.items); }
    void operator()(const plan::InputValue::Dict &dict) const
    {
        for (const plan::InputValue::Entry &entry : dict.entries)
            (*this)(entry.second);
    }
    template <class Plain>
    void operator()(const Plain &) const
    {
    }
    void each(const std::vector<plan::InputValue> &items) const
    {
        for (const plan::InputValue &item : items)
            (*this)(item);
    }
};

/// A lone whole number goes along: whether it is the name of a module is known once the model is.
Status applySplits(const PlanOptions &options, plan::Plan &plan)
{
    if (!options.splits.empty())
        plan.splits.clear();
    for (const std::string &text : options.splits) {
        Result<std::vector<std::string>> words = partition::separateWords(text);
        if (!words)
            return optionError(words.error(), "--split");
        plan.splits.insert(plan.splits.end(), words->begin(), words->end());
    }
    return Success{};
}

Status applyChunks(const PlanOptions &options, plan::Plan &plan)
{
    if (!options.chunks.empty())
        plan.inputChunks.clear();
    for (const std::string &text : options.chunks) {
        const std::size_t equals = text.find('=');
        if (equals == std::string::npos || equals == 0)
            return Error{ErrorCode::InvalidArgument,
                         fmt::format("'{}' names no input; write NAME=SPEC, like x=0 or mask=replicate", text),
                         "--chunk",
                         {}};
        Result<microbatch::ChunkSpec> spec = microbatch::parseChunkSpec(std::string_view(text).substr(equals + 1));
        if (!spec)
            return optionError(spec.error(), "--chunk");
        std::string name(trimmed(std::string_view(text).substr(0, equals)));
        const auto same = [&](const auto &chunk) { return chunk.first == name; };
        if (std::any_of(plan.inputChunks.begin(), plan.inputChunks.end(), same))
            return Error{ErrorCode::InvalidArgument, fmt::format("'{}' is given twice", name), "--chunk", {}};
        plan.inputChunks.emplace_back(std::move(name), *std::move(spec));
    }
    if (options.outputChunks) {
        Result<microbatch::ChunkSpec> spec = microbatch::parseChunkSpec(*options.outputChunks);
        if (!spec)
            return optionError(spec.error(), "--chunk-output");
        plan.outputChunks = *std::move(spec);
    }
    return Success{};
}

Status applyDevices(const PlanOptions &options, plan::Plan &plan)
{
    if (!options.devices)
        return Success{};
    Result<std::vector<std::string>> devices = plan::parseDevices(*options.devices);
    if (!devices)
        return optionError(devices.error(), "--devices");
    plan.devices = *std::move(devices);
    return Success{};
}

Status applyTolerance(const PlanOptions &options, plan::Plan &plan)
{
    if (options.rtol.has_value() != options.atol.has_value())
        return Error{ErrorCode::InvalidArgument,
                     "--rtol and --atol go together: give both or neither",
                     options.rtol ? "--rtol" : "--atol",
                     {}};
    if (options.rtol) {
        plan.rtol = options.rtol;
        plan.atol = options.atol;
    }
    return Success{};
}

template <class T>
void replace(T &target, const std::optional<T> &given)
{
    if (given)
        target = *given;
}

void applyPlainValues(const PlanOptions &options, plan::Plan &plan)
{
    replace(plan.method, options.method);
    replace(plan.microbatches, options.microbatches);
    replace(plan.schedule, options.schedule);
    replace(plan.threadsPerRank, options.threadsPerRank);
    replace(plan.maxInFlight, options.maxInFlight);
    replace(plan.seed, options.seed);
    replace(plan.grad, options.grad);
    if (!options.opLibraries.empty())
        plan.opLibraries = options.opLibraries;
}

/// What a plan's keys are called on the command line.
constexpr std::pair<std::string_view, std::string_view> OptionNames[]{
    {"method", "--method"},
    {"opLibraries", "--op-library"},
    {"inputs", "--input"},
    {"inputChunks", "--chunk"},
    {"splits", "--split"},
    {"microbatches", "--microbatches"},
    {"schedule", "--schedule"},
    {"threadsPerRank", "--threads-per-rank"},
    {"maxInFlight", "--max-in-flight"},
    {"rtol", "--rtol"},
    {"atol", "--atol"},
};

/// An error in what came from options, in their words. A plan file was found valid when it was read.
Status checkValues(const plan::Plan &plan)
{
    Status valid = plan::validatePlan(plan);
    if (valid)
        return valid;
    Error error = valid.error();
    const std::string key = error.where.substr(0, error.where.find('['));
    for (const auto &[planKey, option] : OptionNames) {
        if (planKey != key)
            continue;
        if (const std::string start = error.where + ": "; error.message.starts_with(start))
            error.message.erase(0, start.size());
        error.where = option;
    }
    return error;
}

/// Where the number of stages or ranks is given anew, the plan's devices need not fit any more.
bool changesRanks(const PlanOptions &options)
{
    return !options.devices && (!options.splits.empty() || options.schedule);
}

/// CLI11 itself sets the optional to false where the flag is not there.
void addSwitch(CLI::App &command, const std::string &name, std::optional<bool> &value, const std::string &about)
{
    const std::string on = "--" + name;
    const std::string off = "--no-" + name;
    CLI::Option *const option = command.add_flag_function(
        on + ",!" + off, [&value](std::int64_t count) { value = count > 0; }, about);
    option->check(CLI::Validator(
        [option, on, off](const std::string &given) -> std::string {
            const auto isOther = [&](const std::string &one) { return (one == "false") != (given == "false"); };
            const CLI::results_t &all = option->results();
            return std::any_of(all.begin(), all.end(), isOther) ? fmt::format("{} says the opposite; give one", off)
                                                                : "";
        },
        ""));
}

} // namespace

void addSpecialiseOption(CLI::App &command, std::optional<bool> &specialise)
{
    addSwitch(
        command, "specialise", specialise,
        "Decide branches by the numbers, bools, texts and None that are given; the graph is the one of these (off)");
}

void PlanOptions::addModelOptions(CLI::App &command, const std::string &fileName)
{
    const char *about = fileName == "MODEL" ? "A TorchScript file" : "A TorchScript file, or a plan saved earlier";
    command.add_option(fileName, file, about)->required()->type_name("");
    command.add_option("--method", method, "The method to take (forward)")->type_name("NAME");
    command.add_option("--op-library", opLibraries, "A library of operators the model needs; loaded first")
        ->type_name("FILE.so")
        ->allow_extra_args(false);
    command
        .add_option("--input", inputs,
                    "An input, by position or name: x=float32[16,512], ids=int64[8,128]<50257, x=@x.pt, sr=16000")
        ->type_name("[NAME=]VALUE")
        ->allow_extra_args(false);
    addSpecialiseOption(command, specialise);
    command.add_option("--seed", seed, "Seed of random inputs and of random operators (0)")
        ->type_name("N")
        ->transform(seedNumber());
    addSwitch(command, "grad", grad, "Record autograd while running (off)");
}

void PlanOptions::addSplitOptions(CLI::App &command)
{
    command
        .add_option("--split", splits,
                    "Where a stage begins: a module (layers.4), after one (layers.4:end), a node's name, or markers; "
                    "repeated, or separated by commas (a name that has one in quotes: '\"a,b\",c'). A whole number "
                    "alone: so many stages, balanced by measured time")
        ->type_name("WHERE")
        ->allow_extra_args(false);
    command.add_option("--microbatches", microbatches, "How many microbatches the batch is cut into (1)")
        ->type_name("N")
        ->transform(wholeNumber(1, plan::MostMicrobatches));
    command
        .add_option("--chunk", chunks,
                    "How an input is cut: NAME=0 along dimension 0, NAME=replicate, NAME=list, or a tree of these")
        ->type_name("NAME=SPEC")
        ->allow_extra_args(false);
    command.add_option("--threads-per-rank", threadsPerRank, "Threads each rank computes with (1)")
        ->type_name("N")
        ->transform(wholeNumber(1, plan::MostThreadsPerRank));
}

void PlanOptions::addRunOptions(CLI::App &command)
{
    command
        .add_option("--chunk-output", outputChunks, "How the outputs of the microbatches are joined (by their shapes)")
        ->type_name("SPEC");
    command.add_option("--schedule", schedule, schedule::scheduleKeys() + ", or @FILE.csv (gpipe)")->type_name("NAME");
    command.add_option("--devices", devices, "cpu:4 for four, or a list: a device for each rank (one for each stage)")
        ->type_name("LIST");
    command.add_option("--max-in-flight", maxInFlight, "Microbatches begun and not finished at once (stages + 2)")
        ->type_name("N")
        ->transform(wholeNumber(0, plan::MostMicrobatches));
    command.add_option("--rtol", rtol, "Relative tolerance; with --atol, in place of bitwise equality")
        ->type_name("X")
        ->transform(tolerance());
    command.add_option("--atol", atol, "Absolute tolerance; with --rtol")->type_name("X")->transform(tolerance());
}

Result<std::vector<plan::InputSpec>> parseInputs(const std::vector<std::string> &texts)
{
    std::vector<plan::InputSpec> inputs;
    for (const std::string &text : texts) {
        Result<plan::InputSpec> input = plan::parseInputSpec(text);
        if (!input)
            return optionError(input.error(), "--input");
        inputs.push_back(*std::move(input));
    }
    return inputs;
}

Result<report::RunRequest> makeRequest(const PlanOptions &options)
{
    report::RunRequest request;
    if (plan::looksLikePlan(options.file)) {
        Result<plan::Plan> plan = plan::loadPlan(options.file);
        if (!plan)
            return plan.error();
        request.plan = *std::move(plan);
        if (changesRanks(options))
            request.plan.devices.clear();
    } else {
        request.plan.model = options.file;
    }
    applyPlainValues(options, request.plan);
    if (!options.inputs.empty()) {
        Result<std::vector<plan::InputSpec>> inputs = parseInputs(options.inputs);
        if (!inputs)
            return inputs.error();
        request.plan.inputs = *std::move(inputs);
    }
    for (const auto &apply : {applyChunks, applyDevices, applyTolerance, applySplits}) {
        if (Status applied = apply(options, request.plan); !applied)
            return applied.error();
    }
    request.specialise = options.specialise.value_or(false);
    if (options.specialise)
        request.plan.specialised.clear();
    if (Status valid = checkValues(request.plan); !valid)
        return valid.error();
    return request;
}

Error ofPlanFile(Error error, const std::string &file)
{
    if (error.where.starts_with("specialised") && error.message.starts_with(error.where + ": "))
        error.message = fmt::format("cannot use the plan '{}': {}", file, error.message);
    return error;
}

std::vector<std::string> readFiles(const PlanOptions &options, const plan::Plan &plan)
{
    std::vector<std::string> files{options.file, plan.model};
    if (plan.schedule.starts_with('@'))
        files.push_back(plan.schedule.substr(1));
    files.insert(files.end(), plan.opLibraries.begin(), plan.opLibraries.end());
    for (const plan::InputSpec &input : plan.inputs)
        FilesIn{files}(input.value);
    return files;
}

} // namespace pipescope::app
