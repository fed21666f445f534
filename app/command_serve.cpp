#include "command_serve.h"

#include "engine/serve/server.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

namespace pipescope::app {

namespace {

/// A model's code that did not end with the conversation.
constexpr int ExitStuck = 1;

/// What models and libraries print goes to standard error from here on. The conversation's own descriptor, or -1.
int takeStandardOutput()
{
    const int output = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    return output >= 0 && ::dup2(STDERR_FILENO, STDOUT_FILENO) >= 0 ? output : -1;
}

int serve(Session &session)
{
    if (::isatty(STDIN_FILENO) != 0)
        return session.fail({ErrorCode::InvalidArgument,
                             "serve speaks with a program over its standard streams (docs/protocol.md), not with a "
                             "terminal; the window starts it by itself",
                             {},
                             {}});
    std::signal(SIGPIPE, SIG_IGN); // a reader that is gone is seen by the failed write
    const int output = takeStandardOutput();
    if (output < 0)
        return session.fail({ErrorCode::WriteFailed, fmt::format("standard output: {}", std::strerror(errno)), {}, {}});
    engine::ServeOptions options;
    options.input = STDIN_FILENO;
    options.output = output;
    options.engine = "pipescope-cli " PIPESCOPE_VERSION;
    options.giveUp = [] { std::_Exit(ExitStuck); };
    const Status served = engine::serve(options, session.context().stop);
    ::close(output);
    return served ? 0 : session.fail(served.error());
}

} // namespace

void addServeCommand(CLI::App &app, Session &session)
{
    CLI::App &command = *app.add_subcommand("serve", "Answer a window's requests over the standard streams");
    command.callback([&session] { session.choose([&session] { return serve(session); }); });
}

} // namespace pipescope::app
