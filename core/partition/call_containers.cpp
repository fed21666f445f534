#include "partition/call_containers.h"

#include "partition/value_span.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace pipescope::partition {

namespace {

using graph::ModelGraph;

bool isList(std::string_view type)
{
    return type.starts_with("List[");
}

bool isDict(std::string_view type)
{
    return type.starts_with("Dict[");
}

// Named tuples and classes are not among them: what they hold, their names do not say.
bool holdsNoContainer(std::string_view word)
{
    constexpr std::array Known{"Tensor", "int",  "float",    "complex",  "bool",  "str",  "number",
                               "Device", "None", "NoneType", "Optional", "Tuple", "Union"};
    return std::find(Known.begin(), Known.end(), word) != Known.end();
}

class BanFinder
{
public:
    explicit BanFinder(const ModelGraph &graph)
        : m_graph(graph)
        , m_spans(valueSpans(graph))
        , m_returned(graph.values.size())
    {
        for (const ValueId output : graph.outputs)
            m_returned[output.index()] = true;
        for (int position = 0; position < graph.size(); ++position)
            for (const graph::Alias &alias : graph.at(position).aliases)
                for (const auto &[whole, part] : {std::pair(alias.output, alias.input), {alias.input, alias.output}})
                    if (m_returned[whole.index()] && lastUse(whole) < 0 && made(whole) == position)
                        m_returnedIn[part].push_back(whole);
    }

    std::vector<ContainerBan> run(const std::vector<CallContainer> &containers)
    {
        for (const CallContainer &container : containers) {
            std::vector<ValueId> values = container.values;
            std::stable_sort(values.begin(), values.end(), [this](ValueId a, ValueId b) { return made(a) < made(b); });
            banSecondNames(container, values);
            banCrossings(container, values);
            banReturned(container, values);
        }
        return std::move(m_bans);
    }

private:
    [[nodiscard]] int made(ValueId value) const { return m_spans[value.index()].made; }
    [[nodiscard]] int lastUse(ValueId value) const { return m_spans[value.index()].lastUse; }

    void ban(int first, int last, ContainerBan::Why why, int writer, ValueId value, ValueId other = {},
             NodeId user = {})
    {
        if (first <= last)
            m_bans.push_back({first, last, why, m_graph.at(writer).id, value, other, user});
    }

    // A value that was there before a change comes from the stage that made it, unchanged.
    void banSecondNames(const CallContainer &container, const std::vector<ValueId> &byMade)
    {
        auto next = byMade.begin();
        ValueId latest; // of those made before the change, the one that is used last
        for (const int write : container.writes) {
            for (; next != byMade.end() && made(*next) < write; ++next)
                if (!latest.valid() || lastUse(*next) > lastUse(latest))
                    latest = *next;
            if (latest.valid() && lastUse(latest) > write)
                ban(write + 1, lastUse(latest), ContainerBan::Why::UsedBySecondName, write, latest, {},
                    m_graph.at(lastUse(latest)).id);
        }
    }

    // Before the last change, one flat list or dict can cross: two would be copied apart.
    void banCrossings(const CallContainer &container, const std::vector<ValueId> &byMade)
    {
        const int lastWrite = container.writes.back();
        ValueId longest; // of those so far, the one that is used last
        for (const ValueId value : byMade) {
            const int first = made(value) + 1;
            const int last = std::min(lastUse(value), lastWrite);
            if (!isFlatContainer(m_graph.value(value).type))
                ban(first, last, ContainerBan::Why::HoldsContainers, lastWrite, value);
            if (longest.valid())
                ban(first, std::min(last, lastUse(longest)), ContainerBan::Why::CrossesTwice, lastWrite, longest,
                    value);
            if (!longest.valid() || lastUse(value) > lastUse(longest))
                longest = value;
        }
    }

    // It comes from the stage that made it, or what holds it.
    void banReturned(const CallContainer &container, const std::vector<ValueId> &values)
    {
        const int lastWrite = container.writes.back();
        for (const ValueId value : values) {
            if (m_returned[value.index()])
                ban(made(value) + 1, lastWrite, ContainerBan::Why::Returned, lastWrite, value);
            if (const auto wholes = m_returnedIn.find(value); wholes != m_returnedIn.end())
                for (const ValueId whole : wholes->second)
                    ban(made(whole) + 1, lastWrite, ContainerBan::Why::Returned, lastWrite, whole);
        }
    }

