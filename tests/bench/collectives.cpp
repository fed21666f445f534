#include "bench.h"

#include "dtensor/spmd.h"

#include <ATen/Functions.h>
#include <algorithm>
#include <cstring>

namespace pipescope::bench {

namespace {

constexpr int Ranks = 2;
constexpr int Repeats = 15;

using RankWork = std::function<Status(const dtensor::RankContext &)>;

Status barrier(const dtensor::RankContext &self)
{
    if (auto done = self.run(self.everyone(), dtensor::barrier()); !done)
        return done.error();
    return Success{};
}

/// Seconds until the work is done on all ranks, which begin it together; seen by rank 0.
Result<double> seconds(const dtensor::RankContext &self, const RankWork &work)
{
    if (auto ok = barrier(self); !ok)
        return ok.error();
    const auto begin = std::chrono::steady_clock::now();
    if (auto ok = work(self); !ok)
        return ok.error();
    if (auto ok = barrier(self); !ok)
        return ok.error();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double median(std::vector<double> values)
{
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

/// The median of each work over the same number of rounds, in which they take turns.
Result<std::vector<double>> medians(const std::vector<RankWork> &works)
{
    std::vector<std::vector<double>> times(works.size());
    const Status status = dtensor::runSpmd(Ranks, [&](const dtensor::RankContext &self) -> Status {
        for (int round = 0; round <= Repeats; ++round) {
            for (std::size_t i = 0; i < works.size(); ++i) {
                const auto time = seconds(self, works[i]);
                if (!time)
                    return time.error();
                if (self.rank.value == 0 && round > 0) // the first one warms up
                    times[i].push_back(*time);
            }
        }
        return Success{};
    });
    if (!status)
        return status.error();
    std::vector<double> result;
    for (std::vector<double> &values : times)
        result.push_back(median(std::move(values)));
    return result;
}

Status done(const Result<at::Tensor> &result)
{
    return result ? Status(Success{}) : Status(result.error());
}

/// Seconds of a memcpy, an all-reduce and an all-gather whose result has so many MiB on each of two ranks.
Result<std::vector<double>> timesOf(std::int64_t mebibytes)
{
    const std::int64_t bytes = mebibytes << 20;
    const auto numel = bytes / static_cast<std::int64_t>(sizeof(float));
    std::vector<at::Tensor> whole;
    std::vector<at::Tensor> half;
    for (int rank = 0; rank < Ranks; ++rank) {
        whole.push_back(at::ones({numel}));
        half.push_back(at::ones({numel / Ranks}));
    }
    return medians({
        [&](const dtensor::RankContext &self) -> Status {
            const at::Tensor to = at::empty({numel});
            std::memcpy(to.mutable_data_ptr(), whole[self.rank.index()].const_data_ptr(),
                        static_cast<std::size_t>(bytes));
            return Success{};
        },
        [&](const dtensor::RankContext &self) {
            return done(self.run(self.everyone(), dtensor::allReduce(whole[self.rank.index()], shard::ReduceOp::Sum)));
        },
        [&](const dtensor::RankContext &self) {
            return done(self.run(self.everyone(), dtensor::allGather(half[self.rank.index()], 0)));
        },
    });
}

} // namespace

// An all-reduce among two ranks has to bring half of each one's tensor to the other and half of the result back, and an
// all-gather half of the result: each rank reads and writes as much as a memcpy of the result does. Results are new
// memory, and so is where the memcpy goes: for 64 MiB the system's, page by page, for 16 MiB what LibTorch's allocator
// has kept.
Result<std::vector<Row>> collectives()
{
    constexpr double Limit = 1.3;
    const auto large = timesOf(64);
    if (!large)
        return large.error();
    const auto kept = timesOf(16);
    if (!kept)
        return kept.error();
    const std::vector<double> &of64 = *large;
    const std::vector<double> &of16 = *kept;
    return std::vector<Row>{
        rowBeside("memcpy of 64 MiB on each of 2 ranks at once", of64[0] * 1e3, "ms", "into new memory"),
        rowAtMost("all-reduce of 64 MiB on 2 ranks over that memcpy", of64[1] / of64[0], "ratio", Limit),
        rowAtMost("all-gather of 64 MiB on 2 ranks over that memcpy", of64[2] / of64[0], "ratio", Limit,
                  "64 MiB is the result"),
        rowBeside("memcpy of 16 MiB on each of 2 ranks at once", of16[0] * 1e3, "ms", "into kept memory"),
        rowBeside("all-reduce of 16 MiB on 2 ranks over that memcpy", of16[1] / of16[0], "ratio"),
        rowBeside("all-gather of 16 MiB on 2 ranks over that memcpy", of16[2] / of16[0], "ratio",
                  "16 MiB is the result"),
    };
}

} // namespace pipescope::bench
