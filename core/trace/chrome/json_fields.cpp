#include "trace/chrome/json_fields.h"

#include "trace/check_trace.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <utility>

namespace pipescope::trace {

Error notOurTrace(const std::string &where, const std::string &what)
{
    return {ErrorCode::InvalidFile, fmt::format("not a trace Pipescope wrote: {}: {}", where, what), where, {}};
}

JsonFields::JsonFields(const nlohmann::json &object, std::string where)
    : m_object(object)
    , m_where(std::move(where))
{
}

std::int64_t JsonFields::integer(const char *key, std::int64_t low, std::int64_t high)
{
    const auto found = m_object.find(key);
    if (found == m_object.end() || !found->is_number_integer()) {
        fail(key, found == m_object.end() ? "is missing" : "is no integer");
        return low;
    }
    // Numbers above the signed range are kept unsigned by the parser.
    const bool isHuge = found->is_number_unsigned() && std::cmp_greater(found->get<std::uint64_t>(), high);
    const std::int64_t value = isHuge ? high : found->get<std::int64_t>();
    if (isHuge || value < low || value > high) {
        fail(key, fmt::format("is not from {} to {}", low, high));
        return low;
    }
    return value;
}

int JsonFields::number(const char *key, int low, int high)
{
    return static_cast<int>(integer(key, low, high));
}

int JsonFields::numberIfThere(const char *key, int low, int high)
{
    return m_object.contains(key) ? number(key, low, high) : low;
}

std::string JsonFields::text(const char *key)
{
    const auto found = m_object.find(key);
    if (found == m_object.end() || !found->is_string()) {
        fail(key, found == m_object.end() ? "is missing" : "is no text");
        return {};
    }
    std::string text = found->get<std::string>();
    if (text.size() > LongestText) {
        fail(key, fmt::format("is longer than {} bytes", LongestText));
        return {};
    }
    return text;
}

std::string JsonFields::textIfThere(const char *key, std::string_view otherwise)
{
    return m_object.contains(key) ? text(key) : std::string(otherwise);
}

void JsonFields::fail(const char *key, const std::string &what)
{
    if (!m_error)
        m_error = notOurTrace(m_where, fmt::format("'{}' {}", key, what));
}

} // namespace pipescope::trace
