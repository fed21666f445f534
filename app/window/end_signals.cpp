#include "end_signals.h"

#include <QCoreApplication>
#include <QSocketNotifier>
#include <array>
#include <csignal>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

namespace pipescope::app {

namespace {

constexpr int ExitBySignal = 128; // and the signal's number, as shells have it

std::array<int, 2> wakeUp{-1, -1}; // a signal's handler can hardly do more than write to it

void handle(int signal)
{
    const auto byte = static_cast<unsigned char>(signal);
    [[maybe_unused]] const ssize_t written = ::write(wakeUp[1], &byte, 1);
    std::signal(signal, SIG_DFL);
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
    for (const int signal : {SIGTERM, SIGINT, SIGHUP}) {
        struct sigaction before = {};
        if (::sigaction(signal, nullptr, &before) == 0 && before.sa_handler != SIG_IGN)
            std::signal(signal, handle);
    }
}

} // namespace pipescope::app
