// Any bytes as the other side of a conversation: as a stream of frames, as a message, and as the body of each kind.
// Reading ends with a value or an error, and a value that was read is written and read back the same.
// tests/data/conversation has one to begin with.
#include "protocol/bodies.h"
#include "protocol/frame.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

using namespace pipescope;

namespace {

template <class T>
void readBody(std::string_view bytes)
{
    const Result<T> value = protocol::fromBody<T>(bytes);
    if (!value) {
        PIPESCOPE_ASSERT(value.error().code == ErrorCode::InvalidFile && !value.error().message.empty());
        return;
    }
    const std::string written = protocol::toBody(*value);
    const Result<T> again = protocol::fromBody<T>(written);
    PIPESCOPE_ASSERT(again && protocol::toBody(*again) == written); // NaNs are not equal to themselves
}

template <class... Calls>
void readBodiesOf(std::string_view bytes)
{
    (readBody<typename Calls::Request>(bytes), ...);
    (readBody<typename Calls::Answer>(bytes), ...);
}

void readBodies(std::string_view bytes)
{
    readBodiesOf<protocol::HelloCall, protocol::LoadCall, protocol::RunCall, protocol::StatisticsCall,
                 protocol::SplitCall, protocol::CancelCall>(bytes);
    readBody<protocol::ProgressNote>(bytes);
    readBody<protocol::TextNote>(bytes);
    readBody<protocol::MemoryNote>(bytes);
    readBody<trace::TracePart>(bytes);
}

void readMessage(std::string_view bytes)
{
    const Result<protocol::Message> message = protocol::messageFrom(bytes);
    if (!message) {
        PIPESCOPE_ASSERT(message.error().code == ErrorCode::InvalidFile && !message.error().message.empty());
        return;
    }
    const Result<protocol::Message> again = protocol::messageFrom(protocol::toBytes(*message));
    PIPESCOPE_ASSERT(again && *again == *message);
    if (const auto *request = std::get_if<protocol::Request>(&*message))
        readBodies(request->body);
    else if (const auto *notification = std::get_if<protocol::Notification>(&*message))
        readBodies(notification->body);
    else if (const auto *body = std::get_if<std::string>(&std::get<protocol::Response>(*message).answer))
        readBodies(*body);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const std::string_view bytes(reinterpret_cast<const char *>(data), size);
    readMessage(bytes);
    readBodies(bytes);
    protocol::FrameReader reader(1U << 20);
    for (const std::string_view half : {bytes.substr(0, size / 2), bytes.substr(size / 2)}) {
        reader.feed(half);
        auto payload = reader.next();
        for (; payload && *payload; payload = reader.next())
            readMessage(**payload);
        PIPESCOPE_ASSERT(payload || payload.error().code == ErrorCode::InvalidFile);
    }
    return 0;
}
