// A call of the program from outside, and what came back. The program runs in a copy of the test's process, which has
// LibTorch loaded already: a process of its own would take half a second before it begins. tst_cli_ends and the tests
// of the window run the real one.
#pragma once

#include "program.h"

#include <QFloat16>
#include <QString>
#include <QStringList>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <linux/capability.h>
#include <nlohmann/json.hpp>
#include <poll.h>
#include <string>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace pipescope::tests {

struct CliOutcome
{
    int exitCode = -1;
    QString out;
    QString err;

    /// The one JSON object on standard output.
    [[nodiscard]] nlohmann::json object() const { return nlohmann::json::parse(out.toStdString(), nullptr, false); }
    [[nodiscard]] std::string errorMessage() const { return object().at("error").at("message").get<std::string>(); }
    /// What a failing test shows.
    [[nodiscard]] QByteArray shown() const { return (out + err).toUtf8(); }
};

/// Root's for one who is root, or those that everybody has: whom the permissions of files bind.
enum class Rights { Ours, Everybodys };

/// From now on, permissions of files bind this process even where it is root's.
inline void giveUpRights()
{
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> rights{};
    ::syscall(SYS_capget, &header, rights.data());
    constexpr unsigned PastPermissions = 1U << CAP_DAC_OVERRIDE | 1U << CAP_DAC_READ_SEARCH;
    rights[0].effective &= ~PastPermissions;
    rights[0].permitted &= ~PastPermissions; // access() asks for these
    ::syscall(SYS_capset, &header, rights.data());
}

/// What the program writes, each stream with the end that it is read from.
using CliStreams = std::array<std::array<int, 2>, 2>;

/// Never returns: runs the program in `folder` with its output going to `streams`.
[[noreturn]] inline void becomeCli(const std::string &folder, std::vector<std::string> arguments, Rights rights,
                                   const CliStreams &streams)
{
    if (rights == Rights::Everybodys)
        giveUpRights();
    const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    ::dup2(nothing, STDIN_FILENO);
    ::dup2(streams[0][1], STDOUT_FILENO);
    ::dup2(streams[1][1], STDERR_FILENO);
    std::vector<char *> argv;
    for (std::string &argument : arguments)
        argv.push_back(argument.data());
    argv.push_back(nullptr);
    int code = ::chdir(folder.c_str());
    if (code == 0)
        code = app::runProgram(static_cast<int>(arguments.size()), argv.data());
    std::fflush(nullptr);
    ::_exit(code);
}

/// Reads both streams until the program has closed them; false where that took longer than `most`.
inline bool readStreams(const CliStreams &streams, std::array<QByteArray, 2> &texts, std::chrono::milliseconds most)
{
    const auto end = std::chrono::steady_clock::now() + most;
    std::array<pollfd, 2> waits{{{streams[0][0], POLLIN, 0}, {streams[1][0], POLLIN, 0}}};
    while (waits[0].fd >= 0 || waits[1].fd >= 0) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
        if (left.count() <= 0 || ::poll(waits.data(), waits.size(), static_cast<int>(left.count())) <= 0)
            return false;
        for (std::size_t i = 0; i < waits.size(); ++i) {
            std::array<char, 4096> part{};
            if (waits[i].fd < 0 || waits[i].revents == 0)
                continue;
            const ssize_t count = ::read(waits[i].fd, part.data(), part.size());
            if (count > 0)
                texts[i].append(part.data(), count);
            else
                waits[i].fd = -1;
        }
    }
    return true;
}

/// Waits for the program, which runs in `folder`. A crash gives a negative exit code.
inline CliOutcome callCli(const QString &folder, const QStringList &arguments, Rights rights = Rights::Ours)
{
    constexpr std::chrono::minutes Most(2);
    std::vector<std::string> words{"pipescope-cli"};
    for (const QString &argument : arguments)
        words.push_back(argument.toStdString());
    CliStreams streams{};
    CliOutcome outcome;
    if (::pipe2(streams[0].data(), O_CLOEXEC) != 0 || ::pipe2(streams[1].data(), O_CLOEXEC) != 0)
        return outcome;
    std::fflush(nullptr); // or the copy writes once more what this process has not written yet
    const pid_t child = ::fork();
    if (child == 0)
        becomeCli(folder.toStdString(), std::move(words), rights, streams);
    for (const auto &stream : streams)
        ::close(stream[1]);
    std::array<QByteArray, 2> texts;
    if (child > 0 && !readStreams(streams, texts, Most))
        ::kill(child, SIGKILL);
    for (const auto &stream : streams)
        ::close(stream[0]);
    int status = 0;
    if (child < 0 || ::waitpid(child, &status, 0) != child)
        return outcome;
    outcome.exitCode = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    outcome.out = QString::fromUtf8(texts[0]);
    outcome.err = QString::fromUtf8(texts[1]);
    return outcome;
}

} // namespace pipescope::tests
