#include "check/batch_walk.h"

#include "check/cause.h"
#include "check_support.h"
#include "support/test_program.h"
#include "support/torch/models.h"

#include <QTest>

using namespace pipescope;
using report::Cause;
using testing::Values;

namespace {

torch::jit::Module withTable(const std::string &source)
{
    torch::jit::Module module("Model");
    module.register_buffer("table", at::zeros({2, 16}));
    module.register_attribute("cache", c10::ListType::ofTensors(), c10::List<at::Tensor>({at::zeros({16})}));
    module.define(source);
    return module;
}

/// The dependence of eight rows in four microbatches.
std::optional<check::BatchDependence> walk(const import::ImportedModel &model, std::int64_t memoryLimit = 1 << 30)
{
    const Values whole{testing::rows(8)};
    const at::NoGradGuard noGrad;
    const auto found =
        check::firstBatchDependence(model, whole, testing::microbatches(whole, 4), {}, {}, {}, memoryLimit);
    if (!found)
        qFatal("%s", found.error().message.c_str());
    return *found;
}

std::string nameOf(const std::optional<check::StateRead> &state)
{
    return state ? state->name : std::string();
}

int positionOf(const import::ImportedModel &model, const std::string &op)
{
    for (int position = 0; position < model.graph.size(); ++position)
        if (model.graph.at(position).op == op)
            return position;
    qFatal("no %s", op.c_str());
}

} // namespace

class TestBatchWalk : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theFirstNodeThatMixesRowsIsFound()
    {
        const auto model = testing::imported(withTable("def forward(self, x):\n"
                                                       "    y = torch.neg(x)\n"
                                                       "    y = y - torch.amax(y, [0], True)\n"
                                                       "    return y - torch.mean(y, [0], True)\n"));
        const auto found = walk(model);
        QVERIFY(found.has_value());
        QCOMPARE(model.graph.at(found->position).op, std::string("aten::amax"));
        QVERIFY(!found->shapeOnly);
        // Rows rise by 2 * 16 / 127 each, so the last microbatch's largest -x is that of row 6 and not of row 0.
        QVERIFY(std::abs(found->maxAbs - 6 * 32.0 / 127) < 1e-5);
    }

    void independentRowsGiveNothing()
    {
        QVERIFY(!walk(testing::imported(testing::transformerLike())).has_value());
        QVERIFY(!walk(testing::imported(testing::transformerLike()), 1).has_value());
    }

    /// Of a model with state results must be kept, which a limit must not keep from looking to the end.
    void withLittleMemoryTheSameNodeIsFound()
    {
        const auto model = testing::imported(withTable("def forward(self, x):\n"
                                                       "    self.table.add_(1.)\n"
                                                       "    y = torch.tanh(torch.relu(torch.neg(x)))\n"
                                                       "    z = y.exp() - torch.mean(y, [0], True)\n"
                                                       "    return torch.cumsum(z, 0)\n"));
        for (const std::int64_t limit : {std::int64_t{1}, std::int64_t{3000}, std::int64_t{1} << 30}) {
            const auto found = walk(model, limit);
            QVERIFY2(found.has_value(), qPrintable(QString::number(limit)));
            QCOMPARE(model.graph.at(found->position).op, std::string("aten::mean"));
        }
    }

    void stateIsPutBack()
    {
        const auto module = testing::statefulCounter();
        const auto model = testing::imported(module);
        for (const std::int64_t limit : {1, 1 << 30}) {
            const auto found = walk(model, limit);
            QVERIFY(found.has_value());
            QVERIFY(check::classify(model, *found, {true}) == Cause::State);
            QVERIFY(module.attr("hidden").toTensor().equal(at::zeros({16})));
            QCOMPARE(module.attr("n").toInt(), std::int64_t(0));
        }
    }

    void stateWrittenThroughAnotherNameIsState_data()
    {
        QTest::addColumn<QString>("write");
        QTest::addColumn<QString>("read");
        QTest::addColumn<QString>("name");
        QTest::newRow("list item") << "self.cache[0].add_(1.)"
                                   << "self.cache[0]"
                                   << "cache";
        QTest::newRow("view") << "self.table[0].add_(1.)"
                              << "self.table[0]"
                              << "table";
        QTest::newRow("written itself, read as a view") << "self.table.add_(1.)"
                                                        << "self.table[0]"
                                                        << "table";
        QTest::newRow("written as a view, read itself") << "self.table[0].add_(1.)"
                                                        << "self.table.sum(0)"
                                                        << "table";
    }

    void stateWrittenThroughAnotherNameIsState()
    {
        QFETCH(QString, write);
        QFETCH(QString, read);
        QFETCH(QString, name);
        const QString source =
            QString("def forward(self, x):\n    %1\n    return torch.neg(x) + %2\n").arg(write, read);
        const auto model = testing::imported(withTable(source.toStdString()));
        const auto found = walk(model);
        QVERIFY(found.has_value());
        QVERIFY2(check::classify(model, *found, {true}) == Cause::State,
                 report::causeName(check::classify(model, *found, {true})).data());
        const graph::Node &node = model.graph.at(found->position);
        QVERIFY2(node.op == (name == "cache" ? "aten::__getitem__" : "aten::add"), node.op.c_str());
        QCOMPARE(nameOf(check::stateReadBy(model, node)), name.toStdString());
        // Of what only uses the alias, too.
        const graph::Node &last = model.graph.at(model.graph.size() - 1);
        QCOMPARE(last.op, std::string("aten::add"));
        QCOMPARE(nameOf(check::stateReadBy(model, last)), name.toStdString());
    }

    void whatIsNeverWrittenIsNoState()
    {
        const auto model = testing::imported(withTable("def forward(self, x):\n"
                                                       "    return torch.neg(x) + self.table[0] + self.cache[0]\n"));
        for (int position = 0; position < model.graph.size(); ++position)
            QVERIFY(!check::stateReadBy(model, model.graph.at(position)));
    }

    void unsqueezeIsNoSqueeze()
    {
        const auto model =
            testing::imported(withTable("def forward(self, x):\n"
                                        "    return torch.squeeze(torch.unsqueeze(torch.neg(x), 1), 1)\n"));
        const auto causeAt = [&](const std::string &op) {
            return check::classify(model, {positionOf(model, op), false, 1}, {true});
        };
        QVERIFY(causeAt("aten::squeeze") == Cause::Squeeze);
        QVERIFY(causeAt("aten::unsqueeze") == Cause::BatchReduction);
    }
};

PIPESCOPE_TEST(TestBatchWalk)
#include "tst_batch_walk.moc"
