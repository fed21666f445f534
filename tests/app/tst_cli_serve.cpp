#include "make_examples/examples.h"
#include "support/conversation.h"
#include "support/engine_talk.h"
#include "support/qt_warnings.h"
#include "support/test_program.h"
#include "support/torch/models.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>
#include <fcntl.h>
#include <optional>
#include <spawn.h>
#include <sys/wait.h>

using namespace pipescope;
using protocol::HelloCall;
using protocol::LoadCall;
using protocol::ProfileCall;
using protocol::RunCall;
using protocol::StatisticsCall;

namespace {

/// `pipescope-cli serve` as a process; its standard error goes to a file.
class Engine
{
public:
    explicit Engine(const QString &errors)
    {
        if (::pipe2(m_to, O_CLOEXEC) != 0 || ::pipe2(m_from, O_CLOEXEC) != 0)
            qFatal("no pipes");
        posix_spawn_file_actions_t actions;
        ::posix_spawn_file_actions_init(&actions);
        ::posix_spawn_file_actions_adddup2(&actions, m_to[0], STDIN_FILENO);
        ::posix_spawn_file_actions_adddup2(&actions, m_from[1], STDOUT_FILENO);
        ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, qPrintable(errors), O_WRONLY | O_CREAT | O_TRUNC,
                                           0600);
        std::string program = PIPESCOPE_CLI;
        std::string command = "serve";
        char *arguments[] = {program.data(), command.data(), nullptr};
        if (::posix_spawn(&m_process, program.c_str(), &actions, nullptr, arguments, environ) != 0)
            qFatal("cannot start %s", program.c_str());
        ::posix_spawn_file_actions_destroy(&actions);
        ::close(m_to[0]);
        ::close(m_from[1]);
        talk.emplace(m_to[1], m_from[0]);
    }
    ~Engine()
    {
        stopReading();
        if (m_process > 0) {
            ::kill(m_process, SIGKILL);
            exitCode();
        }
        hangUp();
    }
    Engine(const Engine &) = delete;
    Engine &operator=(const Engine &) = delete;

    bool greet()
    {
        talk->ask<HelloCall>(1, {});
        return static_cast<bool>(talk->answer<HelloCall>(1));
    }

    void hangUp() { closeOnce(m_to[1]); }
    void stopReading() { closeOnce(m_from[0]); }
    void signal(int number) const { ::kill(m_process, number); }

    /// Waits; 128 and the signal's number where one ended it, as shells have it.
    int exitCode()
    {
        int status = 0;
        ::waitpid(std::exchange(m_process, -1), &status, 0);
        return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    }

    std::optional<testing::EngineTalk> talk;

private:
    static void closeOnce(int &descriptor)
    {
        if (descriptor >= 0)
            ::close(std::exchange(descriptor, -1));
    }

    int m_to[2] = {-1, -1};
    int m_from[2] = {-1, -1};
    pid_t m_process = -1;
};

/// Keeps all that both sides say.
class Recorder
{
public:
    explicit Recorder(Engine &engine)
        : m_engine(engine)
    {
    }

    /// The answer; nullopt, with what came instead on standard error, where there is none.
    template <class Call>
    std::optional<typename Call::Answer> ask(const typename Call::Request &request)
    {
        const protocol::Request message{++m_id, std::string(Call::method), protocol::toBody(request)};
        m_engine.talk->send(message);
        messages.emplace_back(message);
        while (const auto said = m_engine.talk->next()) {
            messages.push_back(*said);
            const auto *response = std::get_if<protocol::Response>(&*said);
            if (response == nullptr)
                continue;
            const auto *body = std::get_if<std::string>(&response->answer);
            if (body == nullptr) {
                qWarning("%s", std::get<Error>(response->answer).message.c_str());
                return std::nullopt;
            }
            const auto answer = protocol::fromBody<typename Call::Answer>(*body);
            return answer ? std::optional(*answer) : std::nullopt;
        }
        return std::nullopt;
    }

    std::vector<protocol::Message> messages;

private:
    Engine &m_engine;
    std::int64_t m_id = 0;
};

} // namespace

