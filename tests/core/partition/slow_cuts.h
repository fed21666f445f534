// Which cuts are legal, worked out slowly: what the real answers are compared with on random graphs.
#pragma once

#include "partition/cut.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <vector>

namespace pipescope::tests {

using graph::ModelGraph;
using graph::Node;
using graph::Value;
using graph::ValueKind;
using partition::Cut;

/// The rules of cut.h, one cut and one write at a time, without any of the production code's sharing of work.
class SlowCuts
{
public:
    explicit SlowCuts(const ModelGraph &graph)
        : m_graph(graph)
    {
        std::vector<std::set<ValueId>> carried;
        std::vector<std::set<ValueId>> carriedLists;
        for (int i = 0; i < graph.size(); ++i) {
            if (!putsIntoState(i))
                continue;
            for (const graph::Alias &alias : graph.at(i).aliases) {
                carried.push_back(sharing(alias.input, i));
                carriedLists.push_back(sharing(alias.input, i, true));
                carriedLists.push_back(sharing(alias.output, i, true));
            }
        }
        m_carried = carried;
        m_carriedLists = carriedLists;
    }

    Cut at(int position) const
    {
        Cut cut{position, true, {}, crossing(position)};
        cut.legal = !writtenAfter(cut) && !stateOnBothSides(position) && !attributeOnBothSides(position);
        return cut;
    }

private:
    std::vector<ValueId> crossing(int position) const
    {
        std::vector<ValueId> result;
        for (const Value &value : m_graph.values) {
            if (value.kind == ValueKind::Result && positionOf(m_graph, value.producer) < position &&
                usedIn(value.id, position, m_graph.size()))
                result.push_back(value.id);
        }
        return result;
    }

    bool usedIn(ValueId value, int begin, int end) const
    {
        for (int i = begin; i < end; ++i) {
            const auto &inputs = m_graph.at(i).uses;
            if (std::find(inputs.begin(), inputs.end(), value) != inputs.end())
                return true;
        }
        return false;
    }

    bool isList(ValueId value) const { return m_graph.value(value).type == "List[Tensor]"; }

    bool putsIntoState(int position) const
    {
        const Node &node = m_graph.at(position);
        return !node.stateWritten.empty() || std::any_of(node.writes.begin(), node.writes.end(), [&](ValueId written) {
            const std::set<ValueId> shared = sharing(written, position, true);
            return isList(written) && std::any_of(shared.begin(), shared.end(), [&](ValueId id) {
                       const ValueKind kind = m_graph.value(id).kind;
                       return kind != ValueKind::Result && kind != ValueKind::Inner &&
                              (kind != ValueKind::Constant || m_graph.value(id).holdsTensors);
                   });
        });
    }

    // Everything that may share memory with a value when the node at `position` has run, or since the call before; or,
    // of lists, be the same one.
    std::set<ValueId> sharing(ValueId value, int position, bool asList = false) const
    {
        std::set<ValueId> found{value};
        for (std::size_t before = 0; before != found.size();) {
            before = found.size();
            for (const std::set<ValueId> &group : asList ? m_carriedLists : m_carried)
                if (std::any_of(group.begin(), group.end(), [&](ValueId id) { return found.contains(id); }))
                    found.insert(group.begin(), group.end());
            for (int i = 0; i <= position; ++i) {
                for (const graph::Alias &alias : m_graph.at(i).aliases) {
                    if (asList && !(isList(alias.input) && isList(alias.output)))
                        continue;
                    if (found.contains(alias.input))
                        found.insert(alias.output);
                    else if (found.contains(alias.output))
                        found.insert(alias.input);
                }
            }
        }
        return found;
    }

    bool writtenAfter(const Cut &cut) const
    {
        for (int i = cut.position; i < m_graph.size(); ++i) {
            for (const ValueId written : m_graph.at(i).writes) {
                const std::set<ValueId> shared =
                    sharing(written, i, m_graph.at(i).containerWrites == std::vector{written});
                if (std::any_of(cut.crossing.begin(), cut.crossing.end(),
                                [&](ValueId v) { return shared.contains(v); }))
                    return true;
            }
        }
        return false;
    }

    bool stateOnBothSides(int position) const
    {
        for (const Value &value : m_graph.values) {
            if (value.kind == ValueKind::Result || value.kind == ValueKind::Inner)
                continue;
            // Of what the model holds, only tensors are made up in these texts: an append changes none of them.
            bool written = false;
            bool before = false;
            bool after = false;
            for (int i = 0; i < m_graph.size(); ++i) {
                const std::set<ValueId> shared = sharing(value.id, i);
                const Node &node = m_graph.at(i);
                const auto isShared = [&](ValueId v) { return shared.contains(v); };
                written |=
                    node.containerWrites.empty() && std::any_of(node.writes.begin(), node.writes.end(), isShared);
                if (std::any_of(node.uses.begin(), node.uses.end(), isShared))
                    (i < position ? before : after) = true;
            }
            if (written && before && after)
                return true;
        }
        return false;
    }

    bool attributeOnBothSides(int position) const
    {
        bool written = false;
        bool before = false;
        bool after = false;
        for (int i = 0; i < m_graph.size(); ++i) {
            const Node &node = m_graph.at(i);
            written |= !node.stateWritten.empty();
            if (!node.stateRead.empty() || !node.stateWritten.empty())
                (i < position ? before : after) = true;
        }
        return written && before && after;
    }

    const ModelGraph &m_graph;
    std::vector<std::set<ValueId>> m_carried; // one memory when the next call begins; empty until known
    std::vector<std::set<ValueId>> m_carriedLists;
};

} // namespace pipescope::tests
