// pipescope-bench: the figures of running models.
#include "bench.h"
#include "tensor/large_blocks.h"

#include <array>
#include <cstdlib>

namespace {

std::string environment(const char *name)
{
    const char *const value = std::getenv(name);
    return value ? value : "";
}

} // namespace

int main(int argc, char **argv)
{
    using namespace pipescope::bench;
    const Peer peer{environment("PIPESCOPE_PEER_PYTHON"), environment("PIPESCOPE_TORCH_PEER")};
    pipescope::tensor::mapLargeBlocks(); // as the program does whose figures these are
    const std::array<Bench, 8> benches{{
        {"actions", [&] { return actionCost(peer); }},
        {"bound", [&] { return makespanOverBound(peer); }},
        {"import", [] { return importTime(); }},
        {"memory", [] { return heldMemory(); }},
        {"peak", [] { return peakOfCheckedRun(); }},
        {"throughput", [] { return throughput(); }},
        {"collectives", [] { return collectives(); }},
        {"layouts", [] { return layoutQuestions(); }},
    }};
    return runBenches(argc, argv, "Measures Pipescope's engine", benches);
}
