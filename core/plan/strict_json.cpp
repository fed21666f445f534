#include "plan/strict_json.h"

#include <cstddef>
#include <fmt/format.h>
#include <functional>
#include <optional>
#include <set>
#include <vector>

namespace pipescope::plan {

namespace {

constexpr int DeepestNesting = 2; // the plan itself, and one list or object inside

// What a JSON reader lets pass silently: the last of two equal keys wins, and nesting costs memory.
class Strictness
{
public:
    bool operator()(int depth, Json::parse_event_t event, Json &json)
    {
        const auto level = static_cast<std::size_t>(depth);
        if (event == Json::parse_event_t::object_start || event == Json::parse_event_t::array_start) {
            m_tooDeep |= depth >= DeepestNesting;
            m_keys.resize(level + 1);
            m_keys[level].clear();
        }
        if (event == Json::parse_event_t::key && !m_tooDeep &&
            !m_keys[level - 1].insert(json.get<std::string>()).second)
            m_twice = json.get<std::string>();
        return !m_tooDeep;
    }

    Status verdict() const
    {
        if (m_tooDeep)
            return invalid({}, "nested deeper than a plan is");
        if (m_twice)
            return invalid(*m_twice, "the key is there twice");
        return Success{};
    }

private:
    std::vector<std::set<std::string>> m_keys; // by depth
    std::optional<std::string> m_twice;
    bool m_tooDeep = false;
};

} // namespace

Error invalid(const std::string &where, std::string_view problem)
{
    return {ErrorCode::InvalidFile,
            where.empty() ? std::string(problem) : fmt::format("{}: {}", where, problem),
            where,
            {}};
}

Result<Json> parseStrictly(std::string_view text)
{
    Strictness strictness;
    try {
        Json json = Json::parse(text, std::ref(strictness));
        if (auto ok = strictness.verdict(); !ok)
            return ok.error();
        if (!json.is_object())
            return invalid({}, fmt::format("expected a JSON object, found {}", json.type_name()));
        return json;
    } catch (const Json::exception &error) {
        const std::string_view message = error.what();
        const std::size_t name = message.find("] ");
        return invalid({}, fmt::format("this is not valid JSON: {}",
                                       name == std::string_view::npos ? message : message.substr(name + 2)));
    }
}

} // namespace pipescope::plan
