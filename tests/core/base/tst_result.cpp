#include "base/result.h"

#include "support/test_program.h"

#include <QTest>
#include <csignal>
#include <functional>
#include <memory>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace pipescope;

namespace {

Result<int> half(int number)
{
    if (number % 2 != 0)
        return Error{ErrorCode::InvalidArgument, "the number is odd", "--number", {}};
    return number / 2;
}

Result<std::string> quarter(int number)
{
    const auto once = half(number);
    if (!once)
        return once.error();
    const auto twice = half(*once);
    if (!twice)
        return twice.error();
    return std::to_string(*twice);
}

// In a child process, silently.
bool aborts(const std::function<void()> &action)
{
    const pid_t child = fork();
    if (child == 0) {
        const rlimit noCore{0, 0};
        setrlimit(RLIMIT_CORE, &noCore);
        std::signal(SIGABRT, SIG_DFL);
        close(STDERR_FILENO);
        action();
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

} // namespace

class TestResult : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aValueOrAnErrorIsHandedOn()
    {
        QCOMPARE(*quarter(12), std::string("3"));
        const auto failed = quarter(6);
        QVERIFY(!failed);
        QCOMPARE(failed.error(), (Error{ErrorCode::InvalidArgument, "the number is odd", "--number", {}}));
    }

    void aValueMayBeChangedAndMovedOut()
    {
        Result<std::unique_ptr<int>> result(std::make_unique<int>(4));
        **result += 1;
        QCOMPARE(*result->get(), 5);
        const std::unique_ptr<int> taken = *std::move(result);
        QCOMPARE(*taken, 5);
    }

    void aStatusIsSuccessOrAnError()
    {
        const Status good = Success{};
        const Status bad = Error{ErrorCode::Cancelled, "stopped", {}, {}};
        QVERIFY(good && !bad);
        QCOMPARE(bad.error().message, std::string("stopped"));
    }

    void takingWhatIsNotThereAborts()
    {
        QVERIFY(aborts([] { static_cast<void>(*half(3)); }));
        QVERIFY(aborts([] { static_cast<void>(half(4).error()); }));
        QVERIFY(aborts([] { PIPESCOPE_ASSERT(half(4) && *half(4) == 3); }));
        QVERIFY(!aborts([] { PIPESCOPE_ASSERT(half(4) && *half(4) == 2); }));
    }

    void everyErrorHasItsNameAndExitCode_data()
    {
        QTest::addColumn<ErrorCode>("code");
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("exit");
        const auto row = [](ErrorCode code, const char *name, int exit) {
            QTest::newRow(name) << code << name << exit;
        };
        row(ErrorCode::InvalidArgument, "invalid-argument", 2);
        row(ErrorCode::NotFound, "not-found", 2);
        row(ErrorCode::InvalidFile, "invalid-file", 2);
        row(ErrorCode::Unsupported, "unsupported", 2);
        row(ErrorCode::IllegalCut, "illegal-cut", 2);
        row(ErrorCode::WriteFailed, "write-failed", 2);
        row(ErrorCode::ModelFailed, "model-failed", 2);
        row(ErrorCode::OutOfResources, "out-of-resources", 2);
        row(ErrorCode::Deadlock, "deadlock", 2);
        row(ErrorCode::Cancelled, "cancelled", 130);
        row(ErrorCode::Internal, "internal", 3);
    }

    void everyErrorHasItsNameAndExitCode()
    {
        QFETCH(ErrorCode, code);
        QFETCH(QString, name);
        QFETCH(int, exit);
        QCOMPARE(QString::fromStdString(std::string(codeName(code))), name);
        QCOMPARE(exitCode(code), exit);
    }
};

PIPESCOPE_TEST(TestResult)
#include "tst_result.moc"
