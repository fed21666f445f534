// Programs made at random from statements that share, hand on and write memory, run at every cut that is called legal.
#include "every_cut.h"
#include "support/test_program.h"

#include <random>

using namespace pipescope;
using namespace pipescope::exec;
using namespace pipescope::test;

namespace {

constexpr int Programs = 40;
constexpr int Statements = 12;

// What is run aside: one looks, one writes what it is given, one a constant of the code, one assigns.
constexpr const char *Aside = R"(
def looks(self, y: Tensor) -> Tensor:
    return y.sin() + self.b

def writes(self, y: Tensor) -> Tensor:
    y.add_(0.5)
    return y[0:2]

def counts(self, y: Tensor) -> Tensor:
    k = self.k.add_(0.25)
    return y + k

def keeps(self, y: Tensor) -> Tensor:
    self.u = y * 0.5
    return self.u

)";

/// One program: TorchScript whose tensors all are [2, 3].
class ProgramText
{
public:
    explicit ProgramText(unsigned seed)
        : m_random(seed)
    {
        m_lines = std::string(Aside) +
                  "def forward(self, x: Tensor, xs: List[Tensor], data: Dict[str, Tensor]) -> Tensor:\n"
                  "    t0 = x * 2.0 + self.b\n    l0 = [x, t0]\n    d = {\"a\": t0}\n";
        m_tensors = {"x", "t0"};
        m_lists = {"l0"};
        m_takesContainers = seed % 3 == 0;
        if (m_takesContainers)
            m_lists.insert(m_lists.begin(), "xs");
        for (int i = 0; i < Statements; ++i)
            add();
        if (seed % 2 == 0)
            line(m_random() % 2 ? "self.kept = self.b.view([2, 3])" : "self.items.append(self.c[0:2])");
        m_lines += "    return ";
        for (int i = 0; i < 3; ++i)
            m_lines += tensor() + ".sin() + ";
        m_lines += "d[\"a\"] + self.b + self.kept + self.items[-1]\n";
    }

    [[nodiscard]] const std::string &text() const { return m_lines; }

private:
    void add()
    {
        switch (m_random() % 26) {
        case 0:
            return make(tensor() + " * 1.5");
        case 1:
        case 2:
            return make(tensor() + " + " + tensor());
        case 3:
            return make(tensor() + ".sin()");
        case 4:
            return make(tensor() + ".view([2, 3])");
        case 5:
            return make(tensor() + "[0:2]");
        case 6:
            return line(tensor() + ".add_(1.0)");
        case 7:
            return line(tensor() + ".mul_(" + tensor() + ".sin())");
        case 8:
            return line(tensor() + "[0:1].add_(0.5)");
        case 9:
            return makeList("[" + tensor() + ", " + tensor() + "]");
        case 10:
            return makeList(list() + " + " + list());
        case 11:
            return makeList("list(" + list() + ")");
        case 12:
            return line(list() + ".append(" + tensor() + ")");
        case 13:
            return line(list() + ".extend(" + list() + "[0:1])");
        case 14:
        case 15:
            return make(list() + "[" + (m_random() % 2 ? "0" : "-1") + "]");
        case 16:
            return m_random() % 2 ? line("d[\"a\"] = " + tensor()) : make("d[\"a\"]");
        case 17:
            return m_random() % 2 ? line("self.kept = " + tensor()) : make("self.kept");
        case 18:
            return m_random() % 2 ? line("self.items.append(" + tensor() + ")") : make("self.items[-1]");
        case 19:
            return make(m_random() % 2 ? "self.b" : "self.c");
        case 20:
            return line(m_random() % 2 ? "self.kept.add_(0.5)" : "self.items[-1].mul_(1.5)");
        case 21:
            return line("for item in " + list() + ":\n        item.add_(0.25)");
        case 22:
            return make("torch.wait(fork(self." + oneOf({"keeps", "counts", "writes", "looks", "looks"}) + ", " +
                        tensor() + "))");
        case 23:
            return m_random() % 2 ? line("self.u = " + tensor() + " * 2.0") : make("self.u");
        case 24:
            if (!m_takesContainers)
                return make("self.k + " + tensor());
            return m_random() % 2 ? line("data[\"a\"] = " + tensor()) : make("data[\"a\"]");
        default: {
            const std::string name = "t" + std::to_string(m_made++);
            line("if bool(" + tensor() + ".sum() > 0.0):\n        " + name + " = " + tensor() +
                 "\n    else:\n        " + name + " = " + tensor() + ".cos()");
            m_tensors.push_back(name);
        }
        }
    }

