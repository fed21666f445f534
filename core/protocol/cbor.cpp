#include "protocol/cbor.h"

#include <fmt/format.h>

namespace pipescope::protocol {

namespace {

/// Follows the reader and stops it where a bound is passed.
class Bounds : public nlohmann::json_sax<Json>
{
public:
    [[nodiscard]] const std::string &problem() const { return m_problem; }

    bool null() override { return count(); }
    bool boolean(bool) override { return count(); }
    bool number_integer(number_integer_t) override { return count(); }
    bool number_unsigned(number_unsigned_t) override { return count(); }
    bool number_float(number_float_t, const string_t &) override { return count(); }
    bool string(string_t &) override { return count(); }
    bool binary(binary_t &) override { return count(); }
    bool key(string_t &) override { return true; }
    bool start_object(std::size_t) override { return enter(); }
    bool start_array(std::size_t) override { return enter(); }
    bool end_object() override { return leave(); }
    bool end_array() override { return leave(); }
    bool parse_error(std::size_t at, const std::string &, const nlohmann::detail::exception &) override
    {
        return fail(fmt::format("it is no CBOR at byte {}", at));
    }

private:
    bool fail(std::string problem)
    {
        m_problem = std::move(problem);
        return false;
    }

    bool count() { return ++m_values <= MaxValues || fail(fmt::format("it holds more than {} values", MaxValues)); }

    bool enter()
    {
        if (++m_depth > MaxNesting)
            return fail(fmt::format("it is nested more than {} levels deep", MaxNesting));
        return count();
    }

    bool leave()
    {
        --m_depth;
        return true;
    }

    std::string m_problem;
    std::size_t m_values = 0;
    int m_depth = 0;
};

} // namespace

Result<Json> readCbor(std::string_view bytes)
{
    Bounds bounds;
    if (!Json::sax_parse(bytes, &bounds, Json::input_format_t::cbor))
        return Error{ErrorCode::InvalidFile, "a message cannot be read: " + bounds.problem(), {}, {}};
    return Json::from_cbor(bytes);
}

std::string writeCbor(const Json &value)
{
    std::string bytes;
    Json::to_cbor(value, bytes);
    return bytes;
}

} // namespace pipescope::protocol
