#include "exec/save_stage.h"
#include "partition/cut.h"
#include "partition/held_uses.h"

#include "base/file.h"
#include "exec_models.h"

#include "support/test_program.h"

#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <torch/csrc/jit/serialization/import.h>

using namespace pipescope;
using namespace pipescope::exec;
using namespace pipescope::test;
using nlohmann::json;

namespace {

// What a reader does: stages.json says what feeds what.
class Reader
{
public:
    explicit Reader(const std::filesystem::path &folder)
        : index(json::parse(*readFile(folder / "stages.json", 1 << 20)))
    {
        for (const json &stage : index["stages"])
            modules.push_back(torch::jit::load((folder / stage["file"].get<std::string>()).string(), at::kCPU));
    }

    Values run(const Values &arguments)
    {
        std::map<std::string, c10::IValue> values;
        for (std::size_t i = 0; i < arguments.size(); ++i)
            values[index["arguments"][i]["name"]] = arguments[i];
        for (std::size_t i = 0; i < modules.size(); ++i) {
            Values inputs;
            for (const std::string name : index["stages"][i]["inputs"])
                inputs.push_back(values.at(name));
            const c10::IValue out = modules[i].forward(inputs);
            std::size_t k = 0;
            for (const std::string name : index["stages"][i]["outputs"])
                values[name] = out.toTupleRef().elements().at(k++);
        }
        Values outputs;
        for (const std::string name : index["outputs"])
            outputs.push_back(values.at(name));
        return outputs;
    }

    json index;
    std::vector<Module> modules;
};

std::vector<std::string> parameterNames(const Module &module)
{
    std::vector<std::string> names;
    for (const auto &parameter : module.named_parameters())
        names.push_back(parameter.name);
    return names;
}

std::vector<SavedStage> save(const import::ImportedModel &model, const std::vector<int> &cuts,
                             const QTemporaryDir &folder)
{
    return must(saveStages(model, must(partition::makePartition(model.graph, cuts)), folder.path().toStdString()));
}

} // namespace

