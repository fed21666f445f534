// pipescope-bench: the figures of running models.
#include "bench.h"

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
    const std::array<Bench, 4> benches{{
        {"actions", [&] { return actionCost(peer); }},
        {"bound", [&] { return makespanOverBound(peer); }},
        {"import", [] { return importTime(); }},
        {"throughput", [] { return throughput(); }},
    }};
    return runBenches(argc, argv, "Measures Pipescope's engine", benches);
}
