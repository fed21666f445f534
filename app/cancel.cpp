#include "cancel.h"

#include <csignal>
#include <pthread.h>
#include <system_error>
#include <thread>
#include <unistd.h>

namespace pipescope::app {

namespace {

/// Those that end a program and are not ignored, as nohup and a shell's background have it: one that is ignored and
/// blocked would be waited for all the same.
sigset_t endingSignals()
{
    sigset_t signals;
    sigemptyset(&signals);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        struct sigaction now = {};
        if (sigaction(signal, nullptr, &now) == 0 && now.sa_handler != SIG_IGN)
            sigaddset(&signals, signal);
    }
    return signals;
}

/// With the signals blocked in every thread, one thread takes them as they come: nothing runs in a signal handler,
/// where hardly anything may.
void takeSignals(const sigset_t &signals, const std::stop_source &source)
{
    int signal = 0;
    // A closed terminal is told of by the shell and by the system, and the end of a session by SIGTERM and SIGHUP at
    // once: nobody means by it that there is no time to end well.
    for (int asked = 0; asked < 2; asked += signal == SIGHUP ? 0 : 1) {
        if (sigwait(&signals, &signal) != 0)
            return;
        if (source.stop_requested())
            continue;
        constexpr char text[] = "\nStopping; once more ends it at once.\n";
        [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text, sizeof text - 1);
        source.request_stop();
    }
    std::signal(signal, SIG_DFL);
    pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
    raise(signal);
}

} // namespace

std::stop_token stopOnInterrupt()
{
    const sigset_t signals = endingSignals();
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    std::stop_source source;
    std::stop_token token = source.get_token();
    try {
        std::thread(takeSignals, signals, std::move(source)).detach();
    } catch (const std::system_error &) { // no thread to take them: they end the program as they always did
        pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
    }
    return token;
}

} // namespace pipescope::app
