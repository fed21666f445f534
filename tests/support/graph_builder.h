// clang-format off
// Graphs for tests, written as text, without torch. One statement a line, `#` starts a comment:
//
//   in x                      an argument; "in x : Future[Tensor]" with a type (Tensor when left out)
//   param w layers.0.weight 64    local name, FQN and bytes; likewise `buffer`, "attr s state : List[Tensor]", "const c",
//                             "const d : int = -1" (none, true, 2, 0.5, "text", [1,2]: no blanks), "const e e 64" (bytes)
//   tied w head.weight        one more FQN of w's tensor
//   unused aux.weight 8       a parameter no node uses
//   call layers.0 ... end     the nodes between are that module's
//   y = aten::sum.dim_IntList x d    a node with its overload
//   y = aten::linear x w      a node; "a, b = aten::chunk x", "aten::print x" without results, "y : int = aten::size x"
//   y~x = aten::relu_ !x      y may share memory with x, and x is written in place
//   aten::append &l x         the list l gets an item: written in place, but none of its tensors is
//   y = aten::add x +s -s @0.5 %100 *64    reads (+) and assigns (-) the attribute s; seconds, FLOPs, bytes of results
//   y = prim::If c x { ... }  a node with others inside (closing brace on its own line)
//   marker name
//   return y
//
// Types that begin with Future, __torch__ or Generator do not cross. Mistakes in the text abort the test.
// clang-format on
#pragma once

#include "graph/model_graph.h"
#include "support/literal_text.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace pipescope::tests {

class GraphBuilder
{
public:
    static graph::ModelGraph build(const std::string &text)
    {
        GraphBuilder builder;
        std::istringstream lines(text);
        for (std::string line; std::getline(lines, line);)
            builder.statement(line);
        builder.require(builder.m_open.empty(), "an unclosed call or brace", text);
        builder.finish();
        return std::move(builder.m_graph);
    }

private:
    using Words = std::vector<std::string>;

    // A call or a node whose statements are being read.
    struct Open
    {
        NodeId node; // invalid for a call
        std::size_t call = 0;
        std::string fqn; // of the call
    };

    static void require(bool condition, const std::string &what, const std::string &where)
    {
        if (condition)
            return;
        std::fprintf(stderr, "graph text: %s: %s\n", what.c_str(), where.c_str());
        std::abort();
    }

    void statement(const std::string &line)
    {
        std::istringstream in(line.substr(0, line.find('#')));
        Words words;
        for (std::string word; in >> word;)
            words.push_back(word);
        if (words.empty())
            return;
        const std::string &first = words[0];
        if (first == "in")
            argument(words);
        else if (first == "param" || first == "buffer" || first == "attr" || first == "const")
            held(words);
        else if (first == "tied")
            m_graph.parameters.push_back({words.at(2), valueOf(words.at(1)), false, {}, m_firstName.at(words.at(1))});
        else if (first == "unused")
            m_graph.parameters.push_back({words.at(1), {}, false, {"float32", {}, std::stoll(words.at(2)), true}, {}});
        else if (first == "call")
            beginCall(words.at(1));
        else if (first == "end" || first == "}")
            close(line);
        else if (first == "marker")
            m_graph.markers.push_back({m_graph.size(), words.size() > 1 ? words[1] : "", inside()});
        else if (first == "return")
            std::for_each(words.begin() + 1, words.end(),
                          [this](const auto &word) { m_graph.outputs.push_back(valueOf(word)); });
        else
            node(words);
    }

    void argument(const Words &words)
    {
        const ValueId id = value(words.at(1), words[1], graph::ValueKind::Input, typeAfterColon(words));
        m_graph.arguments.push_back({words[1], m_graph.value(id).type, id, false, {}});
    }

