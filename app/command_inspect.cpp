#include "command_inspect.h"

#include "engine/inspect_job.h"
#include "json_output.h"
#include "number_option.h"
#include "option_words.h"
#include "plan/plan.h"
#include "plan_options.h"
#include "text_output.h"

#include <memory>
#include <string>
#include <utility>

namespace pipescope::app {

namespace {

struct InspectOptions
{
    PlanOptions model;
    int threads = 1;
    bool structureOnly = false;
    bool all = false;
};

Result<report::InspectRequest> makeInspectRequest(const InspectOptions &options)
{
    Result<std::vector<plan::InputSpec>> inputs = parseInputs(options.model.inputs);
    if (!inputs)
        return inputs.error();
    report::InspectRequest request;
    request.model = options.model.file;
    request.method = options.model.method.value_or(request.method);
    request.inputs = *std::move(inputs);
    request.specialise = options.model.specialise.value_or(request.specialise);
    request.opLibraries = options.model.opLibraries;
    request.seed = options.model.seed.value_or(request.seed);
    request.threads = options.threads;
    request.grad = options.model.grad.value_or(request.grad);
    request.structureOnly = options.structureOnly;
    return request;
}

int inspect(const InspectOptions &options, Session &session)
{
    const Result<report::InspectRequest> request = makeInspectRequest(options);
    if (!request)
        return session.fail(request.error());
    Result<report::Inspection> inspection = engine::inspect(*request, session.context());
    if (!inspection)
        return session.fail(inspection.error());
    for (std::string &warning : inspection->warnings)
        warning = withOptions(std::move(warning));
    if (session.json())
        return session.printJson(toJson(*inspection));
    return session.printText(inspectText(*inspection, options.all ? Detail::All : Detail::Short, session.terminal()));
}

} // namespace

void addInspectCommand(CLI::App &app, Session &session)
{
    CLI::App &command = *app.add_subcommand("inspect", "Show modules, operators, state and split points of a model");
    const auto options = std::make_shared<InspectOptions>();
    options->model.addModelOptions(command, "MODEL");
    command.add_option("--threads", options->threads, "Threads to measure with (1)")
        ->type_name("N")
        ->transform(wholeNumber(1, plan::MostThreadsPerRank));
    command.add_flag("--structure-only", options->structureOnly,
                     "Read the file without loading it: nothing in it runs");
    command.add_flag("--all", options->all, "List everything: like siblings one by one, split points inside modules");
    session.addOptions(command);
    command.callback(
        [options, &session] { session.choose([options, &session] { return inspect(*options, session); }); });
}

} // namespace pipescope::app
