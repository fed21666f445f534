// A client of an engine that the test plays, for the tests of EngineClient.
#pragma once

#include "fake_link.h"
#include "session/engine_client.h"

#include <QString>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace pipescope::session {

/// A client, its engine, and how each request ended: "ok", or the error's message.
struct Table
{
    FakeEngine engine;
    EngineClient client{[this] { return std::make_unique<FakeLink>(engine); }};
    std::vector<std::string> outcomes;

    std::int64_t load(const QString &title = QStringLiteral("loading model.pt"))
    {
        return client.ask<protocol::LoadCall>(title, {}, [this](const Result<report::Inspection> &answer) {
            outcomes.push_back(answer ? "ok" : answer.error().message);
        });
    }
    /// Started and greeted.
    void begin()
    {
        client.start();
        engine.greet();
    }
};

} // namespace pipescope::session
