#include "trace/json_look.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace pipescope::trace {

namespace {

using Json = nlohmann::json;

constexpr std::size_t MostKeys = 4;
constexpr std::size_t LongestKey = 40;

/// Counts containers around what the parser is at; what is deeper than three is of no interest.
class Looker : public nlohmann::json_sax<Json>
{
public:
    explicit Looker(const std::stop_token &stop)
        : m_stop(stop)
    {
    }

    JsonLook look;

    bool null() override { return value(); }
    bool boolean(bool /*value*/) override { return value(); }
    bool number_integer(number_integer_t /*value*/) override { return value(); }
    bool number_unsigned(number_unsigned_t /*value*/) override { return value(); }
    bool number_float(number_float_t /*value*/, const string_t & /*text*/) override { return value(); }
    bool string(string_t & /*value*/) override { return value(); }
    bool binary(binary_t & /*value*/) override { return value(); }

    bool start_object(std::size_t /*size*/) override
    {
        const bool goesOn = value();
        if (++m_depth == 1)
            look.root = JsonLook::Root::Object;
        else if (m_depth == 2 && m_key == "pipescope")
            look.hasOwn = true;
        return goesOn;
    }

    bool key(string_t &name) override
    {
        if (m_depth == 1) {
            m_key = name;
            ++look.count;
            if (look.keys.size() < MostKeys)
                look.keys.push_back(shortened(name));
        } else if (m_depth == 2 && look.root == JsonLook::Root::List && name == "ph") {
            look.hasEvents = true;
        }
        return true;
    }

    bool start_array(std::size_t /*size*/) override
    {
        const bool goesOn = value();
        if (++m_depth == 1)
            look.root = JsonLook::Root::List;
        else if (m_depth == 2 && m_key == "traceEvents")
            look.hasEvents = true;
        return goesOn;
    }

    bool end_object() override { return end(); }
    bool end_array() override { return end(); }

    bool parse_error(std::size_t position, const std::string & /*token*/,
                     const nlohmann::detail::exception & /*problem*/) override
    {
        look.brokenAt = std::max<std::size_t>(position, 1);
        return false;
    }

private:
    static std::string shortened(const std::string &name)
    {
        if (name.size() <= LongestKey)
            return name;
        std::size_t end = LongestKey;
        while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xc0) == 0x80) // not inside of a character
            --end;
        return name.substr(0, end) + "…";
    }

    bool value()
    {
        look.count += m_depth == 1 && look.root == JsonLook::Root::List ? 1 : 0;
        return !m_stop.stop_requested();
    }

    bool end()
    {
        --m_depth;
        return !m_stop.stop_requested();
    }

    const std::stop_token &m_stop;
    std::size_t m_depth = 0;
    std::string m_key; // of the root that is being read
};

std::string keysText(const JsonLook &look)
{
    std::string text = look.count == 1 ? "the key" : "the keys";
    for (std::size_t i = 0; i < look.keys.size(); ++i) {
        const bool isLast = i + 1 == look.count;
        text += fmt::format("{} '{}'", i == 0 ? "" : isLast ? " and" : ",", look.keys[i]);
    }
    return look.count > look.keys.size() ? fmt::format("{} and {} more", text, look.count - look.keys.size()) : text;
}

} // namespace

JsonLook lookAtJson(std::string_view text, const std::stop_token &stop)
{
    Looker looker(stop);
    Json::sax_parse(text, &looker);
    return std::move(looker.look);
}

std::string toText(const JsonLook &look)
{
    if (look.brokenAt > 0)
        return fmt::format("no JSON from byte {} on", look.brokenAt);
    if (look.root == JsonLook::Root::Object)
        return look.count == 0 ? "an empty object" : "an object with " + keysText(look);
    if (look.root == JsonLook::Root::List)
        return look.count == 0 ? "an empty list" : fmt::format("a list of {}", look.count);
    return "a single value";
}

} // namespace pipescope::trace
