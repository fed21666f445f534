// An engine that a test plays itself: what the window sends is kept, what it gets is said.
#pragma once

#include "protocol/bodies.h"
#include "protocol/frame.h"
#include "protocol/message.h"
#include "report/traced_run.h"
#include "session/engine_link.h"

#include <QPointer>
#include <chrono>
#include <optional>
#include <vector>

namespace pipescope::session {

/// What a test knows of the engine; the links come and go.
struct FakeEngine
{
    QPointer<EngineLink> link; ///< of the last start
    int starts = 0;
    QString elsewhere; ///< of the links to come: EngineLink::elsewhere
    bool closed = false;
    std::optional<std::chrono::milliseconds> waitedFor;  ///< its end, at most so long
    std::optional<std::chrono::milliseconds> goesWithin; ///< of the link that was given up last
    std::vector<protocol::Request> requests;
    protocol::FrameReader frames;

    void sayBytes(std::string_view bytes) const
    {
        Q_EMIT link->received(QByteArray(bytes.data(), static_cast<qsizetype>(bytes.size())));
    }
    void say(const protocol::Message &message) const { sayBytes(*protocol::frameOf(protocol::toBytes(message))); }
    void tell(std::int64_t id, const trace::TracePart &part) const
    {
        say(protocol::Notification{id, std::string(protocol::TraceEvent), protocol::toBody(part)});
    }
    /// A run: its trace in one part, then all else of it.
    void answer(std::int64_t id, const report::TracedRun &run) const
    {
        const trace::Trace &trace = run.trace;
        report::RunReport report = run;
        if (trace != trace::Trace()) {
            report.traced = {0, 1, static_cast<std::int64_t>(trace.events.size()),
                             static_cast<std::int64_t>(trace.memory.size())};
            tell(id, {0, 0, trace});
        }
        say(protocol::Response{id, protocol::toBody(report)});
    }
    template <class T>
    void answer(std::int64_t id, const T &value) const
    {
        say(protocol::Response{id, protocol::toBody(value)});
    }
    void greet() const
    {
        protocol::Welcome welcome;
        welcome.engine = "fake";
        answer(requests.at(0).id, welcome);
    }
};

class FakeLink : public EngineLink
{
public:
    explicit FakeLink(FakeEngine &engine)
        : m_engine(engine)
        , m_elsewhere(engine.elsewhere)
    {
    }

    [[nodiscard]] QString elsewhere() const override { return m_elsewhere; }
    void start() override
    {
        m_engine.link = this;
        ++m_engine.starts;
        m_engine.closed = false;
        m_engine.requests.clear();
        m_engine.frames = protocol::FrameReader();
    }
    void send(const QByteArray &bytes) override
    {
        m_engine.frames.feed({bytes.constData(), static_cast<std::size_t>(bytes.size())});
        for (auto frame = m_engine.frames.next(); frame && *frame; frame = m_engine.frames.next())
            m_engine.requests.push_back(std::get<protocol::Request>(*protocol::messageFrom(**frame)));
    }
    void close() override { m_engine.closed = true; }
    bool waitForEnd(std::chrono::milliseconds atMost) override
    {
        m_engine.waitedFor = atMost;
        return false;
    }
    void goWithin(std::chrono::milliseconds atMost) override
    {
        m_engine.goesWithin = atMost;
        EngineLink::goWithin(atMost);
    }

private:
    FakeEngine &m_engine;
    const QString m_elsewhere;
};

} // namespace pipescope::session
