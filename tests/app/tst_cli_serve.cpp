#include "support/engine_talk.h"
#include "support/torch/models.h"

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>
#include <csignal>
#include <fcntl.h>
#include <optional>
#include <spawn.h>
#include <sys/wait.h>

using namespace pipescope;
using protocol::HelloCall;
using protocol::LoadCall;
using protocol::RunCall;

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

} // namespace

class TestCliServe : public QObject
{
    Q_OBJECT

private Q_SLOTS:
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

QTEST_GUILESS_MAIN(TestCliServe)
#include "tst_cli_serve.moc"