    const ModelGraph &m_graph;
    std::vector<ValueSpan> m_spans;
    std::vector<bool> m_returned; // by value
    std::unordered_map<ValueId, std::vector<ValueId>>
        m_returnedIn; // what is nothing but returned, and may hold or be it
    std::vector<ContainerBan> m_bans;
};

} // namespace

bool mayBeContainer(const std::string &type)
{
    return type != "Tensor" && type != "Optional[Tensor]";
}

bool isFlatContainer(const std::string &type)
{
    if (!isList(type) && !isDict(type))
        return false;
    const auto isInWord = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.'; };
    for (auto begin = type.begin() + 5; begin != type.end();) {
        begin = std::find_if(begin, type.end(), isInWord);
        const auto end = std::find_if_not(begin, type.end(), isInWord);
        if (begin != end && !holdsNoContainer({begin, end}))
            return false;
        begin = end;
    }
    return true;
}

bool areListAndDict(const std::string &type, const std::string &other)
{
    return isList(type) != isList(other) && isFlatContainer(type) && isFlatContainer(other);
}

std::map<int, CallContainer> callContainers(const ModelGraph &graph, const std::vector<int> &containerOf,
                                            const std::function<bool(int)> &isKept)
{
    std::map<int, CallContainer> containers;
    std::vector<int> others;
    for (int position = 0; position < graph.size(); ++position) {
        const graph::Node &node = graph.at(position);
        for (const ValueId written : node.writes) {
            const auto &itemsOnly = node.containerWrites;
            const int container = containerOf[written.index()];
            if (std::find(itemsOnly.begin(), itemsOnly.end(), written) == itemsOnly.end())
                others.push_back(container);
            else if (auto &writes = containers[container].writes; writes.empty() || writes.back() != position)
                writes.push_back(position);
        }
    }
    if (containers.empty())
        return containers;
    for (const ValueId output : graph.outputs)
        if (graph.value(output).kind == graph::ValueKind::Input)
            others.push_back(containerOf[output.index()]);
    for (const graph::Value &value : graph.values) {
        const auto container = containers.find(containerOf[value.id.index()]);
        if (container == containers.end())
            continue;
        container->second.values.push_back(value.id);
        if (value.kind != graph::ValueKind::Input && value.kind != graph::ValueKind::Result)
            others.push_back(container->first);
    }
    for (const int other : others)
        containers.erase(other);
    std::erase_if(containers, [&](const auto &entry) { return isKept(entry.first); });
    return containers;
}

std::vector<ContainerBan> containerBans(const ModelGraph &graph, const std::vector<CallContainer> &containers)
{
    return containers.empty() ? std::vector<ContainerBan>() : BanFinder(graph).run(containers);
}

std::string reasonOf(const ContainerBan &ban, const ModelGraph &graph)
{
    const std::string writer = graph::describe(graph.node(ban.writer));
    const graph::Value &value = graph.value(ban.value);
    switch (ban.why) {
    case ContainerBan::Why::UsedBySecondName:
        return fmt::format("{} changes a list or dict before the cut that may be '{}', and {} after the cut takes '{}' "
                           "as it was made; both belong to one stage",
                           writer, value.name, graph::describe(graph.node(ban.user)), value.name);
    case ContainerBan::Why::CrossesTwice:
        return fmt::format("'{}' and '{}' may be one list or dict, both are used after the cut, and {} changes it "
                           "there; the stage after would have a copy of each",
                           value.name, graph.value(ban.other).name, writer);
    case ContainerBan::Why::HoldsContainers:
        return fmt::format("'{}' is used after the cut, where {} changes it or a list or dict that it may hold; a "
                           "stage can be given a list or dict to change, but none of type {}",
                           value.name, writer, value.type);
    case ContainerBan::Why::Returned:
        break;
    }
    return fmt::format("'{}' is made before the cut and returned, and {} after the cut may change it; both belong to "
                       "one stage",
                       value.name, writer);
}

} // namespace pipescope::partition