    void held(const Words &words)
    {
        using graph::ValueKind;
        const std::map<std::string, ValueKind> kinds{{"param", ValueKind::Parameter},
                                                     {"buffer", ValueKind::Buffer},
                                                     {"attr", ValueKind::Attribute},
                                                     {"const", ValueKind::Constant}};
        const std::string fqn = words.size() > 2 && words[2] != ":" && words[2] != "=" ? words[2] : words.at(1);
        const ValueId id = value(words[1], fqn, kinds.at(words[0]), typeAfterColon(words));
        if (const auto equals = std::find(words.begin(), words.end(), "="); equals != words.end())
            m_graph.values[id.index()].literal = literalFromText(*(equals + 1));
        const bool hasBytes = words.size() > 3 && words[2] == fqn && std::isdigit(words[3].front()) != 0;
        const std::int64_t bytes = hasBytes ? std::stoll(words[3]) : 0;
        if (words[0] == "const" && bytes > 0) {
            m_graph.values[id.index()].tensor = graph::TensorMeta{"float32", {bytes / 4}, bytes, false};
            m_graph.values[id.index()].bytes = bytes;
        }
        if (words[0] != "param" && words[0] != "buffer")
            return;
        m_firstName[words[1]] = fqn;
        m_graph.parameters.push_back({fqn, id, words[0] == "buffer", {"float32", {bytes / 4}, bytes, false}, {}});
    }

    void beginCall(const std::string &fqn)
    {
        m_open.push_back({{}, m_graph.calls.size(), fqn});
        m_graph.calls.push_back({fqn, m_callCount[fqn]++, m_graph.size(), m_graph.size(), inside()});
    }

    void close(const std::string &line)
    {
        require(!m_open.empty(), "nothing to close", line);
        if (!m_open.back().node.valid())
            m_graph.calls[m_open.back().call].end = m_graph.size();
        m_open.pop_back();
    }

    void node(const Words &words)
    {
        const auto equals = std::find(words.begin(), words.end(), "=");
        const auto op = equals == words.end() ? words.begin() : equals + 1;
        graph::Node made;
        made.id = NodeId{static_cast<int>(m_graph.nodes.size())};
        const std::size_t dot = op->find('.', op->find("::") == std::string::npos ? op->size() : op->find("::"));
        made.op = op->substr(0, dot);
        made.overload = dot == std::string::npos ? "" : op->substr(dot + 1);
        made.fqn = currentFqn();
        made.className = made.fqn.empty() ? m_graph.modelClass : "Module";
        made.parent = inside();
        const std::string base = made.fqn + "/" + made.op;
        const int ordinal = m_nameCount[base]++;
        made.name = ordinal == 0 ? base : base + "#" + std::to_string(ordinal);
        const bool hasBlock = words.back() == "{";
        std::int64_t bytes = -1;
        for (auto word = op + 1; word != words.end() - (hasBlock ? 1 : 0); ++word)
            operand(*word, made, bytes);
        if (equals != words.end())
            results(Words(words.begin(), equals), made, bytes);
        if (made.parent.valid())
            m_graph.nodes[made.parent.index()].children.push_back(made.id);
        else
            m_graph.order.push_back(made.id);
        if (hasBlock)
            m_open.push_back({made.id, 0, {}});
        m_graph.nodes.push_back(std::move(made));
    }

    void operand(const std::string &word, graph::Node &made, std::int64_t &bytes)
    {
        const std::string rest = word.substr(1);
        switch (word[0]) {
        case '+':
            made.stateRead.push_back(rest);
            return;
        case '-':
            made.stateWritten.push_back(rest);
            return;
        case '@':
            made.seconds = std::stod(rest);
            return;
        case '%':
            made.flops = std::stod(rest);
            return;
        case '*':
            bytes = std::stoll(rest);
            return;
        case '&':
            made.containerWrites.push_back(valueOf(rest));
            made.writes.push_back(valueOf(rest));
            return use(valueOf(rest), made);
        case '!':
            made.writes.push_back(valueOf(rest));
            return use(valueOf(rest), made);
        default:
            use(valueOf(word), made);
        }
    }

    // What stands behind the condition of an if is used by its blocks only.
    static void use(ValueId value, graph::Node &made)
    {
        if (made.op != "prim::If" || made.operands.empty())
            made.operands.push_back(value);
        if (std::find(made.uses.begin(), made.uses.end(), value) == made.uses.end())
            made.uses.push_back(value);
    }

