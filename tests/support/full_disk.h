// A disk that is full: while one of these lives, no file grows beyond some bytes.
#pragma once

#include <QtGlobal>
#include <csignal>
#include <sys/resource.h>

namespace pipescope::tests {

class FullDisk
{
public:
    explicit FullDisk(rlim_t room = 0)
        : m_signal(std::signal(SIGXFSZ, SIG_IGN)) // so that a write fails, as it does for want of room
    {
        if (::getrlimit(RLIMIT_FSIZE, &m_before) != 0)
            qFatal("no limits here");
        const rlimit few{room, m_before.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &few);
    }
    ~FullDisk()
    {
        ::setrlimit(RLIMIT_FSIZE, &m_before);
        std::signal(SIGXFSZ, m_signal);
    }
    FullDisk(const FullDisk &) = delete;
    FullDisk &operator=(const FullDisk &) = delete;

private:
    void (*m_signal)(int);
    rlimit m_before{};
};

} // namespace pipescope::tests
