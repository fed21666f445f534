// Random graph texts for property tests: nested and repeated module calls, skips, views, in-place writes, attributes
// that carry state, markers. The same seed gives the same text on every machine.
#pragma once

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace pipescope::tests {

class RandomGraph
{
public:
    explicit RandomGraph(unsigned seed)
        : m_random(seed)
    {
    }

    /// `lists` are arguments too.
    std::string text(const std::vector<std::string> &lists = {})
    {
        m_text = "in x\nin y\nparam w0 top.w0 8\nparam w1 top.w1 16\nbuffer b0 top.b0 4\nconst c0\n";
        m_names = {"x", "y", "w0", "w1", "b0", "c0"};
        for (const std::string &list : lists) {
            m_text += "in " + list + " : List[Tensor]\n";
            m_names.push_back(list);
        }
        m_lists = lists;
        const int nodes = 2 + below(30);
        while (m_made < nodes)
            block("", 0);
        m_text += "return " + m_names.back() + "\n";
        return m_text;
    }

private:
    int below(int bound) { return static_cast<int>(m_random() % static_cast<unsigned>(bound)); }
    bool chance(int percent) { return below(100) < percent; }

    void block(const std::string &prefix, int depth)
    {
        if (depth < 3 && chance(45)) {
            const std::string fqn =
                (prefix.empty() ? "" : prefix + ".") + "m" + std::to_string(below(prefix.empty() ? 6 : 3));
            m_text += "call " + fqn + "\n";
            for (int i = below(4); i > 0; --i)
                block(fqn, depth + 1);
            m_text += "end\n";
            return;
        }
        if (chance(5))
            m_text += "marker\n";
        node();
    }

    void node()
    {
        const std::string result = "v" + std::to_string(m_made++);
        const std::string operand = recent();
        const std::string second = chance(40) ? recent() : "";
        const bool list = std::find(m_lists.begin(), m_lists.end(), operand) != m_lists.end();
        const bool writes = chance(list ? 40 : 8);
        std::string line = result + (writes || chance(15) ? "~" + operand : "");
        if (!second.empty() && chance(15)) // as a list that holds both
            line += "~" + second;
        if (chance(list ? 40 : 10)) {
            line += " : List[Tensor]";
            m_lists.push_back(result);
        }
        line += std::string(" = ") + (writes ? list && chance(70) ? "aten::append &" : "aten::relu_ !" : "aten::op ") +
                operand + " " + second;
        if (chance(5))
            line += chance(50) ? " +s" : " -s";
        m_text += line + "\n";
        m_names.push_back(result);
    }

    const std::string &recent()
    {
        const int count = static_cast<int>(m_names.size());
        const int from = chance(70) ? std::max(0, count - 4) : 0;
        return m_names[static_cast<std::size_t>(from + below(count - from))];
    }

    std::mt19937 m_random;
    std::string m_text;
    std::vector<std::string> m_names;
    std::vector<std::string> m_lists; // among them
    int m_made = 0;
};

inline std::string randomGraphText(unsigned seed)
{
    return RandomGraph(seed).text();
}

} // namespace pipescope::tests
