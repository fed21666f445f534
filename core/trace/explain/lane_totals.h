// Sums over a stretch of a lane's time. Blocks of slices are summed ahead, so that a stretch of a long lane is asked as
// quickly as one of a short lane.
#pragma once

#include "trace/explain/slice.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace pipescope::trace {

/// The uses of a rank's time.
enum class Use : std::uint8_t {
    Forward,
    Backward,
    InputGradient,
    WeightGradient,
    Send,
    Receive,
    Fill,       ///< bubbles before the rank's first compute
    Drain,      ///< after its last
    Input,      ///< waiting for what another stage makes
    Credit,     ///< for microbatches under way to end
    Device,     ///< for a device that another rank held
    NotRunning, ///< waiting for nothing: the rank's thread had not started or woken yet
    Runtime     ///< between two actions
};
inline constexpr std::size_t UseCount = 13;

[[nodiscard]] Use useOf(schedule::ActionKind compute);
[[nodiscard]] Use useOf(const Slice &slice);
[[nodiscard]] Use useOf(BubbleCause cause);

struct Totals
{
    std::array<double, UseCount> ns{};
    std::int64_t actions = 0; ///< computes that touch the stretch
    std::int64_t sends = 0;   ///< that touch the stretch
    std::int64_t receives = 0;
    double sentBytes = 0; ///< of those sends as a whole
    double receivedBytes = 0;

    [[nodiscard]] double nsOf(Use use) const { return ns[static_cast<std::size_t>(use)]; }
    void add(const Totals &other);
};

class LaneTotals
{
public:
    LaneTotals() = default;
    /// All by begin.
    LaneTotals(std::span<const Slice> slices, std::span<const Bubble> bubbles, const Trace &trace);

    /// Of the same slices and bubbles as were given before. An end counts as outside, so that neighbours have nothing
    /// in common.
    [[nodiscard]] Totals in(TimeRange span, std::span<const Slice> slices, std::span<const Bubble> bubbles,
                            const Trace &trace) const;

private:
    struct Block
    {
        std::int64_t beginNs = 0;
        std::int64_t endNs = 0; // the last
        Totals totals;
    };
    static constexpr std::size_t BlockSize = 256;

    static std::vector<Block> blocksOf(const auto &items, const auto &addWhole);
    static void addBlocks(const std::vector<Block> &blocks, TimeRange span, Totals &totals, const auto &addItem);

    std::vector<Block> m_slices;
    std::vector<Block> m_bubbles;
};

} // namespace pipescope::trace
