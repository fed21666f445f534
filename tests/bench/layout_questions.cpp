// What a user who changes a layout waits for: the plan, and who holds what.
#include "bench.h"

#include "shard/geometry.h"
#include "shard/redistribution.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <optional>
#include <string_view>

namespace pipescope::bench {

namespace {

// The median of the milliseconds that `work` takes.
template <class Work>
double medianMilliseconds(int repeats, const Work &work)
{
    using Clock = std::chrono::steady_clock;
    std::vector<double> times;
    for (int i = 0; i < repeats; ++i) {
        const auto start = Clock::now();
        work();
        times.push_back(std::chrono::duration<double, std::milli>(Clock::now() - start).count());
    }
    std::nth_element(times.begin(), times.begin() + repeats / 2, times.end());
    return times[static_cast<std::size_t>(repeats / 2)];
}

std::optional<shard::Layout> layoutOn(const std::vector<int> &mesh, std::string_view placements, shard::Sizes shape)
{
    Result<shard::DeviceMesh> made = shard::DeviceMesh::make(mesh);
    Result<shard::Placements> read = shard::parsePlacements(placements);
    if (!made || !read)
        return std::nullopt;
    Result<shard::Layout> layout =
        shard::Layout::make({*std::move(made), *std::move(read), std::move(shape), {}, {}, "float32"});
    return layout ? std::optional(*std::move(layout)) : std::nullopt;
}

struct PlannedPair
{
    const char *from;
    const char *to;
};

// The slowest of these to plan is told.
constexpr PlannedPair Pairs[] = {{"S0,S0,S0", "S1,S1,S1"}, {"S0,S1,S2", "S2,S1,S0"}, {"R,S1,P", "S0,R,S2"},
                                 {"P,P,P", "S0,S1,S2"},    {"S0,R,R", "R,R,S1"},     {"SS(0,4),S0,S1", "S1,SS(0,3),R"},
                                 {"P,S0,S1", "S0,S1,R"}};

Result<Row> slowestPlan()
{
    constexpr int Repeats = 21;
    const std::vector<int> mesh{4, 2, 8};
    const shard::Sizes shape{1024, 512, 96};
    double slowest = 0;
    std::string which;
    for (const PlannedPair &pair : Pairs) {
        const auto from = layoutOn(mesh, pair.from, shape);
        const auto to = layoutOn(mesh, pair.to, shape);
        if (!from || !to)
            return Error{ErrorCode::Internal, "a layout of the benchmark is none", {}, {}};
        std::size_t steps = 0;
        const double taken = medianMilliseconds(Repeats, [&] {
            const auto plan = shard::planRedistribution(*from, *to, shard::Planner::Cheapest);
            steps += plan ? plan->steps.size() : 0;
        });
        if (steps == 0)
            return Error{ErrorCode::Internal, "a plan of the benchmark has no steps", {}, {}};
        if (taken > slowest) {
            slowest = taken;
            which = fmt::format("{} to {}", pair.from, pair.to);
        }
    }
    return rowAtMost("cheapest plan on a 3-D mesh", slowest, "ms", 1, which);
}

Result<Row> layoutOfAllRanks()
{
    constexpr int Repeats = 21;
    const auto layout = layoutOn({64, 64}, "S0,S1", {10001, 9999});
    if (!layout)
        return Error{ErrorCode::Internal, "the layout of the benchmark is none", {}, {}};
    std::int64_t held = 0;
    const double taken = medianMilliseconds(Repeats, [&] {
        for (const shard::LocalShard &shard : shard::localShards(*layout))
            held += shard.sizes[0] * shard.sizes[1];
    });
    if (held != Repeats * layout->numel())
        return Error{ErrorCode::Internal, "the shards of the benchmark are not the tensor", {}, {}};
    return rowAtMost("layout questions on 4 096 ranks", taken, "ms", 1, "shapes and offsets of all, uneven");
}

} // namespace

Result<std::vector<Row>> layoutQuestions()
{
    const auto plan = slowestPlan();
    if (!plan)
        return plan.error();
    const auto ranks = layoutOfAllRanks();
    if (!ranks)
        return ranks.error();
    return std::vector<Row>{*plan, *ranks};
}

} // namespace pipescope::bench
