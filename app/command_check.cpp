#include "command_check.h"

#include "base/file.h"
#include "json_output.h"
#include "plan/plan_file.h"
#include "plan/stage_files.h"
#include "plan_options.h"
#include "run_traced.h"
#include "text_output.h"

#include <fmt/format.h>
#include <memory>
#include <optional>

namespace pipescope::app {

namespace {

struct CheckOptions
{
    std::string path;
    std::vector<std::string> inputs; ///< in place of the plan's
    std::optional<bool> specialise;
    bool requireSeparable = false;
};

/// What is asked of it holds; that it is not known whether the batch may be cut is no answer.
bool isPassed(const report::RunReport &report, const std::optional<plan::StageFiles> &files,
              const CheckOptions &options)
{
    const bool isSeparable = report.separability && report.separability->holds;
    const bool areChanged = files && files->answer == plan::StageFiles::Answer::Changed;
    return report.equivalence->overall.equal && !areChanged && (isSeparable || !options.requireSeparable);
}

Result<report::RunRequest> makeCheckRequest(const CheckOptions &options)
{
    const std::string &path = options.path;
    if (Status readable = checkReadable(path); !readable)
        return readable.error();
    if (!plan::looksLikePlan(path))
        return Error{
            ErrorCode::InvalidFile,
            fmt::format(
                "'{}' is no plan, a JSON object with the key 'pipescopePlan'; run --save-plan writes one, and run "
                "MODEL checks a model directly",
                path),
            path,
            {}};
    Result<plan::Plan> plan = plan::loadPlan(path);
    if (!plan)
        return plan.error();
    report::RunRequest request;
    request.plan = *std::move(plan);
    request.warmUps = 0;
    request.specialise = options.specialise.value_or(false);
    if (options.specialise)
        request.plan.specialised.clear();
    if (options.inputs.empty())
        return request;
    Result<std::vector<plan::InputSpec>> inputs = parseInputs(options.inputs);
    if (!inputs)
        return inputs.error();
    request.plan.inputs = *std::move(inputs);
    return request;
}

int check(const CheckOptions &options, Session &session)
{
    const Result<report::RunRequest> request = makeCheckRequest(options);
    if (!request)
        return session.fail(request.error());
    const Result<report::TracedRun> made = runTraced(*request, session.context());
    if (!made)
        return session.fail(ofPlanFile(made.error(), options.path));
    const auto files = plan::checkStageFiles(options.path, made->plan, session.context().stop);
    if (!files)
        return session.fail(files.error());
    const int code = isPassed(*made, *files, options) ? 0 : 1;
    if (!session.json())
        return session.printText(checkText(*made, session.terminal()) + stageFilesText(*files, session.terminal()),
                                 code);
    nlohmann::json object = toJson(*made, {});
    object["stage_files"] = toJson(*files);
    return session.printJson(object, code);
}

} // namespace

void addCheckCommand(CLI::App &app, Session &session)
{
    CLI::App &command = *app.add_subcommand("check", "Run a plan and compare: exit code 0 when equal, 1 when not");
    const auto options = std::make_shared<CheckOptions>();
    command.add_option("PLAN", options->path, "A plan, as run --save-plan or split writes it")
        ->required()
        ->type_name("");
    command
        .add_option("--input", options->inputs, "Inputs in place of the plan's, as run takes them: x=float32[16,512]")
        ->type_name("[NAME=]VALUE")
        ->allow_extra_args(false);
    addSpecialiseOption(command, options->specialise);
    command.add_flag("--require-separable", options->requireSeparable,
                     "Exit code 1 also where the batch may not be cut, or it is not known whether it may");
    session.addOptions(command);
    command.callback([options, &session] { session.choose([options, &session] { return check(*options, session); }); });
}

} // namespace pipescope::app
