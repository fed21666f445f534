#include "program.h"

#include "cancel.h"
#include "command_check.h"
#include "command_explain.h"
#include "command_inspect.h"
#include "command_layout.h"
#include "command_run.h"
#include "command_serve.h"
#include "command_split.h"
#include "session.h"
#include "tensor/large_blocks.h"
#include "usage_error.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <string_view>

namespace pipescope::app {

namespace {

// To add a command: write command_<name>, and add its row here.
constexpr void (*Commands[])(CLI::App &, Session &) = {
    addInspectCommand, addRunCommand,    addSplitCommand, addCheckCommand,
    addExplainCommand, addLayoutCommand, addServeCommand,
};

bool asksForJson(int argc, char **argv)
{
    return std::any_of(argv, argv + argc, [](const char *argument) { return std::string_view(argument) == "--json"; });
}

int runCommandLine(int argc, char **argv, Session &session)
{
    CLI::App app(
        "Splits a PyTorch model into pipeline stages, runs them on local devices, and shows and checks the result.",
        "pipescope-cli");
    app.set_version_flag("--version", PIPESCOPE_VERSION);
    app.get_formatter()->column_width(34);
    for (const auto add : Commands)
        add(app, session);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError &error) {
        if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success))
            return app.exit(error); // --help and --version
        if (asksForJson(argc, argv))
            session.forceJson();
        return session.fail(usageError(app, error));
    }
    if (!session.hasAction() && asksForJson(argc, argv)) {
        session.forceJson();
        return session.fail(
            {ErrorCode::InvalidArgument, "no command was named; pipescope-cli --help lists them", {}, {}});
    }
    if (!session.hasAction()) {
        std::fputs(app.help().c_str(), stderr);
        return 2;
    }
    return session.runAction();
}

} // namespace

int runProgram(int argc, char **argv)
{
    tensor::mapLargeBlocks();
    std::signal(SIGXFSZ, SIG_IGN); // a file that may not grow is seen by the failed write, and tidied up after
    Session session(stopOnInterrupt());
    return runCommandLine(argc, argv, session);
}

} // namespace pipescope::app
