#include "bench.h"

#include "engine/run_job.h"
#include "make_examples/examples.h"

#include <ATen/Parallel.h>
#include <filesystem>
#include <fmt/format.h>
#include <thread>

namespace pipescope::bench {

namespace {

constexpr const char *Batch = "int64[16,64]<50257";

Result<report::RunReport> measure(const std::string &file, int stages, int microbatches, int threads)
{
    report::RunRequest request;
    request.plan.model = file;
    request.plan.inputs = {*plan::parseInputSpec(Batch)};
    request.plan.microbatches = microbatches;
    request.plan.schedule = "forward";
    request.plan.threadsPerRank = threads;
    if (stages > 1)
        request.balanceInto = stages;
    request.check = false;
    request.repeat = 3;
    return engine::run(request, {});
}

} // namespace

Result<std::vector<Row>> throughput()
{
    const std::string file = (std::filesystem::temp_directory_path() / "pipescope-bench-decoder.pt").string();
    examples::decoder(examples::Size::Full).save(file);
    const int cores = static_cast<int>(std::thread::hardware_concurrency());
    const auto whole = measure(file, 1, 1, cores);
    const auto pipeline = measure(file, cores, 8, 1);
    std::filesystem::remove(file);
    if (!whole)
        return whole.error();
    if (!pipeline)
        return pipeline.error();
    const double unsplit = whole->stats.makespanSeconds;
    const double split = pipeline->stats.makespanSeconds;
    return std::vector<Row>{
        {"example decoder, unsplit, whole batch, all threads", unsplit, "s", "", true,
         fmt::format("{} threads, {}", cores, Batch)},
        {fmt::format("the same as {} stages of one thread, 8 microbatches", cores), split, "s", "", true,
         fmt::format("bubble share {:.1f} %", pipeline->stats.bubbleShare * 100)},
        {"pipeline's throughput over the unsplit model's", unsplit / split, "ratio", "", true,
         unsplit >= split ? "the pipeline gains: whole kernels per core scale better than kernels shared by cores"
                          : "the pipeline loses: fill and drain cost more than sharing kernels between cores"},
    };
}

} // namespace pipescope::bench
