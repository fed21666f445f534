#include "base/resident_memory.h"
#include "bench.h"
#include "engine/run_job.h"
#include "make_examples/examples.h"

#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <string>

namespace pipescope::bench {

namespace {

constexpr double MiB = 1 << 20;

/// From here on, peakMemory() is of what follows (proc(5), /proc/pid/clear_refs).
void forgetPeakMemory()
{
    std::ofstream("/proc/self/clear_refs") << "5";
}

/// The most bytes that were resident; 0 where the system does not tell.
std::int64_t peakMemory()
{
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;)
        if (word == "VmHWM:") {
            std::int64_t kibibytes = 0;
            status >> kibibytes;
            return kibibytes * 1024;
        }
    return 0;
}

} // namespace

Result<std::vector<Row>> peakOfCheckedRun()
{
    const std::string file = (std::filesystem::temp_directory_path() / "pipescope-bench-large-decoder.pt").string();
    examples::decoderOf({11, 1280, 20, 50257, 256}).save(file);
    report::RunRequest request;
    request.plan.model = file;
    request.plan.inputs = {*plan::parseInputSpec("int64[8,64]<50257")};
    request.plan.microbatches = 8;
    request.plan.schedule = "forward";
    request.balanceInto = 4;
    report::RunNeeds needs;
    engine::JobContext context;
    context.needs = [&](const report::RunNeeds &told) { needs = told; };
    forgetPeakMemory();
    const std::int64_t before = residentMemory();
    const auto result = engine::run(request, context);
    const std::int64_t held = peakMemory() - before;
    std::filesystem::remove(file);
    if (!result)
        return result.error();
    if (!result->equivalence || !result->equivalence->overall.equal)
        return Error{ErrorCode::Internal, "the large decoder in 4 stages is not equal to itself", {}, {}};
    const std::int64_t counted = needs.weights + needs.activations.value_or(0);
    return std::vector<Row>{
        rowBeside("large decoder: weights", static_cast<double>(needs.weights) / MiB, "MiB"),
        rowBeside("its activations in 4 stages, as told before the run",
                  static_cast<double>(needs.activations.value_or(0)) / MiB, "MiB"),
        rowAtMost("peak memory of loading, running and checking it, over both",
                  static_cast<double>(held) / static_cast<double>(counted), "ratio", 1.15,
                  fmt::format("{:.0f} MiB", static_cast<double>(held) / MiB)),
    };
}

} // namespace pipescope::bench
