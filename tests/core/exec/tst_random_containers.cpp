// Programs made at random that pass lists and dicts on, change them and give them second names, run at every cut that
// is called legal and at every two of these that follow each other.
#include "every_cut.h"
#include "support/test_program.h"

#include <random>

using namespace pipescope;
using namespace pipescope::exec;
using namespace pipescope::test;

namespace {

constexpr int ContainerPrograms = 12;
constexpr int Changes = 8;

/// One program: TorchScript whose tensors all are [2, 3].
class ContainerProgram
{
public:
    explicit ContainerProgram(unsigned seed)
        : m_random(seed)
    {
        line("t0 = x * 2.0");
        if (seed % 2 == 0)
            make("d", "{\"a\": t0}", m_dicts);
        if (seed % 3 == 0)
            make("l", "[t0]", m_lists);
        for (int i = 0; i < Changes; ++i)
            add();
        // What changed last is used once more, so that the change counts.
        line("s = " + oneOf(m_tensors) + " + len(" + oneOf(m_dicts) + ") * " + oneOf(m_lists) + "[-1]");
        const std::vector<std::string> returned{"s", "(s, data)", "(s, " + oneOf(m_dicts) + ", xs)",
                                                "(" + oneOf(m_lists) + ", " + oneOf(m_lists) + ", s)"};
        line("return " + oneOf(returned));
    }

    [[nodiscard]] std::string text() const
    {
        return "def forward(self, x: Tensor, xs: List[Tensor], data: Dict[str, Tensor]):\n" + m_lines;
    }

private:
    void add()
    {
        const std::string t = oneOf(m_tensors);
        const std::string d = oneOf(m_dicts);
        const std::string l = oneOf(m_lists);
        switch (m_random() % 20) {
        case 0:
            return make("t", t + ".sin()", m_tensors);
        case 1:
            return make("t", t + " + len(" + d + ")", m_tensors);
        case 2:
            return make("t", t + " * len(" + l + ")", m_tensors);
        case 3:
        case 4:
            return make("t", d + "[\"a\"] + 1.0", m_tensors);
        case 5:
            return make("t", l + "[-1] * 0.5", m_tensors);
        case 6:
        case 7:
        case 8:
            return line(d + "[\"" + oneOf({"a", "b", "c"}) + "\"] = " + t);
        case 9:
        case 10:
            return line(l + ".append(" + t + ")");
        case 11:
            return line(l + "[0] = " + t);
        case 12:
            return line(l + ".extend(" + oneOf(m_lists) + "[0:1])");
        case 13:
            return line(d + ".update(" + oneOf(m_dicts) + ")");
        case 14:
            return line("if bool(" + t + ".sum() > 0.0):\n        " + d + "[\"b\"] = " + t);
        case 15:
            return line("for i in range(2):\n        " + l + ".append(" + t + " + i)");
        case 16:
            return second("e", d, m_dicts, "{\"a\": " + oneOf({t, l + "[0]"}) + "}");
        case 17:
            return second("m", l, m_lists, "[" + oneOf({t, d + "[\"a\"]"}) + "]");
        case 18: {
            const std::string name = "n" + std::to_string(m_made++);
            line(name + " = {\"a\": " + l + "}");
            line(name + "[\"a\"].append(" + t + ")");
            return make("t", name + "[\"a\"][-1] * 2.0", m_tensors);
        }
        default:
            return make("t", d + ".values()[0] - " + d + "[\"a\"]", m_tensors);
        }
    }

    void line(const std::string &text) { m_lines += "    " + text + "\n"; }

    void make(const std::string &kind, const std::string &text, std::vector<std::string> &names)
    {
        names.push_back(kind + std::to_string(m_made++));
        line(names.back() + " = " + text);
    }

    // A name of what may be the one or another.
    void second(const std::string &kind, const std::string &first, std::vector<std::string> &names,
                const std::string &other)
    {
        const std::string condition = "bool(" + oneOf(m_tensors) + ".sum() > 0.5)";
        make(kind, first, names);
        line("if " + condition + ":\n        " + names.back() + " = " + other);
    }

    std::string oneOf(const std::vector<std::string> &names) { return names[m_random() % names.size()]; }

    std::mt19937 m_random;
    std::string m_lines;
    std::vector<std::string> m_tensors{"x", "t0"};
    std::vector<std::string> m_dicts{"data"};
    std::vector<std::string> m_lists{"xs"};
    int m_made = 1;
};

Calls withContainers()
{
    Calls calls = tensors();
    for (Values &call : calls) {
        const at::Tensor x = call[0].toTensor();
        c10::Dict<std::string, at::Tensor> data;
        data.insert("a", x + 2.0);
        call.emplace_back(c10::List<at::Tensor>({x + 1.0, x * 3.0}));
        call.emplace_back(data);
    }
    return calls;
}

} // namespace

class TestRandomContainers : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whateverCutIsLegalTheStagesPassOnWhatTheModelDoes()
    {
        const at::NoGradGuard plain;
        const torch::jit::GraphOptimizerEnabledGuard unoptimised(false);
        int between = 0; // cuts before a change of a list or dict that is there already
        for (unsigned seed = 0; seed < ContainerPrograms; ++seed) {
            const std::string code = ContainerProgram(seed).text();
            const Make make = [&] { return withCode(code); };
            const graph::ModelGraph graph = imported(make()).graph;
            const Values expected = expectedOutputs(make, withContainers());
            for (const std::vector<int> &cuts : waysToCut(graph)) {
                between += isChangedAfter(graph, cuts.front()) ? 1 : 0;
                for (const auto &[way, run] : {Way{"stage by stage", stageByStage},
                                               Way{"the last stage first", lastStageFirst}, Way{"saved", savedChain}}) {
                    const Values actual = run(make, withContainers(), cuts);
                    for (std::size_t m = 0; m < expected.size(); ++m)
                        QVERIFY2(same(actual[m], expected[m]),
                                 qPrintable(QString("program %1, %2, cut before %3 and %4, microbatch %5:\n%6%7")
                                                .arg(seed)
                                                .arg(way)
                                                .arg(cuts.front())
                                                .arg(cuts.back())
                                                .arg(m)
                                                .arg(code.c_str(), textOf(graph).constData())));
                }
            }
        }
        QVERIFY2(between > 20, QByteArray::number(between).constData());
    }

private:
    static std::vector<std::vector<int>> waysToCut(const graph::ModelGraph &graph)
    {
        std::vector<std::vector<int>> ways;
        int before = 0;
        for (const partition::Cut &cut : partition::allCuts(graph)) {
            if (!cut.legal)
                continue;
            ways.push_back({cut.position});
            if (before > 0)
                ways.push_back({before, cut.position});
            before = cut.position;
        }
        return ways;
    }

    static bool isChangedAfter(const graph::ModelGraph &graph, int cut)
    {
        for (int position = cut; position < graph.size(); ++position)
            for (const ValueId written : graph.at(position).containerWrites)
                if (graph::positionOf(graph, graph.value(written).producer) < cut)
                    return true;
        return false;
    }
};

PIPESCOPE_TEST(TestRandomContainers)
#include "tst_random_containers.moc"
