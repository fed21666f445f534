#include "session.h"

#include "base/shown_text.h"
#include "json_output.h"
#include "option_words.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <fmt/format.h>
#include <unistd.h>

namespace pipescope::app {

namespace {

/// Whether all of it got out.
bool writeOut(std::string_view text)
{
    errno = 0;
    const bool whole = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
    const bool ended = text.ends_with('\n') || std::fputc('\n', stdout) != EOF;
    return std::fflush(stdout) == 0 && whole && ended;
}

/// Where standard error is closed or full there is nobody left to tell.
void writeError(std::string_view text)
{
    std::fwrite(text.data(), 1, text.size(), stderr);
    std::fflush(stderr);
}

/// What the message leaves unsaid of a place like "m.pt: code/a.py:3".
std::string placeNotIn(std::string_view message, std::string_view where)
{
    const std::size_t colon = where.find(": ");
    const std::string_view file = where.substr(0, colon);
    if (message.find(where) != std::string_view::npos)
        return {};
    if (colon == std::string_view::npos || message.find(file) == std::string_view::npos)
        return std::string(where);
    const std::string_view rest = where.substr(colon + 2);
    return message.find(rest) == std::string_view::npos ? std::string(rest) : std::string();
}

} // namespace

void Session::addOptions(CLI::App &command)
{
    command.add_flag("--json", m_json, "Print one JSON object and nothing else (docs/cli.md lists its keys)");
    command.add_option("--colour,--color", m_colour, "auto, always or never")->type_name("WHEN")->capture_default_str();
    command.add_flag("--details", m_details, "With an error, print all that is known of it (TorchScript's traceback)");
}

int Session::runAction()
{
    const Result<ColourChoice> colour = parseColour(m_colour);
    if (!colour)
        return fail(colour.error());
    m_terminal = standardOutput(*colour);
    try {
        return m_action();
    } catch (const std::exception &thrown) {
        return fail({ErrorCode::Internal, thrown.what(), {}, {}});
    }
}

engine::JobContext Session::context()
{
    engine::JobContext context;
    context.stop = m_stop;
    context.progress = [this](std::string_view step, double fraction) { m_progress.show(step, fraction); };
    context.warn = [this](const std::string &text) {
        const std::lock_guard lock(m_mutex);
        m_warnings.push_back(withOptions(text));
    };
    context.stalled = [this](const std::string &text) { m_progress.print(text); };
    return context;
}

int Session::printJson(const nlohmann::json &object, int code)
{
    m_progress.clear();
    return writeOut(toText(object)) ? code : outputLost();
}

int Session::printText(std::string_view text, int code)
{
    m_progress.clear();
    const bool whole = writeOut(shownLines(text, m_terminal.colour ? Colours::Kept : Colours::Escaped));
    const int reason = errno;
    printWarnings();
    errno = reason;
    return whole ? code : outputLost();
}

bool Session::printAhead(std::string_view line)
{
    if (m_json || ::isatty(STDOUT_FILENO) == 0)
        return false;
    m_progress.clear();
    return writeOut(shownText(line));
}

int Session::outputLost()
{
    writeError(fmt::format("pipescope-cli: error: standard output: {}\n", std::strerror(errno)));
    return exitCode(ErrorCode::WriteFailed);
}

int Session::fail(const Error &failure)
{
    const Error error = withOptions(failure);
    m_progress.clear();
    if (m_json) {
        writeOut(toText(errorJson(error, m_warnings)));
        return exitCode(error.code);
    }
    printWarnings();
    const std::string place = placeNotIn(error.message, error.where);
    writeError(fmt::format("pipescope-cli: error: {}{}{}\n", shownText(place), place.empty() ? "" : ": ",
                           shownText(error.message)));
    if (m_details && !error.details.empty())
        writeError(shownLines(error.details) + '\n');
    else if (!error.details.empty())
        writeError("(--details shows more)\n");
    return exitCode(error.code);
}

void Session::printWarnings()
{
    for (const std::string &warning : m_warnings)
        writeError(fmt::format("warning: {}\n", shownText(warning)));
    m_warnings.clear();
}

} // namespace pipescope::app
