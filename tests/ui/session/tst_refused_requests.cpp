#include "fake_link.h"
#include "session/engine_client.h"
#include "support/test_program.h"

#include <QTest>
#include <memory>
#include <string>
#include <vector>

using namespace pipescope;
using namespace pipescope::session;

class TestRefusedRequests : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aPlanThatCannotBeWrittenIsRefusedBeforeItIsSent()
    {
        FakeEngine engine;
        EngineClient client{[&engine] { return std::make_unique<FakeLink>(engine); }};
        client.start();
        engine.greet();
        const std::size_t sent = engine.requests.size();
        std::vector<std::string> outcomes;
        const auto note = [&outcomes](const auto &answer) {
            outcomes.push_back(answer ? "ok" : answer.error().message);
        };
        report::RunRequest run;
        run.plan.model = "/tmp/m\xff.pt";
        const std::int64_t first = client.ask<protocol::RunCall>("running", run, note);
        const std::int64_t second = client.ask<protocol::SplitCall>("saving", {run, "parts"}, note);
        QVERIFY(first != second);
        QVERIFY(outcomes.empty()); // no answer comes before its request has a number
        QTRY_COMPARE(outcomes.size(), std::size_t(2));
        const std::string wrong = "model: '/tmp/m\\xff.pt' is not UTF-8, which a plan cannot hold";
        QCOMPARE(outcomes, (std::vector<std::string>{wrong, wrong}));
        QCOMPARE(engine.requests.size(), sent);
        QVERIFY(!client.isBusy());
    }
};

PIPESCOPE_TEST(TestRefusedRequests)
#include "tst_refused_requests.moc"
