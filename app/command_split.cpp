#include "command_split.h"

#include "engine/split_job.h"
#include "json_output.h"
#include "output_path.h"
#include "plan_options.h"
#include "text_output.h"

#include <memory>

namespace pipescope::app {

namespace {

struct SplitOptions
{
    PlanOptions plan;
    std::string folder;
    bool keepUnused = false;
};

int split(const SplitOptions &options, Session &session)
{
    const Result<report::RunRequest> request = makeRequest(options.plan);
    if (!request)
        return session.fail(request.error());
    if (request->plan.splits.empty())
        return session.fail({ErrorCode::InvalidArgument,
                             "nothing says where to split; give --split with a module, a node or a number of stages",
                             "--split",
                             {}});
    if (const Status writable = checkOutputFolder({"--out", options.folder}, readFiles(options.plan, request->plan));
        !writable)
        return session.fail(writable.error());
    const report::Unused unused = options.keepUnused ? report::Unused::Kept : report::Unused::LeftOut;
    const Result<report::SplitReport> report = engine::split(*request, options.folder, session.context(), unused);
    if (!report)
        return session.fail(ofPlanFile(report.error(), options.plan.file));
    return session.json() ? session.printJson(toJson(*report))
                          : session.printText(savedText(*report, session.terminal()));
}

} // namespace

void addSplitCommand(CLI::App &app, Session &session)
{
    CLI::App &command = *app.add_subcommand("split", "Save each stage as a TorchScript file, with the plan");
    const auto options = std::make_shared<SplitOptions>();
    options->plan.addModelOptions(command, "MODEL|PLAN");
    options->plan.addSplitOptions(command);
    command.add_option("--out", options->folder, "The folder to write to; made when absent")
        ->type_name("DIR")
        ->required();
    command.add_flag("--keep-unused", options->keepUnused,
                     "Save parameters and buffers that no stage uses too, so that the stages together have all");
    session.addOptions(command);
    command.callback([options, &session] { session.choose([options, &session] { return split(*options, session); }); });
}

} // namespace pipescope::app
