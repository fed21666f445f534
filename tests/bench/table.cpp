#include "table.h"

#include "base/file.h"
#include "base/text.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sys/utsname.h>
#include <thread>

namespace pipescope::bench {

namespace {

using Json = nlohmann::ordered_json;

std::string machineName()
{
    utsname names{};
    ::uname(&names);
    std::string processor = "unknown processor";
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);)
        if (line.rfind("model name", 0) == 0) {
            processor = std::string(trimmed(line.substr(line.find(':') + 1)));
            break;
        }
    return fmt::format("{}: {}, {} cores, {} {}", names.nodename, processor, std::thread::hardware_concurrency(),
                       names.sysname, names.machine);
}

/// How many programs wanted a core in the last minute: figures of a busy machine are others'.
double loadAverage()
{
    double load = 0;
    return ::getloadavg(&load, 1) == 1 ? load : -1;
}

void print(const Row &row)
{
    const std::string number =
        row.unit == "ratio" ? fmt::format("{:.3f}", row.value) : fmt::format("{:.3g} {}", row.value, row.unit);
    const std::string goal = row.goal.empty() ? "" : fmt::format("{}: {}", row.goal, row.met ? "met" : "NOT met");
    fmt::print("{:<72} {:>12}  {:<24} {}\n", row.what, number, goal, row.note);
    std::fflush(stdout);
}

Json toJson(const Row &row)
{
    return {{"what", row.what}, {"value", row.value}, {"unit", row.unit},
            {"goal", row.goal}, {"met", row.met},     {"note", row.note}};
}

/// The rows a file has already, but for those that come anew. None where there is no such file.
Json rowsKept(const std::string &path, const Json &fresh)
{
    Json kept = Json::array();
    std::ifstream in(path);
    const Json report = in ? Json::parse(in, nullptr, false) : Json();
    if (!report.is_object() || !report.contains("rows") || !report["rows"].is_array())
        return kept;
    for (const Json &row : report["rows"]) {
        const auto isNew = [&](const Json &other) { return other["what"] == row.value("what", ""); };
        if (row.is_object() && std::none_of(fresh.begin(), fresh.end(), isNew))
            kept.push_back(row);
    }
    return kept;
}

int fail(std::string_view who, const Error &error)
{
    fmt::print(stderr, "{}: {}\n", who, error.message);
    return exitCode(error.code);
}

} // namespace

Row rowAtMost(std::string what, double value, const std::string &unit, double limit, std::string note)
{
    return {std::move(what), value, unit, fmt::format("at most {:g} {}", limit, unit), value <= limit, std::move(note)};
}

Row rowBeside(std::string what, double value, std::string unit, std::string note)
{
    return {std::move(what), value, std::move(unit), "", true, std::move(note)};
}

int runBenches(int argc, char **argv, const std::string &about, std::span<const Bench> benches)
{
    std::vector<std::string> names;
    for (const Bench &bench : benches)
        names.emplace_back(bench.name);
    CLI::App app(about);
    std::string out;
    std::string only;
    bool add = false;
    CLI::Option *file = app.add_option("--out", out, "Also write the table as JSON");
    app.add_flag("--add", add, "Keep the other rows that the file has")->needs(file);
    app.add_option("--only", only, "Run this one only")->check(CLI::IsMember(names));
    CLI11_PARSE(app, argc, argv);

    const double load = loadAverage();
    if (!add)
        fmt::print("{}; load average {:.2f}\n", machineName(), load);
    Json fresh = Json::array();
    for (const Bench &bench : benches) {
        if (!only.empty() && only != bench.name)
            continue;
        const auto result = bench.run();
        if (!result)
            return fail(bench.name, result.error());
        for (const Row &row : *result) {
            print(row);
            fresh.push_back(toJson(row));
        }
    }
    if (out.empty())
        return 0;
    Json rows = add ? rowsKept(out, fresh) : Json::array();
    rows.insert(rows.end(), fresh.begin(), fresh.end());
    const Json report = {{"machine", machineName()}, {"loadAverageBefore", load}, {"rows", rows}};
    const Status written = writeFile(out, report.dump(2) + "\n");
    return written ? 0 : fail(out, written.error());
}

} // namespace pipescope::bench
