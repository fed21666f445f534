// One call of the program: the options all commands share, and the ways in which a command reports and ends.
#pragma once

#include "base/error.h"
#include "engine/job_context.h"
#include "progress_line.h"
#include "terminal.h"

#include <CLI/CLI.hpp>
#include <functional>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace pipescope::app {

class Session
{
public:
    explicit Session(std::stop_token stop)
        : m_stop(std::move(stop))
    {
    }

    /// --json, --colour, --details.
    void addOptions(CLI::App &command);
    /// Remembers what a parsed command does; main calls it after parsing.
    void choose(std::function<int()> action) { m_action = std::move(action); }
    /// Runs the chosen command; its exit code. Nothing chosen is none of this class's business.
    [[nodiscard]] bool hasAction() const { return static_cast<bool>(m_action); }
    int runAction();

    [[nodiscard]] bool json() const { return m_json; }
    /// For errors that come before the options are parsed.
    void forceJson() { m_json = true; }
    [[nodiscard]] Terminal terminal() const { return m_terminal; }
    /// Collects warnings, draws progress, stops on Ctrl-C. Valid as long as the session.
    [[nodiscard]] engine::JobContext context();

    /// Prints the one JSON object, or the text; then the warnings where the text does not hold them. The exit code:
    /// `code`, or that of a failed write.
    int printJson(const nlohmann::json &object, int code = 0);
    int printText(std::string_view text, int code = 0);
    /// Prints a line of text at once where somebody looks on: standard output is a terminal, and not of --json. Else
    /// false, for who reads a result later has nothing of one that failed.
    bool printAhead(std::string_view line);
    /// Prints an error in the form asked for, after the warnings that came before it; the exit code for it.
    int fail(const Error &failure);

private:
    void printWarnings();
    static int outputLost();

    std::stop_token m_stop;
    std::function<int()> m_action;
    bool m_json = false;
    bool m_details = false;
    std::string m_colour = "auto";
    Terminal m_terminal;
    ProgressLine m_progress;
    std::mutex m_mutex;
    std::vector<std::string> m_warnings;
};

} // namespace pipescope::app
