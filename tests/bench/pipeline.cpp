#include "pipeline.h"

#include "import/import_method.h"
#include "partition/partition.h"
#include "runtime/pipeline_run.h"
#include "schedule/schedule_table.h"

#include <ATen/ATen.h>
#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace pipescope::bench {

torch::jit::Module makeChain(const Chain &chain)
{
    torch::jit::Module module("Chain");
    std::string body = "def forward(self, x):\n";
    for (int layer = 0; layer < chain.layers; ++layer) {
        module.register_parameter(fmt::format("w{}", layer), at::eye(chain.width), false);
        body += fmt::format("    x = torch.mm(x, self.w{})\n", layer);
    }
    module.define(body + "    return x\n");
    return module;
}

Result<trace::Stats> runChain(const Chain &chain, int microbatches, int repeats)
{
    const auto model = import::importMethod(makeChain(chain));
    if (!model)
        return model.error();
    const auto partition = partition::makePartition(model->graph, {chain.layers / 2});
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
    const std::vector<std::vector<c10::IValue>> batch(static_cast<std::size_t>(microbatches),
                                                      {at::ones({chain.rows, chain.width})});
    std::vector<trace::Stats> runs;
    for (int repeat = 0; repeat <= repeats; ++repeat) {
        const auto result = (*pipeline)->run(batch);
        if (!result)
            return result.error();
        if (repeat > 0)
            runs.push_back(trace::traceStats(result->trace));
    }
    const auto middle = runs.begin() + static_cast<std::ptrdiff_t>(runs.size() / 2);
    std::nth_element(runs.begin(), middle, runs.end(), [](const trace::Stats &a, const trace::Stats &b) {
        return a.makespanSeconds < b.makespanSeconds;
    });
    return *middle;
}

Result<PeerFigures> runPeer(const Peer &peer, const Chain &chain, int microbatches, int repeats)
{
    const std::string command =
        fmt::format("OMP_NUM_THREADS=1 '{}' '{}' --layers {} --width {} --rows {} --microbatches {} --repeats {}",
                    peer.python, peer.script, chain.layers, chain.width, chain.rows, microbatches, repeats);
    std::FILE *const pipe = ::popen(command.c_str(), "r");
    if (!pipe)
        return Error{ErrorCode::Internal, "cannot start " + peer.python, peer.script, {}};
    std::string output;
    char buffer[4096];
    while (const std::size_t count = std::fread(buffer, 1, sizeof buffer, pipe))
        output.append(buffer, count);
    const int status = ::pclose(pipe);
    const auto json = nlohmann::json::parse(output, nullptr, false);
    if (status != 0 || !json.is_object())
        return Error{ErrorCode::Internal,
                     fmt::format("{} failed (status {}): {}", peer.script, status, output.substr(0, 300)),
                     peer.script,
                     {}};
    return PeerFigures{json.at("makespan_seconds").get<double>(), json.at("stage_seconds").get<double>()};
}

} // namespace pipescope::bench