class TestSaveStage : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theReloadedChainIsTheModelForEveryCut()
    {
        Module module = chain();
        const auto model = imported(module);
        const at::Tensor x = wave({3, 4});
        const c10::IValue expected = module.forward({x});
        for (int cut = 1; cut < model.graph.size(); ++cut) {
            QTemporaryDir folder;
            save(model, {cut}, folder);
            QVERIFY(same(Reader(folder.path().toStdString()).run({x})[0], expected));
        }
    }

    void namesKindsAndGradientsAreKept()
    {
        Module module = makeModule("Kinds");
        Module block = makeModule("Block");
        block.register_parameter("frozen", wave({4}), false);
        block.register_buffer("mean", wave({4}, 0.1));
        block.register_attribute("training", c10::BoolType::get(), true);
        block.define("def forward(self, x: Tensor) -> Tensor:\n    return x * self.frozen + self.mean\n");
        Module blocks = makeModule("Sequential");
        blocks.register_module("0", linear(4, 4));
        blocks.register_module("1", block);
        module.register_module("blocks", blocks);
        blocks.define("def forward(self, x: Tensor) -> Tensor:\n    return getattr(self, \"1\").forward(getattr(self, "
                      "\"0\").forward(x))\n");
        module.define("def forward(self, x: Tensor) -> Tensor:\n    return self.blocks.forward(torch.relu(x))\n");
        const auto model = imported(module);
        QTemporaryDir folder;
        const auto saved = save(model, {positionNamed(model.graph, "blocks.1/aten::mul")}, folder);
        Reader reader(folder.path().toStdString());
        QCOMPARE(parameterNames(reader.modules[0]), (std::vector<std::string>{"blocks.0.weight", "blocks.0.bias"}));
        QCOMPARE(saved[0].parameters, (std::vector<std::string>{"blocks.0.bias", "blocks.0.weight"}));
        QCOMPARE(parameterNames(reader.modules[1]), (std::vector<std::string>{"blocks.1.frozen"}));
        const Module one = reader.modules[1].attr("blocks").toModule().attr("1").toModule();
        QVERIFY(one.type()->is_buffer(one.type()->getAttributeSlot("mean")));
        QVERIFY(!one.attr("frozen").toTensor().requires_grad());
        QVERIFY(one.attr("training").toBool());
        QVERIFY(!reader.modules[1].attr("training").toBool());
        QVERIFY(
            reader.modules[0].attr("blocks").toModule().attr("0").toModule().attr("weight").toTensor().requires_grad());
        const at::Tensor x = wave({2, 4});
        QVERIFY(same(reader.run({x})[0], module.forward({x})));
    }

    void namesMayHoldDotsSlashesAndCommas()
    {
        Module module = makeModule("Named");
        Module a = makeModule("A");
        a.register_parameter("w", wave({4}, 0.3), false);
        a.define("def forward(self, x: Tensor) -> Tensor:\n    return x * self.w\n");
        module.register_module("a", a);
        for (const char *name : {"up/0", "x,y", "lin:end", "0"})
            module.register_module(name, linear(4, 4));
        module.register_attribute("a.b.c", c10::TensorType::get(), wave({4}, 0.9));
        module.register_attribute("a.b.n", c10::TensorType::get(), wave({1}));
        module.define(R"(
def forward(self, x: Tensor) -> Tensor:
    h = getattr(self, "up/0").forward(x)
    h = getattr(self, "x,y").forward(h) + getattr(self, "a.b.c")
    h = getattr(self, "lin:end").forward(self.a.forward(h))
    return getattr(self, "0").forward(h) * getattr(self, "a.b.c")
)");
        const auto model = imported(module);
        const at::Tensor x = wave({3, 4});
        const c10::IValue expected = module.forward({x});
        for (int cut = 1; cut < model.graph.size(); ++cut) {
            QTemporaryDir folder;
            const auto saved = save(model, {cut}, folder);
            std::vector<std::string> names = saved[0].parameters;
            names.insert(names.end(), saved[1].parameters.begin(), saved[1].parameters.end());
            QVERIFY(std::count(names.begin(), names.end(), "a.b.c") >= 1);
            Reader reader(folder.path().toStdString());
            QVERIFY(same(reader.run({x})[0], expected));
            QVERIFY(reader.modules[1].attr("a.b.c").toTensor().equal(module.attr("a.b.c").toTensor()));
        }
    }

    void theIndexSaysWhatFeedsWhat()
    {
        const auto model = imported(chain());
        QTemporaryDir folder;
        const auto saved = save(model, {2, positionNamed(model.graph, "fc3/aten::linear")}, folder);
        QCOMPARE(saved.size(), std::size_t(3));
        QCOMPARE(saved[0].file, std::string("stage0.pt"));
        QCOMPARE(saved[0].inputs, std::vector<std::string>{"x"});
        QCOMPARE(saved[0].outputs, std::vector<std::string>{"aten::relu:0"});
        QCOMPARE(saved[2].inputs, (std::vector<std::string>{"aten::relu:0", "aten::relu#2:0"}));
        const json index = Reader(folder.path().toStdString()).index;
        QCOMPARE(index["format"].get<std::string>(), std::string("pipescope-stages"));
        QCOMPARE(index["outputs"].get<std::vector<std::string>>(), saved[2].outputs);
        QCOMPARE(index["arguments"][0]["type"].get<std::string>(), std::string("Tensor"));
        QVERIFY(index["arguments"][0]["default"].is_null());
    }

    void tiedNamesAreBothThere()
    {
        Module module = makeModule("Tied");
        Module first = linear(4, 4);
        Module second = linear(4, 4);
        second.setattr("weight", first.attr("weight"));
        module.register_module("a", first);
        module.register_module("b", second);
        module.define(
            "def forward(self, x: Tensor) -> Tensor:\n    return self.b.forward(torch.relu(self.a.forward(x)))\n");
        const auto model = imported(module);
        QTemporaryDir folder;
        save(model, {positionNamed(model.graph, "aten::relu")}, folder);
        Reader reader(folder.path().toStdString());
        QCOMPARE(parameterNames(reader.modules[0]), (std::vector<std::string>{"a.weight", "a.bias", "b.weight"}));
        QCOMPARE(parameterNames(reader.modules[1]), (std::vector<std::string>{"a.weight", "b.weight", "b.bias"}));
        const at::Tensor x = wave({2, 4});
        QVERIFY(same(reader.run({x})[0], module.forward({x})));
    }

    void whatNoStageUsesIsInNoFile()
    {
        Module module =
            layers("Unused", 2, 4, "def forward(self, x: Tensor) -> Tensor:\n    return self.fc0.forward(x).neg()\n");
        module.register_buffer("steps", at::zeros({1}));
        const auto model = imported(module);
        QTemporaryDir folder;
        const auto saved = save(model, {1}, folder);
        Reader reader(folder.path().toStdString());
        QCOMPARE(parameterNames(reader.modules[0]), (std::vector<std::string>{"fc0.weight", "fc0.bias"}));
        QVERIFY(parameterNames(reader.modules[1]).empty());
        for (const Module &stage : reader.modules)
            QVERIFY(!stage.hasattr("fc1") && !stage.hasattr("steps"));
        QCOMPARE(saved[0].parameters, (std::vector<std::string>{"fc0.bias", "fc0.weight"}));
        QCOMPARE(reader.index["left_out"].get<std::vector<std::string>>(),
                 (std::vector<std::string>{"steps", "fc1.weight", "fc1.bias"})); // in the model's order
        const at::Tensor x = wave({2, 4});
        QVERIFY(same(reader.run({x})[0], module.forward({x})));
    }

    void whatIsUsedThroughAListIsInTheStageOfTheList()
    {
        Module module = makeModule("Listed");
        const at::Tensor first = wave({4, 4});
        const at::Tensor second = wave({4, 4}, 0.3);
        module.register_parameter("a", first, false);
        module.register_parameter("b", second, false);
        module.register_parameter("c", wave({4, 4}, 0.1), false);
        module.register_attribute("both", c10::ListType::ofTensors(), c10::List<at::Tensor>({first, second}));
        module.define("def forward(self, x: Tensor) -> Tensor:\n    y = torch.relu(x)\n"
                      "    for w in self.both:\n        y = torch.mm(y, w)\n    return y\n");
        const auto model = imported(module);
        QTemporaryDir folder;
        const auto saved = save(model, {1}, folder);
        QVERIFY(saved[0].parameters.empty());
        QCOMPARE(saved[1].parameters, (std::vector<std::string>{"a", "b"}));
        QCOMPARE(partition::unusedTensors(model.graph).names, std::vector<std::string>{"c"});
    }

    void whatCodeThatRunsAsideMayUseIsNotCalledUnused()
    {
        Module module = makeModule("Forks");
        module.register_parameter("w", wave({4}), false);
        module.define("def aside(self, y: Tensor) -> Tensor:\n    return y * self.w\n\n"
                      "def forward(self, x: Tensor) -> Tensor:\n    return torch.wait(fork(self.aside, x))\n",
                      std::make_shared<ForkResolver>());
        QVERIFY(partition::unusedTensors(imported(module).graph).names.empty());
        Module nested = makeModule("ForksNested");
        nested.register_module("fc", linear(4, 4));
        nested.register_module("other", linear(4, 4));
        nested.define("def aside(self, y: Tensor) -> Tensor:\n    return self.fc.forward(y)\n\n"
                      "def forward(self, x: Tensor) -> Tensor:\n    return torch.wait(fork(self.aside, x))\n",
                      std::make_shared<ForkResolver>());
        for (const std::string &name : partition::unusedTensors(imported(nested).graph).names)
            QVERIFY2(name.starts_with("other."), name.c_str());
    }

    void aParameterThatIsReturnedIsInTheLastStage()
    {
        Module module = makeModule("Returns");
        module.register_module("fc0", linear(4, 4));
        module.register_parameter("scale", wave({4}), false);
        module.define("def forward(self, x: Tensor) -> Tuple[Tensor, Tensor]:\n"
                      "    return (torch.relu(self.fc0.forward(x)), self.scale)\n");
        const auto model = imported(module);
        QTemporaryDir folder;
        const auto saved = save(model, {1}, folder);
        QCOMPARE(saved[0].parameters, (std::vector<std::string>{"fc0.bias", "fc0.weight"}));
        QCOMPARE(saved[1].parameters, std::vector<std::string>{"scale"});
        Reader reader(folder.path().toStdString());
        QCOMPARE(parameterNames(reader.modules[1]), std::vector<std::string>{"scale"});
        const c10::IValue chained = reader.run({wave({2, 4})})[0];
        const c10::IValue whole = module.forward({wave({2, 4})});
        for (std::size_t i = 0; i < 2; ++i)
            QVERIFY(same(chained.toTupleRef().elements().at(i), whole.toTupleRef().elements().at(i)));
    }

    void unusedParametersThatAreKeptAreWhereTheyBelong()
    {
        Module module =
            layers("Unused", 2, 4, "def forward(self, x: Tensor) -> Tensor:\n    return self.fc0.forward(x).neg()\n");
        const auto model = imported(module);
        QTemporaryDir folder;
        auto partition = must(partition::makePartition(model.graph, {1}));
        partition::keepUnused(model.graph, partition);
        must(saveStages(model, partition, folder.path().toStdString()));
        Reader reader(folder.path().toStdString());
        QVERIFY(reader.index["left_out"].empty());
        std::vector<std::string> names = parameterNames(reader.modules[0]);
        for (const std::string &name : parameterNames(reader.modules[1]))
            names.push_back(name);
        std::sort(names.begin(), names.end());
        QCOMPARE(names, (std::vector<std::string>{"fc0.bias", "fc0.weight", "fc1.bias", "fc1.weight"}));
    }

    void stateGoesOnInTheSavedStage()
    {
        Module module = makeModule("Keeps");
        Module cell = makeModule("Cell");
        cell.register_attribute("state", c10::TensorType::get(), at::zeros({4}));
        cell.register_attribute("calls", c10::IntType::get(), 0);
        cell.define(R"(
def forward(self, x: Tensor) -> Tensor:
    self.calls = self.calls + 1
    if self.calls > 1:
        self.state = self.state * 0.5
    self.state = self.state + x
    return self.state * self.calls
)");
        module.register_module("fc", linear(4, 4));
        module.register_module("cell", cell);
        module.define(
            "def forward(self, x: Tensor) -> Tensor:\n    return torch.relu(self.cell.forward(self.fc.forward(x)))\n");
        const auto model = imported(module);
        QTemporaryDir folder;
        save(model, {1}, folder);
        Reader reader(folder.path().toStdString());
        for (int i = 0; i < 3; ++i)
            QVERIFY(same(reader.run({wave({4}, 0.3 + i)})[0], module.forward({wave({4}, 0.3 + i)})));
    }

    void controlFlowTuplesAndOptionalsAreSaved()
    {
        Module module = layers("Rich", 2, 4, R"(
def forward(self, x: Tensor, n: int, mask: Optional[Tensor]) -> Tuple[Tensor, Dict[str, List[Tensor]], int, Tensor]:
    parts: List[Tensor] = []
    for i in range(n):
        x = self.fc0.forward(x)
        if mask is not None:
            x = x * mask
        parts.append(x)
    found: Dict[str, List[Tensor]] = {}
    found["all"] = parts
    y = self.fc1.forward(x)
    return (y, found, n + len(parts), x)
)");
        const auto model = imported(module);
        int saved = 0;
        for (const partition::Cut &place : partition::allCuts(model.graph)) {
            if (!place.legal) // found is written in place after it is made
                continue;
            ++saved;
            QTemporaryDir folder;
            save(model, {place.position}, folder);
            Reader reader(folder.path().toStdString());
            for (const c10::IValue &mask : {c10::IValue(), c10::IValue(wave({4}, 0.9))}) {
                const auto expected = module.forward({wave({2, 4}), 2, mask}).toTuple();
                const auto out = reader.run({wave({2, 4}), 2, mask})[0].toTuple();
                QVERIFY(same(out->elements()[0], expected->elements()[0]));
                QCOMPARE(out->elements()[1].toGenericDict().at("all").toListRef().size(), std::size_t(2));
                QCOMPARE(out->elements()[2].toInt(), 4);
            }
        }
        QVERIFY(saved > 1);
    }

    void whatIsReturnedUncomputedComesFromTheLastStage()
    {
        Module module = layers(
            "Returns", 1, 4,
            "def forward(self, x: Tensor) -> Tensor:\n    y = self.fc0.forward(x).neg()\n    return self.fc0.weight\n");
        const auto model = imported(module);
        const auto partition = must(partition::makePartition(model.graph, {}));
        QTemporaryDir folder;
        must(saveStages(model, partition, folder.path().toStdString()));
        Reader reader(folder.path().toStdString());
        QVERIFY(same(reader.run({wave({2, 4})})[0], module.attr("fc0").toModule().attr("weight")));
    }

    void randomStagesAndPlainAttributesAreSaved()
    {
        Module module = makeModule("Mixed");
        module.register_attribute("table", c10::TensorType::get(), wave({4}));
        module.register_attribute("scales", c10::ListType::ofFloats(), c10::List<double>({0.5, 2.0}));
        module.register_attribute("maybe", c10::OptionalType::ofTensor(), wave({4}, 0.2));
        module.define(R"(
def forward(self, x: Tensor) -> Tensor:
    y = x * self.table * self.scales[1]
    m = self.maybe
    if m is not None:
        y = y + m
    return torch.dropout(y, 0.5, False)
)");
        const auto model = imported(module);
        QTemporaryDir folder;
        save(model, {1}, folder);
        const at::Tensor x = wave({2, 4});
        QVERIFY(same(Reader(folder.path().toStdString()).run({x})[0], module.forward({x})));
    }

    void aStopLeavesNothingBehind()
    {
        QTemporaryDir root;
        const std::filesystem::path folder = root.filePath("stages").toStdString();
        const auto model = imported(chain());
        std::stop_source stop;
        stop.request_stop();
        const auto saved =
            saveStages(model, must(partition::makePartition(model.graph, {2})), folder, stop.get_token());
        QVERIFY(!saved);
        QCOMPARE(saved.error().code, ErrorCode::Cancelled);
        QVERIFY(!std::filesystem::exists(folder));
    }

    void anUnwritableFolderIsSaid()
    {
        QTemporaryDir root;
        const std::filesystem::path file = root.filePath("taken").toStdString();
        QVERIFY(writeFile(file, "x"));
        const auto model = imported(chain());
        const auto saved = saveStages(model, must(partition::makePartition(model.graph, {2})), file);
        QVERIFY(!saved);
        QCOMPARE(saved.error().code, ErrorCode::WriteFailed);
        QVERIFY(saved.error().message.starts_with("cannot write '" + file.string()));
    }
};

PIPESCOPE_TEST(TestSaveStage)
#include "tst_save_stage.moc"
