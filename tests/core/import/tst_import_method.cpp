#include "graph/check_references.h"
#include "graph/held_tensors.h"
#include "import/import_method.h"
#include "import/literals.h"
#include "partition/split_point.h"
#include "support/literal_text.h"
#include "support/test_program.h"
#include "support/torch/models.h"

#include <ATen/ATen.h>
#include <algorithm>
#include <set>

#include <QTest>

using namespace pipescope;
using import::ImportedModel;

namespace {

ImportedModel importedModel(const torch::jit::Module &module, const std::string &method = "forward")
{
    auto model = import::importMethod(module, method);
    if (!model)
        qFatal("%s", model.error().message.c_str());
    return std::move(*model);
}

const graph::Node *nodeNamed(const graph::ModelGraph &graph, const std::string &name)
{
    const auto found = std::find_if(graph.nodes.begin(), graph.nodes.end(),
                                    [&](const graph::Node &node) { return node.name == name; });
    return found == graph.nodes.end() ? nullptr : &*found;
}

const graph::Parameter *parameterNamed(const graph::ModelGraph &graph, const std::string &fqn)
{
    const auto found = std::find_if(graph.parameters.begin(), graph.parameters.end(),
                                    [&](const graph::Parameter &parameter) { return parameter.fqn == fqn; });
    return found == graph.parameters.end() ? nullptr : &*found;
}

} // namespace

