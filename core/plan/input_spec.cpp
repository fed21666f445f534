#include "plan/input_spec.h"

#include "plan/input_text.h"

#include <charconv>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace pipescope::plan {

namespace {

std::string quotedText(const std::string &text)
{
    std::string result = "\"";
    for (const char c : text) {
        switch (c) {
        case '\n':
            result += "\\n";
            break;
        case '\t':
            result += "\\t";
            break;
        case '\r':
            result += "\\r";
            break;
        case '"':
        case '\\':
            result += '\\';
            [[fallthrough]];
        default:
            result += c;
        }
    }
    return result + "\"";
}

std::string realText(double value)
{
    std::array<char, 64> buffer{};
    const auto [end, problem] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
    std::string text(buffer.data(), end);
    // Must read back as a real number.
    return text.find_first_of(".einf") == std::string::npos ? text + ".0" : text;
}

std::string valueText(const InputValue &value);

std::string joined(const std::vector<InputValue> &items)
{
    std::string text;
    for (const InputValue &item : items)
        text += (text.empty() ? "" : ", ") + valueText(item);
    return text;
}

struct Printer
{
    std::string operator()(const InputValue::None &) const { return "none"; }
    std::string operator()(bool value) const { return value ? "true" : "false"; }
    std::string operator()(std::int64_t value) const { return std::to_string(value); }
    std::string operator()(double value) const { return realText(value); }
    std::string operator()(const std::string &value) const { return quotedText(value); }
    std::string operator()(const TensorSpec &spec) const
    {
        std::string text = fmt::format("{}[{}]", spec.dtype, fmt::join(spec.sizes, ","));
        if (spec.low != 0)
            text += fmt::format(">={}", spec.low);
        if (spec.high != 0 || spec.low != 0)
            text += fmt::format("<{}", spec.high);
        return spec.seed ? text + fmt::format("#{}", *spec.seed) : text;
    }
    std::string operator()(const FileSpec &file) const { return "@" + quotedText(file.path); }
    std::string operator()(const InputValue::List &list) const { return "[" + joined(list.items) + "]"; }
    std::string operator()(const InputValue::Tuple &tuple) const
    {
        return "(" + joined(tuple.items) + (tuple.items.size() == 1 ? ",)" : ")");
    }
    std::string operator()(const InputValue::Dict &dict) const
    {
        std::string text;
        for (const auto &[name, item] : dict.entries)
            text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", quotedText(name), valueText(item));
        return "{" + text + "}";
    }
};

std::string valueText(const InputValue &value)
{
    return std::visit(Printer{}, value.node);
}

} // namespace

Result<InputSpec> parseInputSpec(std::string_view text)
{
    return InputParser(text).run();
}

std::string toText(const InputSpec &spec)
{
    return (spec.name.empty() ? "" : spec.name + "=") + valueText(spec.value);
}

} // namespace pipescope::plan
