// The messages between the window and the engine, `pipescope-cli serve`: requests are answered by one response each, in
// any order; notifications go from the engine to the window while a request is being worked on. In the manner of the
// Debug Adapter Protocol, with CBOR in place of JSON text. docs/protocol.md has all of it.
#pragma once

#include "base/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

namespace pipescope::protocol {

/// Both sides say theirs in `hello`; a window and an engine of different versions do not work together. No release
/// has this version yet: until one does, its messages may change.
inline constexpr int Version = 2;

/// A body is the CBOR of the method's struct; bodies.h reads and writes it.
struct Request
{
    std::int64_t id = 0; ///< chosen by the window, each one once
    std::string method;  ///< "load", "run", ...
    std::string body;

    friend bool operator==(const Request &, const Request &) = default;
};

struct Response
{
    std::int64_t id = 0;                     ///< of the request; 0 where a request could not be read
    std::variant<std::string, Error> answer; ///< the body, or why there is none

    friend bool operator==(const Response &, const Response &) = default;
};

struct Notification
{
    std::int64_t id = 0; ///< of the request it is about; 0 for none
    std::string event;   ///< "progress", "warning", ...
    std::string body;

    friend bool operator==(const Notification &, const Notification &) = default;
};

using Message = std::variant<Request, Response, Notification>;

/// The payload of a frame.
[[nodiscard]] std::string toBytes(const Message &message);
/// Error: InvalidFile saying what is wrong with it.
Result<Message> messageFrom(std::string_view bytes);

} // namespace pipescope::protocol
