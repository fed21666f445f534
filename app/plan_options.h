// The options that say what to run and how, read into a plan. Given together with a plan file, each replaces what the
// plan says.
#pragma once

#include "base/result.h"
#include "engine/run_job.h"

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pipescope::app {

struct PlanOptions
{
    std::string file; ///< a model or a plan
    std::optional<std::string> method;
    std::vector<std::string> opLibraries;
    std::vector<std::string> inputs;
    std::vector<std::string> chunks;
    std::optional<std::string> outputChunks;
    std::vector<std::string> splits;
    std::optional<int> microbatches;
    std::optional<std::string> schedule;
    std::optional<std::string> devices;
    std::optional<int> threadsPerRank;
    std::optional<int> maxInFlight;
    std::optional<std::uint64_t> seed;
    std::optional<bool> grad;
    std::optional<bool> specialise;
    std::optional<double> rtol;
    std::optional<double> atol;

    /// MODEL, --method, --op-library, --input, --specialise, --seed, --grad.
    void addModelOptions(CLI::App &command, const std::string &fileName);
    /// --split, --microbatches, --chunk, --threads-per-rank.
    void addSplitOptions(CLI::App &command);
    /// --chunk-output, --schedule, --devices, --max-in-flight, --rtol, --atol.
    void addRunOptions(CLI::App &command);
};

/// --specialise and --no-specialise.
void addSpecialiseOption(CLI::App &command, std::optional<bool> &specialise);

/// The plan that options and plan file together make. Errors name the option.
Result<report::RunRequest> makeRequest(const PlanOptions &options);

/// An error of a run in what only its plan file says (`specialised`), with the file's name as plan::loadPlan gives it;
/// others as they are.
[[nodiscard]] Error ofPlanFile(Error error, const std::string &file);

/// Every file a run of this plan reads: model, plan, schedule, operator libraries, input values.
[[nodiscard]] std::vector<std::string> readFiles(const PlanOptions &options, const plan::Plan &plan);

/// Positional and named inputs, parsed.
Result<std::vector<plan::InputSpec>> parseInputs(const std::vector<std::string> &texts);

} // namespace pipescope::app
