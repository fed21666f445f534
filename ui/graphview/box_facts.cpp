#include "graphview/box_facts.h"

#include "base/text.h"
#include "graph/held_tensors.h"

#include <array>

namespace pipescope::graphview {

namespace {

class Summing
{
public:
    explicit Summing(const graph::ModelGraph &graph)
        : m_graph(graph)
        , m_heldBytes(graph::heldBytes(graph))
        , m_seenBy(graph.values.size(), -1)
    {
    }

    BoxCosts sum(const Box &box)
    {
        ++m_box;
        BoxCosts costs;
        costs.seconds = 0;
        costs.memory = 0;
        const bool single = box.key.kind == BoxKind::Node || box.key.kind == BoxKind::Block;
        if (single) {
            add(m_graph.node(box.node), costs);
        } else {
            for (int position = box.begin; position < box.end; ++position)
                add(m_graph.at(position), costs);
        }
        if (!single && box.begin == box.end)
            costs.seconds = std::nullopt;
        return costs;
    }

private:
    void add(const graph::Node &node, BoxCosts &costs)
    {
        costs.seconds = costs.seconds && node.seconds ? std::optional(*costs.seconds + *node.seconds) : std::nullopt;
        for (const ValueId output : node.outputs) {
            const std::optional<std::int64_t> bytes = m_graph.value(output).bytes;
            costs.memory = costs.memory && bytes ? std::optional(*costs.memory + *bytes) : std::nullopt;
        }
        for (const ValueId input : node.uses) {
            if (m_heldBytes[input.index()] > 0 && m_seenBy[input.index()] != m_box) {
                m_seenBy[input.index()] = m_box;
                costs.parameters += m_heldBytes[input.index()];
            }
        }
    }

    const graph::ModelGraph &m_graph;
    std::vector<std::int64_t> m_heldBytes; // by value
    std::vector<int> m_seenBy;             // by value: the last box that counted it
    int m_box = 0;
};

} // namespace

const char *overlayName(Overlay overlay)
{
    constexpr std::array<const char *, OverlayCount> names{"Stage", "Time", "Memory", "Params"};
    return names[static_cast<std::size_t>(overlay)];
}

std::vector<BoxCosts> costsOf(const graph::ModelGraph &graph, const BoxTree &tree)
{
    Summing summing(graph);
    std::vector<BoxCosts> costs;
    costs.reserve(tree.boxes.size());
    for (const Box &box : tree.boxes)
        costs.push_back(summing.sum(box));
    return costs;
}

std::vector<StageSpan> stagesOf(const graph::ModelGraph &graph, const BoxTree &tree,
                                const std::vector<StageId> &stageOf)
{
    std::vector<StageSpan> spans(tree.boxes.size());
    if (stageOf.size() != graph.order.size())
        return spans;
    for (std::size_t i = 0; i < spans.size(); ++i) {
        const Box &box = tree.boxes[i];
        if (box.begin < box.end)
            spans[i] = {stageOf[static_cast<std::size_t>(box.begin)], stageOf[static_cast<std::size_t>(box.end - 1)]};
    }
    return spans;
}

std::optional<double> amount(const BoxCosts &costs, Overlay overlay)
{
    switch (overlay) {
    case Overlay::Time:
        return costs.seconds;
    case Overlay::Memory:
        return costs.memory ? std::optional(static_cast<double>(*costs.memory)) : std::nullopt;
    case Overlay::Parameters:
        return static_cast<double>(costs.parameters);
    default:
        return std::nullopt;
    }
}

std::string amountText(const BoxCosts &costs, Overlay overlay)
{
    switch (overlay) {
    case Overlay::Memory:
        return costs.memory ? formatBytes(*costs.memory) : std::string();
    case Overlay::Parameters:
        return costs.parameters > 0 ? formatBytes(costs.parameters) : std::string();
    default:
        return costs.seconds ? formatSeconds(*costs.seconds) : std::string();
    }
}

} // namespace pipescope::graphview