class TestCliServe : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void initTestCase()
    {
        std::signal(SIGPIPE, SIG_IGN);
        torch::jit::Module model("Printing");
        model.define("def forward(self, x: Tensor) -> Tensor:\n"
                     "    print('PSc1 is printed by the model')\n"
                     "    return torch.relu(x) + 1\n");
        model.save(file("printing.pt").toStdString());
    }

    void printsOfAModelStayOutOfTheConversation()
    {
        Engine engine(file("errors"));
        QVERIFY(engine.greet());
        engine.talk->ask<RunCall>(2, runRequest());
        const auto run = engine.talk->answer<RunCall>(2);
        QVERIFY2(run, run ? "" : run.error().message.c_str());
        QVERIFY(run->equivalence && run->equivalence->overall.bitwise);
        engine.hangUp();
        QCOMPARE(engine.exitCode(), 0);
        QVERIFY(errorText().contains("PSc1 is printed by the model"));
    }

    void anEngineWhoseReaderIsGoneEnds()
    {
        Engine engine(file("errors"));
        QVERIFY(engine.greet());
        report::RunRequest run = runRequest();
        run.repeat = 1'000'000;
        engine.talk->ask<RunCall>(2, run);
        QVERIFY(engine.talk->next()); // it runs
        engine.stopReading();
        engine.talk->ask<HelloCall>(3, {});
        QCOMPARE(engine.exitCode(), 0);
    }

    void aSignalEndsARunningEngine()
    {
        Engine engine(file("errors"));
        QVERIFY(engine.greet());
        report::RunRequest run = runRequest();
        run.repeat = 1'000'000;
        engine.talk->ask<RunCall>(2, run);
        QVERIFY(engine.talk->next()); // it runs
        engine.signal(SIGTERM);
        QCOMPARE(engine.exitCode(), 0);
    }

    /// The conversation that tests without an engine replay: tests/data/conversation/README.md.
    void aConversationIsAsTheTestDataHasIt()
    {
        const QString before = QDir::currentPath();
        QVERIFY(QDir::setCurrent(m_folder.path()));
        examples::mlpChain(examples::Size::Small).save("mlp.pt");
        Engine engine(file("errors"));
        QVERIFY(QDir::setCurrent(before));
        Recorder recorder(engine);
        protocol::Hello hello;
        hello.client = "pipescope";
        auto welcome = recorder.ask<HelloCall>(hello);
        QVERIFY(welcome);
        welcome->host.clear();
        welcome->processId = 0;
        welcome->cores = 0;
        recorder.messages.back() = protocol::Response{1, protocol::toBody(*welcome)};

        report::InspectRequest load;
        load.model = "mlp.pt";
        const auto loaded = recorder.ask<LoadCall>(load);
        QVERIFY(loaded);
        load.inputs = {*plan::parseInputSpec("x=float32[8,32]")};
        const auto profiled = recorder.ask<ProfileCall>(load);
        QVERIFY(profiled);
        QVERIFY(profiled->profiled);

        report::RunRequest run;
        run.plan.model = "mlp.pt";
        run.plan.inputs = load.inputs;
        run.plan.splits = {"layers.4"};
        run.plan.microbatches = 4;
        const auto report = recorder.ask<RunCall>(run);
        QVERIFY(report);
        QVERIFY(report->equivalence && report->equivalence->overall.bitwise);

        report::StatisticsRequest statistics;
        statistics.plan = run.plan;
        statistics.value = profiled->graph.outputs.at(0);
        const auto returned = recorder.ask<StatisticsCall>(statistics);
        QVERIFY(returned);
        QCOMPARE(returned->leaves.at(0).sizes, (std::vector<std::int64_t>{8, 32}));
        statistics.value = {};
        statistics.parameter = profiled->graph.parameters.at(0).fqn;
        const auto weight = recorder.ask<StatisticsCall>(statistics);
        QVERIFY(weight);
        QCOMPARE(weight->leaves.at(0).sizes, profiled->graph.parameters[0].tensor.sizes);

        const std::string folder = m_folder.path().toStdString();
        for (const protocol::Message &message : recorder.messages)
            QVERIFY(protocol::toBytes(message).find(folder) == std::string::npos);
        if (const QString path = qEnvironmentVariable("PIPESCOPE_RECORD"); !path.isEmpty())
            tests::writeConversation(path.toStdString(), recorder.messages);
        // Answers of today read as those of the test data do: same methods, same keys.
        const std::vector<std::string> recorded =
            tests::readConversation(PIPESCOPE_TEST_DATA "/conversation/mlp.frames");
        std::vector<std::string> asked;
        for (const std::string &payload : recorded) {
            const auto message = protocol::messageFrom(payload);
            QVERIFY(message);
            if (const auto *request = std::get_if<protocol::Request>(&*message))
                asked.push_back(request->method);
        }
        QCOMPARE(asked, (std::vector<std::string>{"hello", "load", "profile", "run", "statistics", "statistics"}));
    }

    void garbageIsToldOnStandardErrorToo()
    {
        Engine engine(file("errors"));
        engine.talk->sendBytes("hello?\n");
        QCOMPARE(engine.exitCode(), 2);
        QCOMPARE(errorText(),
                 QString("pipescope-cli: error: what arrived is no message of pipescope-cli: 'hello?.'\n"));
    }

private:
    QString file(const char *name) const { return m_folder.filePath(QString::fromLatin1(name)); }

    report::RunRequest runRequest() const
    {
        report::RunRequest run;
        run.plan.model = file("printing.pt").toStdString();
        run.plan.inputs = {*plan::parseInputSpec("x=float32[64,8]")};
        run.plan.splits = {"aten::add"};
        run.plan.microbatches = 8;
        return run;
    }

    QString errorText() const
    {
        QFile errors(file("errors"));
        return errors.open(QIODevice::ReadOnly) ? QString::fromUtf8(errors.readAll()) : QString();
    }

    QTemporaryDir m_folder;
};

PIPESCOPE_TEST(TestCliServe)
#include "tst_cli_serve.moc"
