#include "protocol/message.h"

#include "protocol/codec.h"

#include <fmt/format.h>
#include <utility>

namespace pipescope::protocol {

/// By the names that JSON output has for them.
template <>
struct TextForm<ErrorCode>
{
    static constexpr bool exists = true;
    static std::string write(ErrorCode code) { return std::string(codeName(code)); }
    static Result<ErrorCode> parse(const std::string &text)
    {
        for (int code = 0; code <= static_cast<int>(ErrorCode::Internal); ++code)
            if (codeName(static_cast<ErrorCode>(code)) == text)
                return static_cast<ErrorCode>(code);
        return Error{ErrorCode::InvalidFile, fmt::format("there is no kind of error '{}'", text), {}, {}};
    }
};

namespace {

struct AsError
{
    Error error;
};

void fields(auto &visit, Is<AsError> auto &as)
{
    visit("code", as.error.code);
    visit("message", as.error.message);
    visit("where", as.error.where);
    visit("details", as.error.details);
}

Json bytesOf(const std::string &body)
{
    return Json::binary({body.begin(), body.end()});
}

Json json(const Request &request)
{
    return {{"kind", "request"}, {"id", request.id}, {"method", request.method}, {"body", bytesOf(request.body)}};
}

Json json(const Response &response)
{
    Json object{{"kind", "response"}, {"id", response.id}};
    if (const auto *error = std::get_if<Error>(&response.answer))
        object["error"] = Encoder::encode(AsError{*error});
    else
        object["body"] = bytesOf(std::get<std::string>(response.answer));
    return object;
}

Json json(const Notification &notification)
{
    return {{"kind", "notification"},
            {"id", notification.id},
            {"event", notification.event},
            {"body", bytesOf(notification.body)}};
}

Error unreadable(std::string_view problem)
{
    return {ErrorCode::InvalidFile, fmt::format("a message cannot be read: {}", problem), {}, {}};
}

/// Reads the keys of a message one by one; the first that is wrong is kept.
class Envelope
{
public:
    explicit Envelope(const Json &json)
        : m_json(json)
    {
    }

    [[nodiscard]] bool has(const char *key) const { return m_json.is_object() && m_json.contains(key); }

    template <class T>
    T take(const char *key)
    {
        if (!has(key)) {
            fail(fmt::format("'{}' is missing", key));
            return {};
        }
        Result<T> value = Decoder::decode<T>(m_json.at(key), key);
        if (value)
            return *std::move(value);
        fail(value.error().message);
        return {};
    }

    std::string body()
    {
        if (!has("body") || !m_json.at("body").is_binary()) {
            fail("its body is missing");
            return {};
        }
        const auto &bytes = m_json.at("body").get_binary();
        return {bytes.begin(), bytes.end()};
    }

    /// What was wrong with what was taken; "" when nothing was.
    [[nodiscard]] const std::string &problem() const { return m_problem; }

private:
    void fail(const std::string &problem)
    {
        if (m_problem.empty())
            m_problem = problem;
    }

    const Json &m_json;
    std::string m_problem;
};

} // namespace

std::string toBytes(const Message &message)
{
    return writeCbor(std::visit([](const auto &kind) { return json(kind); }, message));
}

Result<Message> messageFrom(std::string_view bytes)
{
    const Result<Json> read = readCbor(bytes);
    if (!read)
        return read.error();
    Envelope envelope(*read);
    const auto kind = envelope.take<std::string>("kind");
    const auto id = envelope.take<std::int64_t>("id");
    Result<Message> message(Request{});
    if (kind == "request") {
        auto method = envelope.take<std::string>("method");
        *message = Request{id, std::move(method), envelope.body()};
    } else if (kind == "notification") {
        auto event = envelope.take<std::string>("event");
        *message = Notification{id, std::move(event), envelope.body()};
    } else if (kind == "response" && envelope.has("error")) {
        *message = Response{id, envelope.take<AsError>("error").error};
    } else if (kind == "response") {
        *message = Response{id, envelope.body()};
    } else if (envelope.problem().empty()) {
        return unreadable(fmt::format("it is a '{}', which is none of the kinds there are", kind));
    }
    if (!envelope.problem().empty())
        return unreadable(envelope.problem());
    return message;
}

} // namespace pipescope::protocol
