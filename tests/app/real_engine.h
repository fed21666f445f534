// The engine as the window starts it, and how long a test waits for what it does.
#pragma once

#include "session/engine_client.h"
#include "session/process_link.h"

#include <QString>
#include <QStringList>
#include <memory>

namespace pipescope::tests {

inline constexpr int Long = 60'000; ///< ms; for what comes sooner on any machine that is not stuck

/// Started through `command` as one on another machine is: "ssh host".
inline session::MakeLink realEngine(const QStringList &command = {})
{
    return [command] {
        return std::make_unique<session::ProcessLink>(command + QStringList{QStringLiteral(PIPESCOPE_CLI), "serve"});
    };
}

} // namespace pipescope::tests
