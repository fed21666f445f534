// Runs every benchmark, prints the table with the machine's name and writes it as JSON.
#include "base/file.h"
#include "base/text.h"
#include "bench.h"

#include <CLI/CLI.hpp>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sys/utsname.h>
#include <thread>

namespace {

using namespace pipescope;
using bench::Row;

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

std::string environment(const char *name)
{
    const char *const value = std::getenv(name);
    return value ? value : "";
}

void print(const Row &row)
{
    const std::string number =
        row.unit == "ratio" ? fmt::format("{:.3f}", row.value) : fmt::format("{:.3g} {}", row.value, row.unit);
    const std::string goal = row.goal.empty() ? "" : fmt::format("{}: {}", row.goal, row.met ? "met" : "NOT met");
    fmt::print("{:<60} {:>12}  {:<24} {}\n", row.what, number, goal, row.note);
    std::fflush(stdout);
}

nlohmann::ordered_json toJson(const Row &row)
{
    return {{"what", row.what}, {"value", row.value}, {"unit", row.unit},
            {"goal", row.goal}, {"met", row.met},     {"note", row.note}};
}

} // namespace

int main(int argc, char **argv)
{
    CLI::App app("Measures Pipescope");
    std::string out;
    std::string only;
    app.add_option("--out", out, "also write the table as JSON");
    app.add_option("--only", only, "one of: actions, bound, import, throughput");
    CLI11_PARSE(app, argc, argv);

    const bench::Peer peer{environment("PIPESCOPE_PEER_PYTHON"), environment("PIPESCOPE_TORCH_PEER")};
    const std::array<std::pair<std::string, std::function<Result<std::vector<Row>>()>>, 4> benches{{
        {"actions", [&] { return bench::actionCost(peer); }},
        {"bound", [&] { return bench::makespanOverBound(peer); }},
        {"import", [] { return bench::importTime(); }},
        {"throughput", [] { return bench::throughput(); }},
    }};
    fmt::print("{}\n", machineName());
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (const auto &[name, run] : benches) {
        if (!only.empty() && only != name)
            continue;
        const auto result = run();
        if (!result) {
            fmt::print(stderr, "{}: {}\n", name, result.error().message);
            return exitCode(result.error().code);
        }
        for (const Row &row : *result) {
            print(row);
            rows.push_back(toJson(row));
        }
    }
    if (out.empty())
        return 0;
    const nlohmann::ordered_json report = {{"machine", machineName()}, {"rows", rows}};
    if (const auto written = writeFile(out, report.dump(2) + "\n"); !written) {
        fmt::print(stderr, "{}\n", written.error().message);
        return exitCode(written.error().code);
    }
    return 0;
}
