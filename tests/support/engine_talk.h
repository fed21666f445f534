// The window's end of a conversation with an engine, for tests: over two descriptors, one message at a time.
#pragma once

#include "protocol/bodies.h"
#include "protocol/frame.h"
#include "protocol/message.h"
#include "report/traced_run.h"

#include <array>
#include <chrono>
#include <cstdint>
#include <fmt/format.h>
#include <optional>
#include <poll.h>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

namespace pipescope::testing {

class EngineTalk
{
public:
    /// Neither descriptor becomes this object's. A message that is larger ends the conversation.
    EngineTalk(int toEngine, int fromEngine, std::uint32_t maxFrameBytes = protocol::MaxFrameBytes)
        : m_to(toEngine)
        , m_from(fromEngine)
        , m_frames(maxFrameBytes)
    {
    }

    void sendBytes(std::string_view bytes) const
    {
        while (!bytes.empty()) {
            const ssize_t written = ::write(m_to, bytes.data(), bytes.size());
            if (written <= 0)
                return;
            bytes.remove_prefix(static_cast<std::size_t>(written));
        }
    }

    void send(const protocol::Message &message) const { sendBytes(*protocol::frameOf(protocol::toBytes(message))); }

    template <class Call>
    void ask(std::int64_t id, const typename Call::Request &request) const
    {
        send(protocol::Request{id, std::string(Call::method), protocol::toBody(request)});
    }

    /// The next message; nullopt where none comes within half a minute, or the stream ends.
    std::optional<protocol::Message> next()
    {
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
        while (std::chrono::steady_clock::now() < end) {
            auto frame = m_frames.next();
            if (!frame)
                return std::nullopt;
            if (*frame) {
                auto message = protocol::messageFrom(**frame);
                return message ? std::optional(*std::move(message)) : std::nullopt;
            }
            pollfd ready{m_from, POLLIN, 0};
            if (::poll(&ready, 1, 100) <= 0)
                continue;
            std::array<char, 65536> bytes{};
            const ssize_t count = ::read(m_from, bytes.data(), bytes.size());
            if (count <= 0)
                return std::nullopt;
            m_frames.feed({bytes.data(), static_cast<std::size_t>(count)});
        }
        return std::nullopt;
    }

    /// The next response; what is told before it is kept in `notifications`.
    std::optional<protocol::Response> response()
    {
        while (auto message = next()) {
            if (auto *told = std::get_if<protocol::Notification>(&*message))
                notifications.push_back(std::move(*told));
            else if (auto *response = std::get_if<protocol::Response>(&*message))
                return std::move(*response);
        }
        return std::nullopt;
    }

    /// The answer of the next response, which must be that of `id`.
    template <class Call>
    Result<typename Call::Answer> answer(std::int64_t id)
    {
        const auto response = this->response();
        if (!response)
            return Error{ErrorCode::Internal, "no response came", {}, {}};
        if (response->id != id)
            return Error{ErrorCode::Internal, fmt::format("the response to {} came", response->id), {}, {}};
        if (const auto *error = std::get_if<Error>(&response->answer))
            return *error;
        return protocol::fromBody<typename Call::Answer>(std::get<std::string>(response->answer));
    }

    /// Of the next response, which must be that of the run `id`, with the trace that was told before it.
    Result<report::TracedRun> run(std::int64_t id)
    {
        Result<report::RunReport> report = answer<protocol::RunCall>(id);
        if (!report)
            return report.error();
        trace::TraceCollector parts;
        for (const protocol::Notification &told : notifications) {
            if (told.id != id || told.event != protocol::TraceEvent)
                continue;
            Result<trace::TracePart> part = protocol::fromBody<trace::TracePart>(told.body);
            if (!part)
                return part.error();
            parts.add(*std::move(part));
        }
        return report::withTrace(*std::move(report), std::move(parts));
    }

    std::vector<protocol::Notification> notifications;

private:
    const int m_to;
    const int m_from;
    protocol::FrameReader m_frames;
};

} // namespace pipescope::testing
