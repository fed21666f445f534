// Permissions do not bind root, who runs the tests in containers: while one of these lives, nobody runs them.
#pragma once

#include <QtGlobal>
#include <string>
#include <unistd.h>

namespace pipescope::tests {

class AsOtherUser
{
public:
    /// Gives `folder`, which the test writes to, to that user. Does nothing where the user is not root.
    explicit AsOtherUser(const std::string &folder)
        : m_isRoot(::geteuid() == 0)
    {
        if (m_isRoot && (::chown(folder.c_str(), Nobody, gid_t(-1)) != 0 || ::setresuid(Nobody, Nobody, 0) != 0))
            qFatal("root may not become another user here");
    }
    ~AsOtherUser()
    {
        if (m_isRoot && ::setresuid(0, 0, 0) != 0)
            qFatal("root may not become root again");
    }
    AsOtherUser(const AsOtherUser &) = delete;
    AsOtherUser &operator=(const AsOtherUser &) = delete;

private:
    static constexpr uid_t Nobody = 65534;
    const bool m_isRoot;
};

} // namespace pipescope::tests
