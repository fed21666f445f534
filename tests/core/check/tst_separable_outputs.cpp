#include "check/separability.h"
#include "check_support.h"
#include "support/test_program.h"
#include "support/torch/models.h"

#include <QTest>
#include <stdexcept>

using namespace pipescope;
using microbatch::ChunkSpec;
using microbatch::Replicate;
using microbatch::TensorChunkSpec;
using report::Cause;
using testing::Values;

namespace {

torch::jit::Module withTemperature(const std::string &source)
{
    torch::jit::Module module("Model");
    module.register_parameter("temperature", at::scalar_tensor(0.5), false);
    module.register_buffer("number", at::scalar_tensor(0));
    module.register_buffer("counts", at::zeros({1}));
    module.define(source);
    return module;
}

/// Eight rows in two microbatches.
Result<report::Separability> ask(const torch::jit::Module &module, const std::optional<ChunkSpec> &outputSpec = {},
                                 const at::Tensor &x = testing::rows(8))
{
    const auto model = testing::imported(module);
    const auto parts = testing::microbatches({x}, 2);
    const auto outputs = check::runReference(model, parts, {});
    if (!outputs)
        qFatal("%s", outputs.error().message.c_str());
    return check::checkSeparability(model, {x}, parts, *outputs, outputSpec, {});
}

ChunkSpec tupleOf(const ChunkSpec &first, const ChunkSpec &second)
{
    return ChunkSpec{ChunkSpec::Tuple{{first, second}}};
}

} // namespace

