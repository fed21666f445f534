#include "end_signals.h"

#include <QCoreApplication>
#include <QSocketNotifier>
#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

namespace pipescope::app {

namespace {

constexpr int ExitBySignal = 128; // and the signal's number, as shells have it

constexpr std::array Ending{SIGTERM, SIGINT, SIGHUP};

std::array<int, 2> wakeUp{-1, -1}; // a signal's handler can hardly do more than write to it
sigset_t taken;                    // those of Ending that were not ignored

/// The first of any kind: from then on SIGTERM and SIGINT do what they do to every program. SIGHUP does nothing: a
/// session's end sends it right after SIGTERM, and nobody means by it that there is no time to end well.
void handle(int signal)
{
    const int before = errno; // of what was interrupted
    for (const int each : Ending)
        if (::sigismember(&taken, each) == 1)
            std::signal(each, each == SIGHUP ? SIG_IGN : SIG_DFL);
    const auto byte = static_cast<unsigned char>(signal);
    [[maybe_unused]] const ssize_t written = ::write(wakeUp[1], &byte, 1);
    errno = before;
}

void takeSignals()
{
    ::sigemptyset(&taken);
    for (const int signal : Ending) {
        struct sigaction before = {};
        if (::sigaction(signal, nullptr, &before) == 0 && before.sa_handler != SIG_IGN)
            ::sigaddset(&taken, signal);
    }
    struct sigaction action = {};
    action.sa_handler = handle;
    action.sa_mask = taken; // one at a time
    action.sa_flags = SA_RESTART;
    for (const int signal : Ending)
        if (::sigismember(&taken, signal) == 1)
            ::sigaction(signal, &action, nullptr);
}

} // namespace

void endOnSignals(std::function<void()> beforeEnd)
{
    if (::pipe2(wakeUp.data(), O_CLOEXEC | O_NONBLOCK) != 0)
        return; // they end the program as they always did
    auto *notifier = new QSocketNotifier(wakeUp[0], QSocketNotifier::Read, QCoreApplication::instance());
    QObject::connect(notifier, &QSocketNotifier::activated, notifier, [beforeEnd = std::move(beforeEnd)] {
        unsigned char signal = 0;
        if (::read(wakeUp[0], &signal, 1) != 1)
            return;
        beforeEnd();
        QCoreApplication::exit(ExitBySignal + signal);
    });
    takeSignals();
}

} // namespace pipescope::app
