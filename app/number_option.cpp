#include "number_option.h"

#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <system_error>

namespace pipescope::app {

namespace {

/// Of the whole text.
template <class Number>
std::optional<Number> parse(const std::string &text)
{
    Number number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

/// `isAllowed` of what was read; the text becomes the number as CLI11 reads it without doubt.
template <class Number, class Allowed>
CLI::Validator numberThat(const std::string &what, Allowed isAllowed)
{
    const auto check = [what, isAllowed](std::string &text) -> std::string {
        const std::optional<Number> number = parse<Number>(text);
        if (!number || !isAllowed(*number))
            return fmt::format("expected {}, found '{}'", what, text);
        text = fmt::format("{}", *number);
        return {};
    };
    return CLI::Validator(check, ""); // without a description, which --help would show
}

} // namespace

CLI::Validator wholeNumber(std::int64_t least, std::int64_t most)
{
    return numberThat<std::int64_t>(fmt::format("a whole number from {} to {}", least, most),
                                    [least, most](std::int64_t number) { return least <= number && number <= most; });
}

CLI::Validator seedNumber()
{
    return numberThat<std::uint64_t>("a whole number from 0 to 2^64 - 1", [](std::uint64_t) { return true; });
}

CLI::Validator tolerance()
{
    return numberThat<double>("a finite number that is not negative",
                              [](double number) { return std::isfinite(number) && number >= 0; });
}

} // namespace pipescope::app