class TestImportMethod : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyNodeKnowsTheModuleWhoseCodeItIs()
    {
        const auto model = importedModel(testing::transformerLike());
        const graph::Node *const node = nodeNamed(model.graph, "layers.3.net2/aten::linear");
        QVERIFY(node);
        QCOMPARE(node->fqn, std::string("layers.3.net2"));
        QCOMPARE(node->className, std::string("Linear"));
        QCOMPARE(node->call, 0);
        QCOMPARE(model.graph.size(), 24); // eight times linear, relu, linear
    }

    void theSameModuleCalledTwiceCountsItsCalls()
    {
        const auto model = importedModel(testing::moduleListLoop());
        std::vector<int> calls;
        for (const graph::ModuleCall &call : model.graph.calls)
            if (call.fqn == "layers.1")
                calls.push_back(call.call);
        QCOMPARE(calls, (std::vector<int>{0, 1}));
        QVERIFY(nodeNamed(model.graph, "layers.1/aten::linear"));
        QVERIFY(nodeNamed(model.graph, "layers.1/aten::linear#1"));
    }

    void aNodeHasAllLinesOfItsSource()
    {
        torch::jit::Module module("Model");
        module.define("def forward(self, x: Tensor) -> Tensor:\n"
                      "    if x.dim() > 0:\n"
                      "        y = torch.add(\n"
                      "            x,\n"
                      "            torch.neg(x))\n"
                      "    else:\n"
                      "        y = x\n"
                      "    return torch.relu(y)\n");
        const auto model = importedModel(module);
        const graph::Node *const add = nodeNamed(model.graph, "aten::add");
        QVERIFY(add);
        QCOMPARE(add->source.text, std::string("y = torch.add(\n    x,\n    torch.neg(x))"));
        // A bracket in a text or a comment is none.
        module.define("def words(self, x: Tensor) -> str:\n    return '(\\'('.format(x)  # (\n");
        QCOMPARE(nodeNamed(importedModel(module, "words").graph, "aten::format")->source.text,
                 std::string("return '(\\'('.format(x)  # ("));
        QCOMPARE(nodeNamed(model.graph, "aten::neg")->source.text, std::string("torch.neg(x))"));
        QCOMPARE(nodeNamed(model.graph, "aten::relu")->source.text, std::string("return torch.relu(y)"));
    }

    void aGreatManyLinesAreCutShort()
    {
        std::string source = "def forward(self, x: Tensor) -> Tensor:\n    return torch.stack([\n";
        for (int i = 0; i < 30; ++i)
            source += "        x,\n";
        torch::jit::Module module("Model");
        module.define(source + "        x + 1])\n");
        const auto model = importedModel(module);
        const std::string text = nodeNamed(model.graph, "aten::stack")->source.text;
        QVERIFY2(text.starts_with("return torch.stack([\n    x,\n"), text.c_str());
        QVERIFY2(text.ends_with("    x,\n..."), text.c_str());
        QCOMPARE(std::count(text.begin(), text.end(), '\n'), std::ptrdiff_t(12));
    }

    void parametersAreValuesByTheirName()
    {
        const auto model = importedModel(testing::c15FourLinears());
        const graph::Parameter *const weight = parameterNamed(model.graph, "layers.2.weight");
        QVERIFY(weight);
        QVERIFY(weight->value.valid());
        QCOMPARE(model.graph.value(weight->value).name, std::string("layers.2.weight"));
        QVERIFY(model.graph.value(weight->value).kind == graph::ValueKind::Parameter);
        QVERIFY(model.held.at(weight->value)
                    .toTensor()
                    .is_same(model.module.attr("layers").toModule().attr("2").toModule().attr("weight").toTensor()));
    }

    void aParameterWithTwoNamesIsOneValueAndShownAsTied()
    {
        const auto model = importedModel(testing::modelWithParamAlias());
        const graph::Parameter *const first = parameterNamed(model.graph, "mm_param0");
        const graph::Parameter *const second = parameterNamed(model.graph, "mm_param1");
        QVERIFY(first && second);
        QCOMPARE(first->value.value, second->value.value);
        QCOMPARE(first->tiedTo, std::string());
        QCOMPARE(second->tiedTo, std::string("mm_param0"));
    }

    void aMethodThatIsNotThereIsAnsweredWithThoseThatAre()
    {
        torch::jit::Module module("Model");
        module.define("def encode(self, x: Tensor, scale: float = 0.5) -> Tensor:\n    return x * scale\n");
        module.define("def decode(self, x: Tensor) -> List[Tensor]:\n    return [x]\n");
        const auto missing = import::importMethod(module);
        QVERIFY(!missing);
        QCOMPARE(missing.error().code, ErrorCode::NotFound);
        QCOMPARE(missing.error().message,
                 std::string("the model has no method 'forward'. It has: encode(Tensor x, float scale=0.5) -> Tensor; "
                             "decode(Tensor x) -> List[Tensor]; choose one of them as the method"));
        const auto slip = import::importMethod(module, "encod");
        QVERIFY2(slip.error().message.starts_with("the model has no method 'encod'. Did you mean encode? It has: "),
                 slip.error().message.c_str());
        const auto none = import::importMethod(torch::jit::Module("Empty"));
        QVERIFY2(none.error().message.starts_with("the model has no method 'forward', and none at all"),
                 none.error().message.c_str());
    }

    void markersBecomePlacesAndLeaveTheProgram()
    {
        const auto model = importedModel(testing::exampleCode());
        QCOMPARE(model.graph.markers.size(), std::size_t(3));
        for (const graph::Node &node : model.graph.nodes)
            QVERIFY2(node.op.find("pipe_split") == std::string::npos, node.name.c_str());
        QCOMPARE(model.graph.at(model.graph.markers.front().position).op, std::string("aten::mm"));
    }

    void ourOwnMarkersAreMarkersToo()
    {
        const auto model = importedModel(testing::ownMarkers());
        std::vector<std::string> names;
        for (const graph::Marker &marker : model.graph.markers)
            names.push_back(marker.name);
        QCOMPARE(names, (std::vector<std::string>{"encoder", "", "head"}));
        std::vector<std::string> notes;
        const auto cuts = partition::resolveSplits(model.graph, {"markers"}, &notes);
        QVERIFY(cuts);
        QCOMPARE(*cuts, (std::vector<int>{1, 2})); // before aten::add, before the second aten::mul
        QCOMPARE(notes.size(), std::size_t(1));
        QVERIFY(notes.front().starts_with("the model has 3 markers: 2 of these begin a stage; the other makes none"));
    }

    void branchesOnWhatIsConstantAreDecided()
    {
        // Batch norm asks self.training; with it decided no if is left, and in eval mode nothing is written.
        const auto eval = importedModel(testing::batchNormModel(testing::Mode::Eval));
        for (const graph::Node &node : eval.graph.nodes) {
            QVERIFY2(node.op != "prim::If", node.name.c_str());
            QVERIFY2(node.writes.empty(), node.name.c_str());
        }
        const auto train = importedModel(testing::batchNormModel(testing::Mode::Train));
        QVERIFY(std::any_of(train.graph.nodes.begin(), train.graph.nodes.end(),
                            [](const graph::Node &node) { return !node.writes.empty(); }));
        // The schema does not say so, but the running mean and variance move.
        const auto norm = std::find_if(train.graph.nodes.begin(), train.graph.nodes.end(),
                                       [](const graph::Node &node) { return node.op == "aten::batch_norm"; });
        QVERIFY(norm != train.graph.nodes.end());
        QCOMPARE(norm->writes.size(), std::size_t(2));
    }

    void anIfThatDependsOnInputsStaysWithItsNodesInside()
    {
        const auto model = importedModel(testing::controlFlow());
        const auto branch = std::find_if(model.graph.nodes.begin(), model.graph.nodes.end(),
                                         [](const graph::Node &node) { return node.op == "prim::If"; });
        QVERIFY(branch != model.graph.nodes.end());
        QVERIFY(!branch->children.empty());
        std::set<std::string> inside;
        for (const NodeId child : branch->children)
            inside.insert(model.graph.node(child).fqn);
        QVERIFY(inside.count("positive") && inside.count("negative"));
        for (const NodeId child : branch->children)
            QCOMPARE(model.graph.node(child).parent.value, branch->id.value);
    }

    void aCallThroughAnInterfaceGoesToTheObjectReallyHeld()
    {
        const auto model = importedModel(testing::interfaceModel());
        const bool resolved =
            std::any_of(model.graph.nodes.begin(), model.graph.nodes.end(), [](const graph::Node &node) {
                return node.fqn.rfind("block", 0) == 0 && node.op == "aten::linear";
            });
        QVERIFY(resolved);
        for (const graph::Node &node : model.graph.nodes)
            QVERIFY2(node.op != "prim::CallMethod", node.name.c_str());
    }

    void attributesTheModelAssignsAreItsState()
    {
        const auto model = importedModel(testing::statefulCounter());
        std::set<std::string> state;
        for (const import::StateSlot &slot : model.state)
            state.insert(slot.fqn);
        QCOMPARE(state, (std::set<std::string>{"hidden", "n"}));
        std::set<std::string> written;
        for (const graph::Node &node : model.graph.nodes)
            written.insert(node.stateWritten.begin(), node.stateWritten.end());
        QCOMPARE(written, state);
    }

    void otherMethodsAreImportedByName()
    {
        const auto model = importedModel(testing::twoMethods(), "encode");
        QCOMPARE(model.graph.method, std::string("encode"));
        QVERIFY(!nodeNamed(model.graph, "second/aten::linear"));
        QVERIFY(nodeNamed(model.graph, "first/aten::linear"));
    }

    void aMissingMethodIsNamedWithTheOnesThereAre()
    {
        const auto model = import::importMethod(testing::twoMethods(), "encod");
        QVERIFY(!model);
        QVERIFY(model.error().code == ErrorCode::NotFound);
        QVERIFY2(model.error().message.find("no method 'encod'") != std::string::npos, model.error().message.c_str());
        QVERIFY2(model.error().message.find("Did you mean encode?") != std::string::npos,
                 model.error().message.c_str());
    }

    void anOperandThatIsGivenTwiceHasBothPlaces()
    {
        torch::jit::Module module("Model");
        module.define("def forward(self, x: Tensor) -> Tensor:\n"
                      "    for i in range(2):\n"
                      "        x = x * x\n"
                      "    return torch.add(x, x, alpha=2)\n");
        const auto model = importedModel(module);
        const graph::Node *const mul = nodeNamed(model.graph, "aten::mul");
        QCOMPARE(mul->operands.size(), std::size_t(2));
        QCOMPARE(mul->operands[0], mul->operands[1]);
        QCOMPARE(mul->uses, std::vector<ValueId>{mul->operands[0]});
        QCOMPARE(mul->overload, std::string("Tensor"));
        const graph::Node *const add = nodeNamed(model.graph, "aten::add");
        QCOMPARE(add->operands.size(), std::size_t(3));
        QCOMPARE(add->uses, (std::vector<ValueId>{add->operands[0], add->operands[2]}));
        QVERIFY(graph::checkReferences(model.graph));
    }

    void constantsKeepTheirValue()
    {
        torch::jit::Module module("Model");
        module.define("def forward(self, x: Tensor) -> Tensor:\n"
                      "    y = torch.sum(x, [0, -1], keepdim=True, dtype=None)\n"
                      "    z = torch.div(y, 0.5, rounding_mode='floor')\n"
                      "    return z\n");
        const auto model = importedModel(module);
        const auto literal = [&](const char *node, std::size_t operand) {
            return model.graph.value(nodeNamed(model.graph, node)->operands[operand]).literal;
        };
        QCOMPARE(nodeNamed(model.graph, "aten::sum")->overload, std::string("dim_IntList"));
        QVERIFY(!literal("aten::sum", 0));
        QVERIFY(literal("aten::sum", 1) == tests::literalFromText("[0,-1]"));
        QVERIFY(literal("aten::sum", 2) == graph::Literal{true});
        QVERIFY(literal("aten::sum", 3) == graph::Literal{});
        QVERIFY(literal("aten::div", 1) == graph::Literal{0.5});
        QVERIFY(literal("aten::div", 2) == graph::Literal{std::string("floor")});
        QVERIFY(import::literalOf(c10::Device("cuda:0")) == graph::Literal{std::string("cuda:0")});
    }

    void aListThatMayGrowHasNoValueBeforeTheRun()
    {
        torch::jit::Module module("Model");
        module.define("def forward(self, x: Tensor) -> Tensor:\n"
                      "    dims = [0]\n"
                      "    pair = (dims, 3)\n"
                      "    if x.size(0) > 1:\n"
                      "        pair[0].append(1)\n"
                      "    return torch.sum(x, dims) + torch.sum(x, [2])\n");
        const auto model = importedModel(module);
        const auto dims = [&](const char *node) {
            return model.graph.value(nodeNamed(model.graph, node)->operands[1]).literal;
        };
        QVERIFY(!dims("aten::sum"));
        QVERIFY(dims("aten::sum#1") == tests::literalFromText("[2]"));
    }

    void whatIsNoPlainDataOrVeryLongHasNoLiteral()
    {
        using import::literalOf;
        QVERIFY(literalOf(c10::IValue(std::vector<std::int64_t>(import::MaxLiteralItems, 1))));
        QVERIFY(!literalOf(c10::IValue(std::vector<std::int64_t>(import::MaxLiteralItems + 1, 1))));
        QVERIFY(!literalOf(c10::IValue(std::string(import::MaxLiteralText + 1, 'a'))));
        QVERIFY(!literalOf(c10::IValue(at::ones({2}))));
        QVERIFY(!literalOf(c10::ivalue::Tuple::create({c10::IValue(1), c10::IValue(at::ones({2}))})));
        c10::IValue nested(1);
        for (int i = 0; i < 1000; ++i)
            nested = c10::ivalue::Tuple::create({nested});
        QVERIFY(!literalOf(nested));
    }

    void defaultsComeWithTheArguments()
    {
        const auto model = importedModel(testing::controlFlow());
        QCOMPARE(model.graph.arguments.size(), std::size_t(2));
        QCOMPARE(model.graph.arguments[1].name, std::string("steps"));
        QVERIFY(model.graph.arguments[1].hasDefault);
        QCOMPARE(model.defaults.at(1).toInt(), std::int64_t(2));
    }

    void writesInPlaceAndSharedMemoryAreSeen()
    {
        const auto model = importedModel(testing::inplaceChain());
        const graph::Node *const relu = nodeNamed(model.graph, "aten::relu_");
        QVERIFY(relu);
        QCOMPARE(relu->writes.size(), std::size_t(1));
        QCOMPARE(relu->writes.front().value, relu->uses.front().value);
        QVERIFY(std::any_of(relu->aliases.begin(), relu->aliases.end(), [&](const graph::Alias &alias) {
            return alias.output == relu->outputs.front() && alias.input == relu->uses.front();
        }));
    }

    void aListThatOnlyGrowsIsMadeAtTheEndSoThatCutsBeforeItAreLegal()
    {
        torch::jit::Module module("Skips");
        module.define("def forward(self, x: Tensor) -> Tensor:\n"
                      "    skips: List[Tensor] = []\n"
                      "    x = torch.sin(x)\n"
                      "    skips.append(x)\n"
                      "    x = torch.cos(x)\n"
                      "    skips.append(x)\n"
                      "    x = torch.exp(x)\n"
                      "    return x + skips[0] + skips[1]\n");
        const auto model = importedModel(module);
        for (const graph::Node &node : model.graph.nodes)
            QVERIFY2(node.writes.empty(), node.name.c_str());
        for (const partition::SplitPoint &point : partition::splitPoints(model.graph))
            QVERIFY2(point.cut.legal, point.cut.reason.c_str());
    }

    void anAppendInALoopWritesTheListAndNotWhatIsPutIn()
    {
        torch::jit::Module module("Steps");
        module.define("def forward(self, x: Tensor, n: int) -> Tuple[List[Tensor], Tensor]:\n"
                      "    steps: List[Tensor] = []\n"
                      "    for i in range(n):\n"
                      "        x = torch.sin(x)\n"
                      "        steps.append(x)\n"
                      "    return steps, x.add_(1.0)\n");
        const auto model = importedModel(module);
        const auto loop = std::find_if(model.graph.nodes.begin(), model.graph.nodes.end(),
                                       [](const graph::Node &node) { return node.op == "prim::Loop"; });
        QVERIFY(loop != model.graph.nodes.end());
        QCOMPARE(loop->writes.size(), std::size_t(1));
        QCOMPARE(model.graph.value(loop->writes.front()).type, std::string("List[Tensor]"));
        QVERIFY(loop->containerWrites == loop->writes);
        // The last step is in the list too, and it is written after the loop.
        const auto added = std::find_if(model.graph.nodes.begin(), model.graph.nodes.end(),
                                        [](const graph::Node &node) { return node.op == "aten::add_"; });
        QVERIFY(added != model.graph.nodes.end() && added->containerWrites.empty());
        const auto points = partition::splitPoints(model.graph);
        QVERIFY(std::none_of(points.begin(), points.end(), [](const partition::SplitPoint &p) { return p.cut.legal; }));
    }

    void importingDoesNotChangeTheModule()
    {
        const auto module = testing::exampleCode();
        const auto before = module.get_method("forward").graph()->toString();
        importedModel(module);
        QCOMPARE(module.get_method("forward").graph()->toString(), before);
    }

    void aFrozenModelHoldsItsWeightsAsConstants()
    {
        const auto model = importedModel(testing::frozenModel());
        QVERIFY(model.held.empty());
        QVERIFY(model.graph.size() >= 1);
        const std::vector<graph::HeldTensor> held = graph::heldTensors(model.graph);
        QCOMPARE(held.size(), std::size_t(4)); // as import/structure_only.h counts them
        std::int64_t bytes = 0;
        for (const graph::HeldTensor &tensor : held) {
            QCOMPARE(tensor.kind, graph::HeldKind::Constant);
            bytes += tensor.tensor.bytes;
        }
        QCOMPARE(bytes, std::int64_t(2 * 16 * 17 * 4));
    }

    void aTensorInTheCodeOfTwoModulesIsOneConstant()
    {
        const at::Tensor table = at::ones({4, 4});
        const auto layer = [&] {
            torch::jit::Module module("__torch__.Layer");
            module.define("def forward(self, x: Tensor) -> Tensor:\n    return torch.relu(x)\n");
            const auto graph = torch::jit::toGraphFunction(module.get_method("forward").function()).graph();
            torch::jit::Node *const relu = graph->outputs()[0]->node();
            const torch::jit::WithInsertPoint here(relu);
            torch::jit::Value *const product =
                graph->insert(at::aten::mm, {relu->input(), graph->insertConstant(table)});
            relu->replaceInput(0, product);
            return module;
        };
        torch::jit::Module module("__torch__.Twice");
        module.register_module("a", layer());
        module.register_module("b", layer());
        module.define("def forward(self, x: Tensor) -> Tensor:\n    return self.b.forward(self.a.forward(x))\n");
        const auto model = importedModel(module);
        const std::vector<graph::HeldTensor> held = graph::heldTensors(model.graph);
        QCOMPARE(held.size(), std::size_t(1));
        QCOMPARE(held[0].values.size(), std::size_t(2));
        QCOMPARE(graph::toText(held[0].tensor), std::string("float32[4, 4]"));
    }

    void randomNodesAreMarked()
    {
        const auto random = [](testing::Mode mode) {
            const auto model = importedModel(testing::dropoutModel(mode));
            return std::any_of(model.graph.nodes.begin(), model.graph.nodes.end(),
                               [](const graph::Node &node) { return node.random; });
        };
        QVERIFY(random(testing::Mode::Train));
        QVERIFY(!random(testing::Mode::Eval));
    }

    void tracedDevicesStayWhereTheyAreOnTheCpu()
    {
        const auto model = importedModel(testing::tracedModel());
        QVERIFY(model.notes.empty());
        QCOMPARE(model.graph.markers.size(), std::size_t(1));
    }

    void whatDrawsRandomNumbersInPlaceIsSeenToo()
    {
        torch::jit::Module module("Model");
        module.define("def forward(self, x: Tensor) -> Tensor:\n"
                      "    y = torch.zeros_like(x).uniform_(0., 1.)\n"
                      "    z = torch.feature_dropout(y, 0.5, True)\n"
                      "    return torch.feature_dropout(z, 0.5, False)\n");
        const auto model = importedModel(module);
        QVERIFY(!nodeNamed(model.graph, "aten::zeros_like")->random);
        QVERIFY(nodeNamed(model.graph, "aten::uniform_")->random);
        QVERIFY(nodeNamed(model.graph, "aten::feature_dropout")->random);
        QVERIFY(!nodeNamed(model.graph, "aten::feature_dropout#1")->random);
    }
};

PIPESCOPE_TEST(TestImportMethod)
#include "tst_import_method.moc"
