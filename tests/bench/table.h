// What a benchmark gives and how it is shown: rows, a printed table, a JSON file. Shared by the programs of this
// folder.
#pragma once

#include "base/result.h"

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pipescope::bench {

struct Row
{
    std::string what;
    double value = 0;
    std::string unit; ///< "µs", "s", "ratio"
    std::string goal; ///< "at most 20 µs"; "" for rows that stand for comparison
    bool met = true;
    std::string note;
};

/// A row with the goal "at most `limit` `unit`".
[[nodiscard]] Row rowAtMost(std::string what, double value, const std::string &unit, double limit,
                            std::string note = "");
/// A row that stands for comparison.
[[nodiscard]] Row rowBeside(std::string what, double value, std::string unit, std::string note = "");

struct Bench
{
    std::string_view name; ///< for --only
    std::function<Result<std::vector<Row>>()> run;
};

/// Reads the options every program here has (--out, --add, --only), runs the benches, prints the machine and each row
/// as it comes, and writes the JSON. Gives the exit code; 0 whether or not the goals are met.
int runBenches(int argc, char **argv, const std::string &about, std::span<const Bench> benches);

} // namespace pipescope::bench