class TestSeparableOutputs : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aCounterThatIsReturnedIsState_data()
    {
        QTest::addColumn<QString>("source");
        QTest::addColumn<QString>("state");
        const QString inPlace = "def forward(self, x):\n    self.%1 += 1\n    return torch.relu(x), self.%1\n";
        const QString assigned =
            "def forward(self, x):\n    self.%1 = self.%1 + 1\n    return torch.relu(x), self.%1\n";
        QTest::newRow("in place") << inPlace.arg("counts") << "counts";
        QTest::newRow("in place, one number") << inPlace.arg("number") << "number";
        QTest::newRow("assigned") << assigned.arg("counts") << "counts";
        QTest::newRow("assigned, one number") << assigned.arg("number") << "number";
    }

    void aCounterThatIsReturnedIsState()
    {
        QFETCH(QString, source);
        QFETCH(QString, state);
        const auto answer = ask(withTemperature(source.toStdString()));
        QVERIFY(answer);
        QVERIFY(!answer->holds);
        QVERIFY2(answer->cause == Cause::State, report::causeName(answer->cause).data());
        const std::string name = "(" + state.toStdString() + ")";
        QVERIFY2(answer->explanation.find(name) != std::string::npos, answer->explanation.c_str());
    }

    void whatEveryMicrobatchReturnsAlikeMayBe()
    {
        const auto answer =
            ask(withTemperature("def forward(self, x):\n"
                                "    return x * self.temperature, self.temperature, self.counts, 3, 'text'\n"));
        QVERIFY(answer);
        QVERIFY2(answer->holds, answer->explanation.c_str());
        QCOMPARE(answer->maxAbsError, 0.0);
    }

    void oneNumberOfTheBatchCannotBeJoined()
    {
        const auto answer = ask(withTemperature("def forward(self, x):\n    return torch.relu(x), torch.mean(x)\n"));
        QVERIFY(answer);
        QVERIFY(!answer->holds);
        QVERIFY2(answer->explanation.starts_with("an output has no batch dimension"), answer->explanation.c_str());
        QVERIFY(answer->cause == Cause::BatchReduction);
        QVERIFY(std::isinf(answer->maxAbsError));
    }

    void aNumberThatIsNoTensorIsNotToldAsRounding()
    {
        const auto answer = ask(withTemperature("def forward(self, x):\n    return torch.relu(x), x.size(0)\n"));
        QVERIFY(answer);
        QVERIFY(!answer->holds);
        QVERIFY(answer->cause == Cause::BatchReduction);
        QCOMPARE(answer->nodeName, std::string("aten::size"));
        QVERIFY2(answer->explanation.starts_with("an output that is no tensor has other values per microbatch"),
                 answer->explanation.c_str());
        QVERIFY2(answer->explanation.find("small differences") == std::string::npos, answer->explanation.c_str());
    }

    void anOutputThatIsNoTensorIsFollowedToItsNode_data()
    {
        QTest::addColumn<QString>("returned");
        QTest::addColumn<QString>("node");
        QTest::newRow("computed") << "torch.relu(x), {'rows': x.size(0) * 2}"
                                  << "aten::mul";
        QTest::newRow("in a list") << "[x.size(0), x.size(1)]"
                                   << "aten::size";
        QTest::newRow("text") << "torch.relu(x), 'rows: {}'.format(x.size(0))"
                              << "aten::format";
        QTest::newRow("after a sum") << "torch.relu(x), float(torch.sum(x))"
                                     << "aten::sum";
    }

    void anOutputThatIsNoTensorIsFollowedToItsNode()
    {
        QFETCH(QString, returned);
        QFETCH(QString, node);
        const auto answer = ask(withTemperature("def forward(self, x):\n    return " + returned.toStdString() + "\n"));
        QVERIFY2(answer, answer ? "" : answer.error().message.c_str());
        QVERIFY(!answer->holds);
        QCOMPARE(answer->nodeName, node.toStdString());
    }

    void aNumberOnTheWayToRowsMayDiffer()
    {
        const auto answer = ask(withTemperature("def forward(self, x):\n"
                                                "    n = x.size(0)\n"
                                                "    h = x.reshape(n * 4, -1).reshape(n, -1)\n"
                                                "    return h - torch.mean(h, [0], True)\n"));
        QVERIFY2(answer, answer ? "" : answer.error().message.c_str());
        QVERIFY(!answer->holds);
        QCOMPARE(answer->nodeName, std::string("aten::mean"));
    }

    /// One ulp of 1e9 is 64; that of h is 6e-8 at most.
    void aLoudOutputDoesNotHideAnother()
    {
        const auto answer = ask(withTemperature("def forward(self, x):\n"
                                                "    h = torch.neg(x)\n"
                                                "    return h * 1e9, h - torch.mean(h, [0], True)\n"));
        QVERIFY(answer);
        QVERIFY(!answer->holds);
        QVERIFY(answer->cause == Cause::BatchReduction);
        QCOMPARE(answer->nodeName, std::string("aten::mean"));
        // Four rows up or down: the means are 2 rows from the whole batch's, and a row is 32 / 127.
        QVERIFY2(std::abs(answer->maxAbsError - 2 * 32.0 / 127) < 1e-5,
                 qPrintable(QString::number(answer->maxAbsError)));
        QVERIFY2(answer->noiseFloor < 1e-6, qPrintable(QString::number(answer->noiseFloor)));
    }

    void integersHaveNoNoise()
    {
        // One ulp of x changes the product by up to 6, and nothing is allowed for that.
        const auto answer = ask(withTemperature("def forward(self, x):\n"
                                                "    h = torch.neg(x)\n"
                                                "    return (h * 1e8).long() + torch.gt(h, torch.mean(h)).long()\n"));
        QVERIFY(answer);
        QVERIFY(!answer->holds);
        QCOMPARE(answer->maxAbsError, 1.0);
        QCOMPARE(answer->noiseFloor, 0.0);
    }

    void aChunkSpecThatDoesNotFitIsTheUsersError_data()
    {
        QTest::addColumn<int>("which");
        QTest::newRow("0 for a tuple") << 0;
        QTest::newRow("replicate for a tuple") << 1;
        QTest::newRow("replicate for rows") << 2;
        QTest::newRow("another dimension") << 3;
        QTest::newRow("rows for a number") << 4;
    }

    void aChunkSpecThatDoesNotFitIsTheUsersError()
    {
        QFETCH(int, which);
        const ChunkSpec byRows{TensorChunkSpec{0}};
        const ChunkSpec replicate{Replicate{}};
        const std::vector<ChunkSpec> specs{byRows, replicate, tupleOf(replicate, replicate),
                                           tupleOf(ChunkSpec{TensorChunkSpec{1}}, replicate), tupleOf(byRows, byRows)};
        const auto module = withTemperature("def forward(self, x):\n    return torch.relu(x), self.temperature\n");
        const auto answer = ask(module, specs[static_cast<std::size_t>(which)]);
        QVERIFY(!answer);
        QVERIFY(answer.error().code == ErrorCode::InvalidArgument);
        QCOMPARE(answer.error().where, std::string("output chunks"));
        QVERIFY2(answer.error().message.starts_with("the outputs' chunk spec does not fit") &&
                     answer.error().message.ends_with("without a chunk spec, outputs are joined by their shapes"),
                 answer.error().message.c_str());
    }

    void aChunkSpecThatDoesNotFitOneOutputSaysWhich_data()
    {
        QTest::addColumn<QString>("returned");
        QTest::addColumn<int>("which");
        QTest::addColumn<QString>("says");
        const QString tensorAndMean = "torch.relu(x), torch.mean(x)";
        const QString meanAndTensor = "torch.mean(x), torch.relu(x)";
        const QString tensorAndNumber = "torch.relu(x), float(torch.mean(x))";
        const QString alone = "the chunk spec 0 has 1 part, and the value has 2 parts ([0], [1]); give it one for each";
        const QString second = "output[1] cannot be joined by 0: ";
        QTest::newRow("one spec for two outputs") << tensorAndMean << 0 << alone;
        QTest::newRow("a loss along a dimension") << tensorAndMean << 1 << second;
        QTest::newRow("a number along a dimension") << tensorAndNumber << 1 << second + "it is no tensor; replicate, ";
        QTest::newRow("rows, beside a loss that is told right")
            << meanAndTensor << 2 << "merged by its chunk spec, output[1] is Tensor(torch.Size([4, 16])";
        QTest::newRow("a loss said to be the same in all")
            << tensorAndMean << 3 << "output[1] cannot be joined by replicate: Expected ";
        QTest::newRow("a loss that is another type by its spec")
            << "torch.relu(x), torch.gt(x, 0).sum()" << 4 << "merged by its chunk spec, output[1] is Tensor(";
        QTest::newRow("a dimension that there is not") << tensorAndMean << 5 << "output[0] cannot be joined by 7: ";
    }

    /// Another spec would have joined that output: nothing is known of the model.
    void aChunkSpecThatDoesNotFitOneOutputSaysWhich()
    {
        QFETCH(QString, returned);
        QFETCH(int, which);
        QFETCH(QString, says);
        const ChunkSpec byRows{TensorChunkSpec{0}};
        const ChunkSpec mean{microbatch::Reducer::Mean};
        const std::vector<ChunkSpec> specs{byRows,
                                           tupleOf(byRows, byRows),
                                           tupleOf(mean, ChunkSpec{microbatch::Reducer::Sum}),
                                           tupleOf(byRows, ChunkSpec{Replicate{}}),
                                           tupleOf(byRows, mean),
                                           tupleOf(ChunkSpec{TensorChunkSpec{7}}, mean)};
        const auto answer = ask(withTemperature("def forward(self, x):\n    return " + returned.toStdString() + "\n"),
                                specs[static_cast<std::size_t>(which)]);
        QVERIFY(!answer);
        QVERIFY(answer.error().code == ErrorCode::InvalidArgument);
        QVERIFY2(answer.error().message.find(says.toStdString()) != std::string::npos, answer.error().message.c_str());
    }

    void anOutputThatNoSpecCouldJoinIsNamedBesideOnesThatJoin()
    {
        // Eight rows' products are 8 x 8, four rows' 4 x 4: the fault is the model's, and not that of the loss.
        const auto answer =
            ask(withTemperature("def forward(self, x):\n    return torch.mean(x), torch.mm(x, x.t())\n"),
                tupleOf(ChunkSpec{microbatch::Reducer::Mean}, ChunkSpec{TensorChunkSpec{0}}));
        QVERIFY2(answer, answer ? "" : answer.error().message.c_str());
        QVERIFY(!answer->holds);
        QCOMPARE(answer->output, std::string("output[1]"));
        QVERIFY2(answer->explanation.starts_with("merged by its chunk spec, output[1] is Tensor("),
                 answer->explanation.c_str());
    }

    void aChunkSpecThatFitsIsFollowed()
    {
        const ChunkSpec spec = tupleOf(ChunkSpec{TensorChunkSpec{0}}, ChunkSpec{Replicate{}});
        const auto answer =
            ask(withTemperature("def forward(self, x):\n    return torch.relu(x), self.temperature\n"), spec);
        QVERIFY2(answer, answer ? "" : answer.error().message.c_str());
        QVERIFY(answer->holds);
    }

    void entriesOfADictAreMatchedByName()
    {
        const auto module = withTemperature("def forward(self, x):\n"
                                            "    return {'rows': torch.relu(x), 'columns': torch.neg(x).t()}\n");
        const ChunkSpec spec{
            ChunkSpec::Dict{{{"columns", ChunkSpec{TensorChunkSpec{1}}}, {"rows", ChunkSpec{TensorChunkSpec{0}}}}}};
        const auto answer = ask(module, spec);
        QVERIFY2(answer, answer ? "" : answer.error().message.c_str());
        QVERIFY2(answer->holds, answer->explanation.c_str());
    }

    void whatNoSpecCouldJoinIsTheModelsFault()
    {
        const auto answer =
            ask(withTemperature("def forward(self, x):\n    h = torch.neg(x)\n    return torch.mm(h, h.t())\n"),
                ChunkSpec{TensorChunkSpec{0}});
        QVERIFY2(answer, answer ? "" : answer.error().message.c_str());
        QVERIFY(!answer->holds);
        // Of eight rows 8 x 8 products, of four 4 x 4.
        QVERIFY2(answer->explanation.starts_with("merged by its chunk spec, output is Tensor(torch.Size([8, 4])"),
                 answer->explanation.c_str());
        QCOMPARE(answer->nodeName, std::string("aten::mm"));
    }

    void outputsThatDoNotMergeAreTheModelsFaultWhereRowsDoNotEither()
    {
        // As many columns as rows are positive in the first column: 4 in the whole batch, 0 and 4 in the halves.
        const auto module = withTemperature("def forward(self, x):\n    return torch.mm(x, x.t())[:, x[:, 0] > 0]\n");
        const auto answer = ask(module, ChunkSpec{TensorChunkSpec{0}});
        QVERIFY2(answer, answer ? "" : answer.error().message.c_str());
        QVERIFY(!answer->holds);
        QVERIFY2(answer->explanation.find("(nor by the outputs' chunk spec: ") != std::string::npos,
                 answer->explanation.c_str());
        QCOMPARE(answer->nodeName, std::string("aten::mm"));
    }

    void listsOfSamplesAreJoinedOneAfterAnother_data()
    {
        QTest::addColumn<QString>("lines");
        QTest::addColumn<QString>("spec");
        QTest::addColumn<bool>("holds");
        QTest::addColumn<QString>("why"); // or the error
        const QString each = "    out: List[Tensor] = []\n    for i in range(x.size(0)):\n        out.append(%1)\n"
                             "    return out\n";
        const QString rows = "    return torch.unbind(x * 2.0)\n";
        QTest::newRow("one for each row") << rows << "" << true << "";
        QTest::newRow("one for each row, as the spec says") << rows << "list" << true << "";
        QTest::newRow("of sizes of their own") << each.arg("x[i][x[i] > 0.2]") << "" << true << "";
        QTest::newRow("whose sizes hang on the batch")
            << each.arg("x[i][x[i] > x.mean()]") << "" << false << "an item of a list has shape ";
        QTest::newRow("whose numbers hang on the batch") << "    return torch.unbind(x - x.mean(0))\n"
                                                         << "" << false << "aten::mean";
        QTest::newRow("beside a tensor") << "    return torch.sin(x), torch.unbind(x)\n"
                                         << "" << true << "";
        QTest::newRow("beside a tensor, as the spec says") << "    return torch.sin(x), torch.unbind(x)\n"
                                                           << "(0, list)" << true << "";
        QTest::newRow("a dict for each row")
            << "    out: List[Dict[str, Tensor]] = []\n    for i in range(x.size(0)):\n"
               "        out.append({\"a\": x[i], \"n\": x[i].sum()})\n    return out\n"
            << "" << true << "";
        QTest::newRow("a list of as many for each microbatch") << "    return [x, x * 2.0]\n"
                                                               << "" << true << "";
        QTest::newRow("a list of as many for each microbatch, joined")
            << "    return [x, x * 2.0]\n"
            << "list" << true << "joined by list, the list that holds output[0] is longer than the whole batch's";
        QTest::newRow("joined by rows")
            << rows << "[0, 0, 0, 0, 0, 0, 0, 0]" << true
            << "output[0] is in a list that is joined item by item, and takes the spec list";
        QTest::newRow("no list") << "    return x\n"
                                 << "list" << true << "the chunk spec 'list' is for a list, and this is";
    }

    void listsOfSamplesAreJoinedOneAfterAnother()
    {
        QFETCH(QString, lines);
        QFETCH(QString, spec);
        QFETCH(bool, holds);
        QFETCH(QString, why);
        torch::jit::Module module("Model");
        module.define("def forward(self, x: Tensor):\n" + lines.toStdString());
        const auto asked =
            ask(module, spec.isEmpty() ? std::optional<ChunkSpec>() : *microbatch::parseChunkSpec(spec.toStdString()));
        const std::string said = asked ? asked->explanation : asked.error().message;
        QVERIFY2(said.find(why.toStdString()) != std::string::npos, said.c_str());
        if (!asked) {
            QVERIFY2(holds && !why.isEmpty(), said.c_str());
            return;
        }
        QCOMPARE(asked->holds, holds);
        QVERIFY2(holds == why.isEmpty(), said.c_str());
    }

    void aNodeWithNoPartInTheOutputIsNotToBlame_data()
    {
        QTest::addColumn<QString>("lines");
        QTest::newRow("a number that is returned beside it")
            << "    n = len(xs)\n    return torch.unbind(x * 2.0), torch.mean(x), n\n";
        QTest::newRow("a tensor that is returned beside it")
            << "    s = torch.sum(x)\n    return torch.unbind(x * 2.0), torch.mean(x), s\n";
    }

    /// The third output is a sum and told so; the mean is told to be one, too.
    void aNodeWithNoPartInTheOutputIsNotToBlame()
    {
        QFETCH(QString, lines);
        torch::jit::Module module("Model");
        module.define("def forward(self, x: Tensor):\n    xs = torch.unbind(x)\n" + lines.toStdString());
        const auto answer = ask(module, *microbatch::parseChunkSpec("(list, sum, sum)"), testing::rows(8) + 3);
        QVERIFY2(answer, answer ? "" : answer.error().message.c_str());
        QVERIFY(!answer->holds);
        QCOMPARE(answer->output, std::string("output[1]"));
        QCOMPARE(answer->nodeName, std::string("aten::mean"));
    }

    void theReferencePutsStateBackWhateverStopsIt()
    {
        const auto module = testing::statefulCounter();
        const auto model = testing::imported(module);
        int told = 0;
        const Progress failing = [&](std::string_view, double) {
            if (++told == 3)
                throw std::runtime_error("the window is gone");
        };
        const auto reference =
            check::runReference(model, testing::microbatches({testing::rows(8)}, 4), {}, {}, failing);
        QVERIFY(!reference);
        QCOMPARE(reference.error().message, std::string("the window is gone"));
        QVERIFY(module.attr("hidden").toTensor().equal(at::zeros({16})));
        QCOMPARE(module.attr("n").toInt(), std::int64_t(0));
    }

    void theReferencesOutputsAreNotChangedByLaterMicrobatches()
    {
        const auto model = testing::imported(
            withTemperature("def forward(self, x):\n    self.counts += 1\n    return torch.relu(x), self.counts\n"));
        const auto reference = check::runReference(model, testing::microbatches({testing::rows(8)}, 4), {});
        QVERIFY(reference);
        for (std::size_t i = 0; i < 4; ++i)
            QCOMPARE((*reference)[i][0].toTupleRef().elements()[1].toTensor().item<double>(), i + 1.0);
    }
};

PIPESCOPE_TEST(TestSeparableOutputs)
#include "tst_separable_outputs.moc"
