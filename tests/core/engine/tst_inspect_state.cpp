#include "engine/inspect_job.h"

#include "core/engine/small_models.h"

#include "support/test_program.h"

#include <QTemporaryDir>
#include <QTest>

using namespace pipescope;
using namespace pipescope::tests;

class TestInspectState : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    /// What `inspect` calls the state of a model with three buffers and a list, whose forward is `body`.
    std::vector<std::string> stateOf(const std::string &body)
    {
        torch::jit::Module module = emptyModule("Holds");
        module.register_buffer("table", at::zeros({4, 2}));
        module.register_buffer("count", at::zeros({1}));
        module.register_buffer("still", at::ones({2}));
        module.register_attribute("cache", c10::ListType::ofTensors(), c10::List<at::Tensor>({at::zeros({2})}));
        module.define("def forward(self, x: Tensor) -> Tensor:\n" + body);
        report::InspectRequest request;
        request.model = m_folder.filePath("holds.pt").toStdString();
        module.save(request.model);
        const auto inspection = engine::inspect(request, {});
        if (!inspection)
            qFatal("%s", inspection.error().message.c_str());
        return inspection->state;
    }

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_folder.isValid()); }

    void whatIsWrittenThroughAnotherNameIsState()
    {
        QCOMPARE(stateOf("    self.cache[0].add_(1.)\n    return x + self.cache[0] + self.still\n"),
                 std::vector<std::string>{"cache"});
        QCOMPARE(stateOf("    self.table[1].view(-1).add_(1.)\n    return x + self.table.sum(0) + self.still\n"),
                 std::vector<std::string>{"table"});
    }

    void whatIsWrittenByItsOwnNameIsStateToo()
    {
        QCOMPARE(stateOf("    self.count += 1\n    self.cache.append(x)\n    return x + self.count + self.still\n"),
                 (std::vector<std::string>{"cache", "count"}));
    }

    void whatIsOnlyReadIsNoState()
    {
        QCOMPARE(stateOf("    return torch.relu_(x + self.table[0] + self.cache[0] + self.count)\n"),
                 std::vector<std::string>{});
    }
};

PIPESCOPE_TEST(TestInspectState)
#include "tst_inspect_state.moc"
