#include "command_run.h"

#include "base/file.h"
#include "bubble_option.h"
#include "json_output.h"
#include "number_option.h"
#include "output_path.h"
#include "plan/plan_file.h"
#include "plan_options.h"
#include "report/run_needs.h"
#include "run_traced.h"
#include "text_output.h"
#include "trace/chrome_trace.h"
#include "usual_bubbles.h"

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace pipescope::app {

namespace {

struct RunOptions
{
    PlanOptions plan;
    WrittenFiles outputs;
    int repeat = 1;
    bool noCheck = false;
    std::size_t bubbles = UsualBubbles;
};

/// For Option::check. CLI11 takes "" for a file, and what is written to it is lost.
CLI::Validator fileName()
{
    const auto check = [](const std::string &text) -> std::string {
        return text.empty() ? "expected the name of a file, found ''" : "";
    };
    return CLI::Validator(check, ""); // without a description, which --help would show
}

Status writeFiles(const report::TracedRun &made, const WrittenFiles &outputs)
{
    if (!outputs.trace.empty()) {
        if (Status written = writeFile(outputs.trace, trace::toChromeJson(made.trace)); !written)
            return written;
    }
    return outputs.plan.empty() ? Status(Success{}) : plan::savePlan(made.plan, outputs.plan);
}

int run(const RunOptions &options, Session &session)
{
    Result<report::RunRequest> request = makeRequest(options.plan);
    if (!request)
        return session.fail(request.error());
    request->check = !options.noCheck;
    request->repeat = options.repeat;
    const Status writable =
        checkOutputFiles({{"--trace", options.outputs.trace}, {"--save-plan", options.outputs.plan}},
                         readFiles(options.plan, request->plan));
    if (!writable)
        return session.fail(writable.error());
    std::optional<report::RunNeeds> needs;
    bool isTold = false;
    engine::JobContext context = session.context();
    context.needs = [&](const report::RunNeeds &told) {
        needs = told;
        isTold = session.printAhead(report::needsText(told));
    };
    const Result<report::TracedRun> made = runTraced(*request, std::move(context));
    if (!made)
        return session.fail(ofPlanFile(made.error(), options.plan.file));
    if (const Status written = writeFiles(*made, options.outputs); !written)
        return session.fail(written.error());
    const int code = made->equivalence && !made->equivalence->overall.equal ? 1 : 0;
    if (!session.json()) {
        const std::string ahead = isTold ? std::string() : report::needsText(*needs) + '\n';
        return session.printText(ahead + runText(*made, options.outputs, session.terminal(), options.bubbles), code);
    }
    nlohmann::json object = toJson(*made, options.outputs, options.bubbles);
    object["needs"] = toJson(*needs); // a run that was made has told them
    return session.printJson(object, code);
}

} // namespace

void addRunCommand(CLI::App &app, Session &session)
{
    CLI::App &command = *app.add_subcommand("run", "Run a model in stages, and compare it with the unsplit model");
    const auto options = std::make_shared<RunOptions>();
    options->plan.addModelOptions(command, "MODEL|PLAN");
    options->plan.addSplitOptions(command);
    options->plan.addRunOptions(command);
    command.add_option("--repeat", options->repeat, "Measured runs; the one with the median makespan is shown (1)")
        ->type_name("K")
        ->transform(wholeNumber(1, std::numeric_limits<int>::max()));
    command.add_flag("--no-check", options->noCheck, "Do not compare with the unsplit model");
    addBubbleOption(command, options->bubbles);
    command.add_option("--trace", options->outputs.trace, "Write the timeline as Chrome JSON, for ui.perfetto.dev")
        ->type_name("FILE")
        ->check(fileName());
    command.add_option("--save-plan", options->outputs.plan, "Write everything decided as a plan")
        ->type_name("FILE")
        ->check(fileName());
    session.addOptions(command);
    command.callback([options, &session] { session.choose([options, &session] { return run(*options, session); }); });
}

} // namespace pipescope::app
