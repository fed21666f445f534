#include "bench.h"

#include "import/import_method.h"
#include "partition/split_point.h"
#include "pipeline.h"

#include <chrono>
#include <fmt/format.h>

namespace pipescope::bench {

Result<std::vector<Row>> importTime()
{
    constexpr int Blocks = 2500;
    torch::jit::Module module("Wide");
    module.register_parameter("w", at::eye(4), false);
    std::string body = "def forward(self, x):\n";
    for (int block = 0; block < Blocks; ++block)
        body += "    x = torch.relu(torch.mm(x, self.w)).add(x).mul(x)\n";
    module.define(body + "    return x\n");
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    const auto model = import::importMethod(module);
    const std::chrono::duration<double> taken = Clock::now() - start;
    if (!model)
        return model.error();
    const auto afterImport = Clock::now();
    const std::size_t points = partition::splitPoints(model->graph).size();
    const std::chrono::duration<double> cutting = Clock::now() - afterImport;
    return std::vector<Row>{
        {fmt::format("import of a model of {} operators", model->graph.size()), taken.count(), "s", "at most 1 s",
         taken.count() <= 1, ""},
        {fmt::format("its {} split points", points), cutting.count(), "s", "", true, ""},
    };
}

} // namespace pipescope::bench
