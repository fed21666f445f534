#include "session/split_preview.h"

#include "base/text.h"
#include "graph/held_tensors.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>

namespace pipescope::session {

namespace {

std::vector<int> moved(std::vector<int> cuts, int to, std::optional<int> from)
{
    if (from)
        std::erase(cuts, *from);
    cuts.insert(std::upper_bound(cuts.begin(), cuts.end(), to), to);
    cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
    return cuts;
}

bool isNumber(std::string_view text)
{
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// "blocks.6" and "blocks.8" are "blocks.6-8".
std::string range(const std::string &first, const std::string &last)
{
    if (first == last)
        return first;
    const std::size_t number = first.rfind('.') + 1; // 0 without a dot
    const bool together = number > 0 && last.compare(0, number, first, 0, number) == 0;
    if (together && isNumber(std::string_view(first).substr(number)) && isNumber(std::string_view(last).substr(number)))
        return first + "–" + last.substr(number);
    return first + " – " + last;
}

} // namespace

SplitTable::SplitTable(std::shared_ptr<const graph::ModelGraph> graph, std::shared_ptr<const Points> points)
    : m_graph(std::move(graph))
    , m_points(std::move(points))
{
    for (const partition::SplitPoint &point : *m_points)
        m_bytes.push_back(partition::crossingBytes(*m_graph, point.cut));
    if (sum(&graph::Node::seconds)) {
        m_kind = CostKind::Time;
    } else if (sum(&graph::Node::flops)) {
        m_kind = CostKind::Flops;
    } else {
        m_sums.clear();
        listUses();
    }
}

// False where no node's cost is known.
bool SplitTable::sum(std::optional<double> graph::Node::*cost)
{
    bool known = false;
    m_sums.assign(1, 0);
    for (const NodeId id : m_graph->order) {
        const std::optional<double> &of = m_graph->node(id).*cost;
        known = known || of;
        m_sums.push_back(m_sums.back() + of.value_or(0));
    }
    return known;
}

void SplitTable::listUses()
{
    const std::vector<std::int64_t> bytes = graph::weightBytes(*m_graph);
    std::vector<int> last(m_graph->values.size(), -1);
    for (int position = 0; position < m_graph->size(); ++position) {
        for (const ValueId input : m_graph->at(position).uses) {
            int &before = last[input.index()];
            if (bytes[input.index()] > 0 && before != position) {
                m_uses.push_back({position, before, static_cast<double>(bytes[input.index()])});
                before = position;
            }
        }
    }
}

const partition::SplitPoint *SplitTable::at(int position) const
{
    return m_points && position > 0 && position <= static_cast<int>(m_points->size())
               ? &(*m_points)[static_cast<std::size_t>(position - 1)]
               : nullptr;
}

std::optional<std::int64_t> SplitTable::bytesAt(int position) const
{
    return at(position) ? m_bytes[static_cast<std::size_t>(position - 1)] : std::nullopt;
}

double SplitTable::cost(int begin, int end) const
{
    if (!m_sums.empty())
        return m_sums[static_cast<std::size_t>(end)] - m_sums[static_cast<std::size_t>(begin)];
    const auto before = [](const Use &use, int position) { return use.position < position; };
    const auto first = std::lower_bound(m_uses.begin(), m_uses.end(), begin, before);
    const auto last = std::lower_bound(first, m_uses.end(), end, before);
    return std::accumulate(first, last, 0.0,
                           [&](double all, const Use &use) { return use.before < begin ? all + use.bytes : all; });
}

Balance SplitTable::balance(const std::vector<int> &cuts) const
{
    Balance balance;
    if (!m_graph)
        return balance;
    int begin = 0;
    double total = 0;
    for (std::size_t i = 0; i <= cuts.size(); ++i) {
        const int end = i < cuts.size() ? cuts[i] : m_graph->size();
        balance.costs.push_back(cost(begin, end));
        total += balance.costs.back();
        begin = end;
    }
    if (total <= 0)
        return balance;
    const auto most = std::max_element(balance.costs.begin(), balance.costs.end());
    balance.slowest = static_cast<int>(most - balance.costs.begin());
    balance.excess = *most / (total / static_cast<double>(balance.costs.size())) - 1;
    return balance;
}

SplitPreview SplitTable::preview(const std::vector<int> &cuts, int position, std::optional<int> from) const
{
    SplitPreview preview;
    preview.position = position;
    preview.kind = m_kind;
    preview.cuts = cuts;
    preview.before = preview.after = balance(cuts);
    const partition::SplitPoint *point = at(position);
    if (!point) {
        preview.reason = "no stage would be left on one side";
        return preview;
    }
    preview.id = point->id;
    preview.legal = point->cut.legal;
    preview.reason = point->cut.reason;
    preview.there = std::binary_search(cuts.begin(), cuts.end(), position);
    preview.merges = preview.there && from && *from != position;
    preview.crossingCount = static_cast<int>(point->cut.crossing.size());
    const auto shown = std::min(SplitPreview::MostCrossing, point->cut.crossing.size());
    preview.crossing.assign(point->cut.crossing.begin(),
                            point->cut.crossing.begin() + static_cast<std::ptrdiff_t>(shown));
    preview.bytes = bytesAt(position);
    if (preview.legal) {
        preview.cuts = moved(cuts, position, from);
        preview.after = balance(preview.cuts);
    }
    const auto place = std::upper_bound(preview.cuts.begin(), preview.cuts.end(), position);
    preview.stage = static_cast<int>(place - preview.cuts.begin());
    return preview;
}

std::string costText(CostKind kind, double cost)
{
    switch (kind) {
    case CostKind::Time:
        return formatSeconds(cost);
    case CostKind::Flops:
        return formatCount(cost) + " FLOPs";
    default:
        return formatBytes(static_cast<std::int64_t>(cost));
    }
}

std::string extentText(const graph::ModelGraph &graph, int begin, int end)
{
    std::vector<std::string> modules;
    std::vector<std::string> nodes;
    std::size_t call = 0;
    for (int position = begin; position < end;) {
        // The outermost call that begins here and ends in time; calls are in the order they begin, the outer first.
        for (; call < graph.calls.size(); ++call) {
            const graph::ModuleCall &each = graph.calls[call];
            const bool wanted = each.begin >= position && !each.inside.valid() && each.begin < each.end;
            if (wanted && (each.begin > position || each.end <= end))
                break;
        }
        if (call < graph.calls.size() && graph.calls[call].begin == position) {
            modules.push_back(graph.calls[call].fqn);
            position = graph.calls[call].end;
        } else {
            const std::string &op = graph.at(position++).op;
            nodes.push_back(op.substr(op.rfind(':') + 1));
        }
    }
    const std::vector<std::string> &names = modules.empty() ? nodes : modules;
    return names.empty() ? std::string() : range(names.front(), names.back());
}

} // namespace pipescope::session
