#include "command_check.h"

#include "json_output.h"
#include "plan/plan_file.h"
#include "text_output.h"

#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <system_error>

namespace pipescope::app {

namespace {

Result<report::RunRequest> makeRequest(const std::string &path)
{
    std::error_code unknown;
    if (std::filesystem::exists(path, unknown) && !plan::looksLikePlan(path))
        return Error{
            ErrorCode::InvalidFile,
            fmt::format("'{}' is no plan; run --save-plan writes one, and run MODEL checks a model directly", path),
            path,
            {}};
    Result<plan::Plan> plan = plan::loadPlan(path);
    if (!plan)
        return plan.error();
    report::RunRequest request;
    request.plan = *std::move(plan);
    request.warmUps = 0;
    return request;
}

int check(const std::string &path, Session &session)
{
    const Result<report::RunRequest> request = makeRequest(path);
    if (!request)
        return session.fail(request.error());
    const Result<report::RunReport> report = engine::run(*request, session.context());
    if (!report)
        return session.fail(report.error());
    const int code = report->equivalence->overall.equal ? 0 : 1;
    return session.json() ? session.printJson(toJson(*report, {}), code)
                          : session.printText(checkText(*report, session.terminal()), code);
}

} // namespace

void addCheckCommand(CLI::App &app, Session &session)
{
    CLI::App &command = *app.add_subcommand("check", "Run a plan and compare: exit code 0 when equal, 1 when not");
    const auto path = std::make_shared<std::string>();
    command.add_option("PLAN", *path, "A plan, as run --save-plan writes it")->required()->type_name("");
    session.addOptions(command);
    command.callback([path, &session] { session.choose([path, &session] { return check(*path, session); }); });
}

} // namespace pipescope::app
