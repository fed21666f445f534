#include "command_explain.h"

#include "base/file.h"
#include "base/shown_text.h"
#include "bubble_option.h"
#include "json_output.h"
#include "text_output.h"
#include "trace/chrome_trace.h"
#include "trace/json_look.h"
#include "usual_bubbles.h"

#include <cstdlib>
#include <fmt/format.h>
#include <memory>
#include <stop_token>
#include <string>

namespace pipescope::app {

namespace {

constexpr std::size_t LargestFile = std::size_t{256} << 20;

struct ExplainOptions
{
    std::string file;
    std::size_t bubbles = UsualBubbles;
};

Error unreadable(const ExplainOptions &options, const std::string &text, Error error)
{
    if (error.code == ErrorCode::Cancelled)
        return error;
    const bool isForeign = trace::lookAtJson(text).isForeignTrace();
    error.message = isForeign
                        ? fmt::format("'{}' is a trace of another program; Pipescope explains those that it wrote "
                                      "(run --trace)",
                                      shownText(options.file))
                        : fmt::format("the trace '{}' cannot be read: {}", shownText(options.file), error.message);
    return error;
}

/// Explaining looks at no stop_token and has nothing open: a stop ends the process there.
template <class Tell>
auto explained(const trace::Trace &trace, Session &session, const Tell &tell)
{
    const std::stop_callback end(session.context().stop, [] { std::_Exit(exitCode(ErrorCode::Cancelled)); });
    return tell(trace::Explanation(trace));
}

int explain(const ExplainOptions &options, Session &session)
{
    const Result<std::string> text = readFile(options.file, LargestFile);
    if (!text)
        return session.fail(text.error());
    const Result<trace::Trace> trace = trace::parseChromeJson(*text, LargestFile, session.context().stop);
    if (!trace)
        return session.fail(unreadable(options, *text, trace.error()));
    if (session.json())
        return session.printJson(explained(*trace, session, [&](const trace::Explanation &explanation) {
            return toJson(explanation, options.bubbles);
        }));
    return session.printText(explained(*trace, session, [&](const trace::Explanation &explanation) {
        return traceText(explanation, options.bubbles, session.terminal());
    }));
}

} // namespace

void addExplainCommand(CLI::App &app, Session &session)
{
    CLI::App &command = *app.add_subcommand("explain", "Tell where the time of a trace went, and what helps");
    const auto options = std::make_shared<ExplainOptions>();
    command.add_option("TRACE", options->file, "A trace that run --trace or the window wrote")->required();
    addBubbleOption(command, options->bubbles);
    session.addOptions(command);
    command.callback(
        [options, &session] { session.choose([options, &session] { return explain(*options, session); }); });
}

} // namespace pipescope::app
