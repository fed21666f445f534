// What a split would do, before it is made: whether it can be there, what crosses, and how the stages balance with it.
// Plain values from a table made once for a model, fast enough to be asked at every move of the mouse.
#pragma once

#include "graph/model_graph.h"
#include "partition/split_point.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pipescope::session {

/// What stages are compared by: measured time; where nothing was profiled FLOPs; else bytes of parameters.
enum class CostKind { Time, Flops, Parameters };

struct Balance
{
    std::vector<double> costs; ///< by stage: seconds, FLOPs or bytes
    int slowest = -1;          ///< the stage of the largest cost; -1 where nothing costs anything
    double excess = 0;         ///< of that cost over the mean: 0.27 for 27 % more

    friend bool operator==(const Balance &, const Balance &) = default;
};

struct SplitPreview
{
    int position = -1;
    std::string id; ///< word of --split
    bool legal = false;
    std::string reason;                ///< why not, as a sentence; empty when legal
    bool there = false;                ///< the plan splits here already
    bool merges = false;               ///< the moved split would fall on another and be one with it
    std::vector<ValueId> crossing;     ///< at most MostCrossing of them
    int crossingCount = 0;             ///< of all
    std::optional<std::int64_t> bytes; ///< of all that crosses, with the profiled inputs; nullopt before profiling
    CostKind kind = CostKind::Parameters;
    Balance before;        ///< of the plan as it is
    Balance after;         ///< with the split; the same as `before` where it cannot be
    std::vector<int> cuts; ///< ascending positions with the split, likewise
    int stage = -1;        ///< that would begin here

    static constexpr std::size_t MostCrossing = 8;

    friend bool operator==(const SplitPreview &, const SplitPreview &) = default;
};

class SplitTable
{
public:
    using Points = std::vector<partition::SplitPoint>;

    /// Of no model: no place can be split.
    SplitTable() = default;
    /// `points` are partition::splitPoints() of the graph. Linear in both.
    SplitTable(std::shared_ptr<const graph::ModelGraph> graph, std::shared_ptr<const Points> points);

    [[nodiscard]] const graph::ModelGraph *graph() const { return m_graph.get(); }
    [[nodiscard]] CostKind costKind() const { return m_kind; }
    /// nullptr for a position where no cut is: 0, the end and beyond.
    [[nodiscard]] const partition::SplitPoint *at(int position) const;
    /// Of what crosses; nullopt before profiling.
    [[nodiscard]] std::optional<std::int64_t> bytesAt(int position) const;
    /// Of the stages that ascending cuts make.
    [[nodiscard]] Balance balance(const std::vector<int> &cuts) const;
    /// What the ascending `cuts` with one more at `position` give; with `moved`, one of the cuts, that one is taken
    /// away.
    [[nodiscard]] SplitPreview preview(const std::vector<int> &cuts, int position, std::optional<int> moved = {}) const;

private:
    // One use of a held tensor, as a stage holds it once for all its uses.
    struct Use
    {
        int position = 0;
        int before = -1; // position of the use of the same tensor before
        double bytes = 0;
    };

    bool sum(std::optional<double> graph::Node::*cost);
    void listUses();
    [[nodiscard]] double cost(int begin, int end) const;

    std::shared_ptr<const graph::ModelGraph> m_graph;
    std::shared_ptr<const Points> m_points;
    std::vector<std::optional<std::int64_t>> m_bytes; // by position - 1
    CostKind m_kind = CostKind::Parameters;
    std::vector<double> m_sums; // of the nodes before a position; empty when parameters are compared
    std::vector<Use> m_uses;    // by position
};

/// "12.9 ms", "1.90 G FLOPs", "9.5 MiB".
[[nodiscard]] std::string costText(CostKind kind, double cost);

/// What a part of the order is, in a few words: the first and last of the modules that lie wholly inside it,
/// "blocks.6–8" or "embed – blocks.2"; without any, of its nodes.
[[nodiscard]] std::string extentText(const graph::ModelGraph &graph, int begin, int end);

} // namespace pipescope::session