    void results(const Words &words, graph::Node &made, std::int64_t bytes)
    {
        const std::string type = typeAfterColon(words);
        for (std::string word : words) {
            if (word == ":")
                break;
            if (word.back() == ',')
                word.pop_back();
            const std::size_t tilde = word.find('~');
            const int index = static_cast<int>(made.outputs.size());
            const ValueId id = value(word.substr(0, tilde), made.name + ":" + std::to_string(index),
                                     inside().valid() ? graph::ValueKind::Inner : graph::ValueKind::Result, type);
            graph::Value &added = m_graph.values[id.index()];
            added.producer = made.id;
            added.outputIndex = index;
            if (bytes >= 0)
                added.bytes = bytes;
            made.outputs.push_back(id);
            for (std::size_t at = tilde; at != std::string::npos;) {
                const std::size_t following = word.find('~', at + 1);
                made.aliases.push_back({id, valueOf(word.substr(at + 1, following - at - 1))});
                at = following;
            }
        }
    }

    ValueId value(const std::string &local, const std::string &name, graph::ValueKind kind, const std::string &type)
    {
        graph::Value added;
        added.id = ValueId{static_cast<int>(m_graph.values.size())};
        added.kind = kind;
        added.name = name;
        added.type = type;
        added.holdsTensors = type.find("Tensor") != std::string::npos;
        for (const std::string_view refused : {"Future", "__torch__", "Generator"}) {
            if (std::string_view(type).starts_with(refused))
                added.crossing = graph::Crossing::Refused;
        }
        m_values[local] = added.id;
        m_graph.values.push_back(added);
        return added.id;
    }

    ValueId valueOf(const std::string &local) const
    {
        const auto found = m_values.find(local);
        require(found != m_values.end(), "no value of this name", local);
        return found->second;
    }

    static std::string typeAfterColon(const Words &words)
    {
        const auto colon = std::find(words.begin(), words.end(), ":");
        return colon == words.end() ? "Tensor" : *(colon + 1);
    }

    NodeId inside() const
    {
        const auto found =
            std::find_if(m_open.rbegin(), m_open.rend(), [](const Open &open) { return open.node.valid(); });
        return found == m_open.rend() ? NodeId{} : found->node;
    }

    std::string currentFqn() const
    {
        const auto found =
            std::find_if(m_open.rbegin(), m_open.rend(), [](const Open &open) { return !open.fqn.empty(); });
        return found == m_open.rend() ? std::string() : found->fqn;
    }

    void finish()
    {
        std::set<std::string> fqns{""};
        const auto addWithParents = [&](std::string fqn) {
            for (; !fqn.empty(); fqn = fqn.substr(0, fqn.rfind('.') == std::string::npos ? 0 : fqn.rfind('.')))
                fqns.insert(fqn);
        };
        for (const graph::ModuleCall &call : m_graph.calls)
            addWithParents(call.fqn);
        for (const graph::Parameter &parameter : m_graph.parameters) {
            if (const std::size_t dot = parameter.fqn.rfind('.'); dot != std::string::npos)
                addWithParents(parameter.fqn.substr(0, dot));
        }
        for (const std::string &fqn : fqns)
            m_graph.modules.push_back({fqn, fqn.empty() ? m_graph.modelClass : "Module", 0, 0, 0});
    }

    graph::ModelGraph m_graph{"Model", "forward", {}, {}, {}, {}, {}, {}, {}, {}, {}};
    std::map<std::string, ValueId> m_values;        // by local name
    std::map<std::string, std::string> m_firstName; // FQN by local name
    std::map<std::string, int> m_callCount;
    std::map<std::string, int> m_nameCount;
    std::vector<Open> m_open;
};

inline graph::ModelGraph graphFromText(const std::string &text)
{
    return GraphBuilder::build(text);
}

/// The names of values, joined with blanks: what a test compares.
inline std::string namesOf(const graph::ModelGraph &graph, const std::vector<ValueId> &values)
{
    std::string text;
    for (const ValueId id : values)
        text += (text.empty() ? "" : " ") + graph.value(id).name;
    return text;
}

} // namespace pipescope::tests