    void line(const std::string &text) { m_lines += "    " + text + "\n"; }

    void make(const std::string &text)
    {
        const std::string name = "t" + std::to_string(m_made++);
        line(name + " = " + text);
        m_tensors.push_back(name);
    }

    void makeList(const std::string &text)
    {
        const std::string name = "l" + std::to_string(m_made++);
        line(name + " = " + text);
        m_lists.push_back(name);
    }

    // Late ones rather than early ones, so that what is made is used.
    std::string oneOf(const std::vector<std::string> &names)
    {
        const std::size_t back = std::min<std::size_t>(m_random() % 6, m_random() % 6);
        return names[names.size() - 1 - std::min(back, names.size() - 1)];
    }
    std::string tensor() { return oneOf(m_tensors); }
    std::string list() { return oneOf(m_lists); }

    bool m_takesContainers = false; // its arguments are used that are lists and dicts

    std::mt19937 m_random;
    std::string m_lines;
    std::vector<std::string> m_tensors;
    std::vector<std::string> m_lists;
    int m_made = 1;
};

Module makeProgram(const std::string &code, unsigned seed)
{
    const at::Tensor b = wave({2, 3}, 0.3);
    const at::Tensor u = wave({2, 3}, 0.6);
    const at::Tensor k = wave({2, 3}, 0.8);
    Module module = makeModule("Program");
    module.register_buffer("b", b);
    module.register_buffer("c", b.view({2, 3}));
    module.register_buffer("kept", seed % 5 == 0 ? u : wave({2, 3}, 0.9));
    module.register_buffer("u", u);
    module.register_buffer("k", k);
    module.register_attribute("items", c10::ListType::ofTensors(), c10::List<at::Tensor>({b, wave({2, 3}, 0.2)}));
    module.define(code, std::make_shared<ForkResolver>());
    for (const char *method : {"counts", "forward"})
        withConstant(module, method, "k", k);
    return module;
}

Calls arguments()
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

class TestRandomPrograms : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whateverCutIsLegalTheStagesComputeWhatTheModelDoes()
    {
        const at::NoGradGuard plain;
        const torch::jit::GraphOptimizerEnabledGuard unoptimised(false);
        int cuts = 0;
        for (unsigned seed = 0; seed < Programs; ++seed) {
            const std::string code = ProgramText(seed).text();
            const Make make = [&] { return makeProgram(code, seed); };
            const auto model = imported(make());
            // Code that is run aside and assigns attributes of the module has no place in a saved stage.
            const bool savable = code.find("fork(self.keeps") == std::string::npos;
            const Values expected = expectedOutputs(make, arguments());
            std::vector<int> legal;
            for (int cut = 1; cut < model.graph.size(); ++cut)
                if (partition::makePartition(model.graph, {cut}))
                    legal.push_back(cut);
            std::vector<std::vector<int>> ways;
            for (std::size_t i = 0; i < legal.size(); ++i) {
                ways.push_back({legal[i]});
                if (i > 0)
                    ways.push_back({legal[i - 1], legal[i]});
            }
            for (const std::vector<int> &cut : ways)
                for (const auto &[way, run] : {Way{"stage by stage", stageByStage},
                                               Way{"the last stage first", lastStageFirst}, Way{"saved", savedChain}}) {
                    if (!savable && run == savedChain)
                        continue;
                    ++cuts;
                    const Values actual = run(make, arguments(), cut);
                    for (std::size_t m = 0; m < expected.size(); ++m)
                        QVERIFY2(same(actual[m], expected[m]),
                                 qPrintable(QString("program %1, %2, cut before %3 (%4), microbatch %5:\n%6")
                                                .arg(seed)
                                                .arg(way)
                                                .arg(cut.back())
                                                .arg(model.graph.at(cut.back()).name.c_str())
                                                .arg(m)
                                                .arg(code.c_str())));
                }
        }
        QVERIFY2(cuts > 200, QByteArray::number(cuts).constData());
    }
};

PIPESCOPE_TEST(TestRandomPrograms)
#include "tst_random_programs.moc"
