// What the window gets from a real engine, without one: a recorded conversation is replayed.
#include "session/run_controller.h"
#include "session/tensor_probe.h"
#include "support/conversation.h"
#include "support/qt_warnings.h"
#include "support/test_program.h"

#include <QSignalSpy>
#include <QTest>
#include <QTimer>
#include <map>
#include <optional>

using namespace pipescope;
using namespace pipescope::session;

namespace {

/// Says what the recorded engine said, as soon as it is asked for what that one was asked for.
class RecordedLink : public EngineLink
{
public:
    explicit RecordedLink(const std::vector<std::string> &payloads)
    {
        for (const std::string &payload : payloads)
            m_messages.push_back(*protocol::messageFrom(payload));
    }

    [[nodiscard]] QString elsewhere() const override { return {}; }
    void start() override {}
    void close() override {}
    bool waitForEnd(std::chrono::milliseconds /*atMost*/) override { return true; }

    void send(const QByteArray &bytes) override
    {
        m_frames.feed({bytes.constData(), static_cast<std::size_t>(bytes.size())});
        for (auto frame = m_frames.next(); frame && *frame; frame = m_frames.next())
            hear(std::get<protocol::Request>(*protocol::messageFrom(**frame)));
    }

private:
    void hear(const protocol::Request &request)
    {
        const auto *recorded =
            m_next < m_messages.size() ? std::get_if<protocol::Request>(&m_messages[m_next]) : nullptr;
        if (recorded == nullptr || recorded->method != request.method)
            qFatal("'%s' is not what was asked when the conversation was recorded", request.method.c_str());
        m_ids[recorded->id] = request.id;
        QByteArray said;
        for (++m_next; m_next < m_messages.size(); ++m_next) {
            protocol::Message message = m_messages[m_next];
            if (std::holds_alternative<protocol::Request>(message))
                break;
            if (auto *response = std::get_if<protocol::Response>(&message))
                response->id = m_ids.at(response->id);
            else
                std::get<protocol::Notification>(message).id = m_ids.at(std::get<protocol::Notification>(message).id);
            said += QByteArray::fromStdString(*protocol::frameOf(protocol::toBytes(message)));
        }
        QTimer::singleShot(0, this, [this, said] { Q_EMIT received(said); });
    }

    std::vector<protocol::Message> m_messages;
    std::size_t m_next = 0;
    std::map<std::int64_t, std::int64_t> m_ids; ///< of the recorded requests: those of this window's
    protocol::FrameReader m_frames;
};

} // namespace

class TestRecordedConversation : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void aWindowGetsWhatTheEngineSaid()
    {
        const std::vector<std::string> payloads =
            tests::readConversation(PIPESCOPE_TEST_DATA "/conversation/mlp.frames");
        QVERIFY(!payloads.empty());
        QCoreApplication::setApplicationName("pipescope");
        QCoreApplication::setApplicationVersion(QString());
        Document document;
        EngineClient client([&] { return std::make_unique<RecordedLink>(payloads); });
        RunController controller(document, client);
        TensorProbe probe(client);
        std::vector<trace::Event> told;
        connect(&client, &EngineClient::traced, this, [&](std::int64_t, const trace::TracePart &part) {
            told.insert(told.end(), part.trace.events.begin(), part.trace.events.end());
        });
        QSignalSpy progress(&client, &EngineClient::progressed);
        QSignalSpy lives(&controller, &RunController::liveChanged);

        document.newFor("mlp.pt");
        controller.look(RunController::Look::Loading);
        QTRY_VERIFY(document.model());
        QCOMPARE(client.state(), EngineClient::State::Ready);
        QVERIFY(client.welcome().torch.starts_with("2."));
        QVERIFY(client.residentBytes() > 10'000'000);
        QCOMPARE(document.model()->graph.modelClass, std::string("MlpChain"));
        QVERIFY(!document.model()->profiled);

        document.edit("Set up", [](plan::Plan &plan) {
            plan.inputs = {*plan::parseInputSpec("x=float32[8,32]")};
            plan.microbatches = 1;
        });
        controller.profile();
        QTRY_VERIFY(document.model()->profiled);
        QVERIFY(document.model()->moduleCosts.at(0).flops.value_or(0) > 0);
        QVERIFY(document.model()->graph.value(document.model()->graph.outputs.at(0)).tensor);
        QVERIFY(!progress.isEmpty());

        document.edit("Split", [](plan::Plan &plan) {
            plan.splits = {"layers.4"};
            plan.microbatches = 4;
        });
        controller.run();
        QTRY_COMPARE(controller.runs().size(), std::size_t(1));
        const report::TracedRun &run = *controller.runs()[0];
        QVERIFY(run.equivalence && run.equivalence->overall.bitwise);
        QVERIFY(run.separability && run.separability->holds);
        QCOMPARE(run.schedule, std::string("forwards of gpipe"));
        QCOMPARE(run.stages.size(), std::size_t(2));
        QCOMPARE(run.trace.microbatches, 4);
        QVERIFY(run.stats.makespanSeconds > 0 && run.unsplitSeconds.value_or(0) > 0);
        QCOMPARE(told.size(), run.trace.events.size());
        QCOMPARE(lives.size(), 1); // that there is none any more: the window had no time to look meanwhile
        QVERIFY(!controller.live());

        report::StatisticsRequest request;
        request.plan = document.plan();
        request.value = document.model()->graph.outputs.at(0);
        probe.ask(request);
        QTRY_VERIFY(probe.answer());
        QVERIFY(*probe.answer());
        const report::LeafStatistics returned = (*probe.answer())->leaves.at(0);
        QCOMPARE(returned.sizes, (std::vector<std::int64_t>{8, 32}));
        QCOMPARE(returned.histogram.size(), std::size_t(64));
        QCOMPARE(returned.nans, 0);

        request.value = {};
        request.parameter = document.model()->graph.parameters.at(0).fqn;
        probe.ask(request);
        QTRY_VERIFY(probe.answer());
        QVERIFY(*probe.answer());
        QCOMPARE((*probe.answer())->name, request.parameter);
        QVERIFY(!controller.lastError());
    }
};

PIPESCOPE_TEST(TestRecordedConversation)
#include "tst_recorded_conversation.moc"
