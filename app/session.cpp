#include "session.h"

#include "json_output.h"

#include <cstdio>
#include <fmt/format.h>

namespace pipescope::app {

namespace {

void writeOut(std::string_view text)
{
    std::fwrite(text.data(), 1, text.size(), stdout);
    if (!text.ends_with('\n'))
        std::fputc('\n', stdout);
    std::fflush(stdout);
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
    return m_action();
}

engine::JobContext Session::context()
{
    engine::JobContext context;
    context.stop = m_stop;
    context.progress = [this](std::string_view step, double fraction) { m_progress.show(step, fraction); };
    context.warn = [this](const std::string &text) {
        const std::lock_guard lock(m_mutex);
        m_warnings.push_back(text);
    };
    context.stalled = [this](const std::string &text) { m_progress.print(text); };
    return context;
}

void Session::printJson(const nlohmann::json &object)
{
    m_progress.clear();
    writeOut(toText(object));
}

void Session::printText(std::string_view text)
{
    m_progress.clear();
    writeOut(text);
    printWarnings();
}

int Session::fail(const Error &error)
{
    m_progress.clear();
    if (m_json) {
        writeOut(toText(errorJson(error, m_warnings)));
        return exitCode(error.code);
    }
    printWarnings();
    const bool repeatsPlace = error.where.empty() || error.message.find(error.where) != std::string::npos;
    fmt::print(stderr, "pipescope-cli: error: {}{}\n", repeatsPlace ? "" : error.where + ": ", error.message);
    if (m_details && !error.details.empty())
        fmt::print(stderr, "{}\n", error.details);
    else if (!error.details.empty())
        fmt::print(stderr, "(--details shows more)\n");
    return exitCode(error.code);
}

void Session::printWarnings()
{
    for (const std::string &warning : m_warnings)
        fmt::print(stderr, "warning: {}\n", warning);
    m_warnings.clear();
}

} // namespace pipescope::app
