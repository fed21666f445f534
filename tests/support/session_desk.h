// A document and what belongs to it, with an engine that the test plays: what tests of views begin with.
#pragma once

#include "ui/session/fake_link.h"

#include "session/document.h"
#include "session/run_controller.h"
#include "session/selection.h"

#include <memory>

namespace pipescope::tests {

struct SessionDesk
{
    session::FakeEngine engine;
    session::Document document;
    session::EngineClient client{[this] { return std::make_unique<session::FakeLink>(engine); }};
    session::RunController controller{document, client};
    session::Selection selection;

    /// A plan for model.pt, and an engine that has greeted.
    void begin(const QString &model = QStringLiteral("model.pt"))
    {
        document.newFor(model);
        client.start();
        engine.greet();
    }
    /// Runs the plan; the engine answers this.
    void finish(const report::TracedRun &run)
    {
        controller.run();
        answer(run);
    }
    /// To the last request.
    template <class T>
    void answer(const T &value) const
    {
        engine.answer(engine.requests.back().id, value);
    }
    /// Of the last request.
    template <class T>
    [[nodiscard]] T asked() const
    {
        return *protocol::fromBody<T>(engine.requests.back().body);
    }
};

} // namespace pipescope::tests
