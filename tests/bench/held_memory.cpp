#include "base/resident_memory.h"
#include "bench.h"
#include "import/import_method.h"
#include "partition/partition.h"
#include "runtime/pipeline_run.h"
#include "schedule/schedule_table.h"

#include <ATen/ATen.h>
#include <algorithm>
#include <fmt/format.h>

namespace pipescope::bench {

namespace {

constexpr int Width = 1448; // a square of so many numbers has 8 MiB

/// From a row to a square of 8 MiB and back to a row: what is kept of a microbatch is small.
torch::jit::Module makeWaist()
{
    torch::jit::Module module("Waist");
    module.define("def forward(self, x):\n"
                  "    y = torch.mm(x.t(), x)\n"
                  "    for i in range(2):\n"
                  "        y = torch.tanh(y)\n"
                  "    z = torch.add(y, 1.0)\n"
                  "    return torch.sum(torch.relu(z), [0], True)\n");
    return module;
}

/// Bytes that are resident when a run has ended, its outputs kept, above those before it.
Result<std::int64_t> heldAfter(int microbatches)
{
    const auto model = import::importMethod(makeWaist());
    if (!model)
        return model.error();
    const auto &order = model->graph.order;
    const auto add =
        std::find_if(order.begin(), order.end(), [&](NodeId id) { return model->graph.node(id).op == "aten::add"; });
    const auto partition = partition::makePartition(model->graph, {static_cast<int>(add - order.begin())});
    if (!partition)
        return partition.error();
    const auto schedule = schedule::buildSchedule("forward", {2, 2, microbatches});
    if (!schedule)
        return schedule.error();
    runtime::RunOptions options;
    options.devices = {"cpu:0", "cpu:1"};
    const auto pipeline = runtime::PipelineRun::create(*model, *partition, *schedule, options);
    if (!pipeline)
        return pipeline.error();
    const std::vector<std::vector<c10::IValue>> batch(static_cast<std::size_t>(microbatches), {at::ones({1, Width})});
    const std::int64_t before = residentMemory();
    const auto result = (*pipeline)->run(batch);
    if (!result)
        return result.error();
    return residentMemory() - before;
}

} // namespace

Result<std::vector<Row>> heldMemory()
{
    constexpr int Few = 64;
    constexpr int Many = 256;
    constexpr double MiB = 1 << 20;
    if (const auto warmUp = heldAfter(8); !warmUp)
        return warmUp.error();
    const Result<std::int64_t> few = heldAfter(Few);
    if (!few)
        return few.error();
    const Result<std::int64_t> many = heldAfter(Many);
    if (!many)
        return many.error();
    const double outputs = Many * Width * sizeof(float) / MiB;
    return std::vector<Row>{
        rowBeside(fmt::format("memory held after {} microbatches with blocks of 8 MiB", Few),
                  static_cast<double>(*few) / MiB, "MiB"),
        rowAtMost(fmt::format("memory held after {} of them", Many), static_cast<double>(*many) / MiB, "MiB", 64,
                  fmt::format("the outputs have {:.1f} MiB", outputs)),
    };
}

} // namespace pipescope::bench
