// Which cuts are legal, worked out slowly: what the real answers are compared with on random graphs.
#pragma once

#include "partition/cut.h"

#include <algorithm>
#include <cstddef>
#include <map>
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
        for (const Node &node : graph.nodes)
            for (const ValueId list : node.containerWrites)
                m_listsOfTheCall[list] = listOfTheCall(list);
    }

    Cut at(int position) const
    {
        Cut cut{position, true, {}, crossing(position)};
        cut.legal = !writtenAfter(cut) && !stateOnBothSides(position) && !attributeOnBothSides(position) &&
                    !listInTwoStages(position);
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
                       return kind != ValueKind::Input && kind != ValueKind::Result && kind != ValueKind::Inner &&
                              (kind != ValueKind::Constant || m_graph.value(id).holdsTensors);
                   });
        });
    }

    int made(ValueId value) const { return positionOf(m_graph, m_graph.value(value).producer); } // -1 for arguments

    bool isReturned(ValueId value) const
    {
        return std::find(m_graph.outputs.begin(), m_graph.outputs.end(), value) != m_graph.outputs.end();
    }

    // By nodes; it may be returned.
    bool isUnused(ValueId value) const
    {
        return m_graph.value(value).kind == ValueKind::Result && !usedIn(value, 0, m_graph.size());
    }

    // Whether something that is nothing but returned, made before the position, may be or hold the list.
    bool isReturnedInOther(ValueId list, int position) const
    {
        for (int i = 0; i < position; ++i)
            for (const graph::Alias &alias : m_graph.at(i).aliases)
                if (alias.input == list && isReturned(alias.output) && isUnused(alias.output))
                    return true;
        return false;
    }

    static bool writesItemsOnly(const Node &node, ValueId written)
    {
        const auto &only = node.containerWrites;
        return std::find(only.begin(), only.end(), written) != only.end();
    }

    // All that may be the list by the end, where it belongs to one call and nodes do no more to it than put items in;
    // else nothing.
    std::set<ValueId> listOfTheCall(ValueId list) const
    {
        const std::set<ValueId> all = sharing(list, m_graph.size() - 1, true);
        for (const ValueId one : all) {
            const ValueKind kind = m_graph.value(one).kind;
            if ((kind != ValueKind::Input && kind != ValueKind::Result) ||
                (kind == ValueKind::Input && isReturned(one)))
                return {};
        }
        for (const Node &node : m_graph.nodes)
            for (const ValueId written : node.writes)
                if (all.contains(written) && !writesItemsOnly(node, written))
                    return {};
        return all;
    }

    // Whether a stage would miss what another one puts into a list.
    bool listInTwoStages(int position) const
    {
        for (int i = 0; i < m_graph.size(); ++i)
            for (const ValueId list : m_graph.at(i).containerWrites) {
                int crossing = 0;
                for (const ValueId one : m_listsOfTheCall.at(list)) {
                    const bool isUsed = usedIn(one, position, m_graph.size());
                    crossing += made(one) < position && isUsed ? 1 : 0;
                    if (i < position && made(one) < i && isUsed)
                        return true;
                    if (i >= position && made(one) < position && isReturned(one))
                        return true;
                    if (i >= position && isReturnedInOther(one, position))
                        return true;
                }
                if (i >= position && crossing > 1)
                    return true;
            }
        return false;
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
                    if (asList && (!(isList(alias.input) && isList(alias.output)) || isUnused(alias.input) ||
                                   isUnused(alias.output)))
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
                const bool itemsOnly = writesItemsOnly(m_graph.at(i), written);
                if (itemsOnly && !m_listsOfTheCall.at(written).empty())
                    continue;
                const std::set<ValueId> shared = sharing(written, i, itemsOnly);
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
            if (isOnBothSides(value.id, position, false) ||
                (isList(value.id) && listOfTheCall(value.id).empty() && isOnBothSides(value.id, position, true)))
                return true;
        }
        return false;
    }

    // Whether it is written, as a list or as what tensors share, and used on both sides.
    bool isOnBothSides(ValueId value, int position, bool asList) const
    {
        bool written = false;
        bool before = false;
        bool after = false;
        for (int i = 0; i < m_graph.size(); ++i) {
            const std::set<ValueId> shared = sharing(value, i, asList);
            const Node &node = m_graph.at(i);
            const auto isShared = [&](ValueId v) { return shared.contains(v); };
            written |= std::any_of(node.writes.begin(), node.writes.end(),
                                   [&](ValueId v) { return isShared(v) && writesItemsOnly(node, v) == asList; });
            if (std::any_of(node.uses.begin(), node.uses.end(), isShared))
                (i < position ? before : after) = true;
        }
        return written && before && after;
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
    std::map<ValueId, std::set<ValueId>> m_listsOfTheCall; // that are written
};

} // namespace pipescope::tests
