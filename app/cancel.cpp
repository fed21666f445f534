#include "cancel.h"

#include <csignal>
#include <pthread.h>
#include <system_error>
#include <thread>
#include <unistd.h>

namespace pipescope::app {

namespace {

/// With the signals blocked in every thread, one thread takes them as they come: nothing runs in a signal handler,
/// where hardly anything may.
void takeSignals(const sigset_t &signals, std::stop_source source)
{
    int signal = 0;
    if (sigwait(&signals, &signal) != 0)
        return;
    constexpr char text[] = "\nStopping; once more ends it at once.\n";
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text, sizeof text - 1);
    source.request_stop();
    if (sigwait(&signals, &signal) != 0)
        return;
    std::signal(signal, SIG_DFL);
    pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
    raise(signal);
}

} // namespace

std::stop_token stopOnInterrupt()
{
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
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
