#include "base/spec_reader.h"
#include "plan/input_spec.h"

#include <cstdint>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <type_traits>
#include <variant>

namespace pipescope::plan {

namespace {

std::string valueText(const InputValue &value);

std::string joined(const std::vector<InputValue> &items)
{
    std::string text;
    for (const InputValue &item : items)
        text += (text.empty() ? "" : ", ") + valueText(item);
    return text;
}

bool readsBackBare(std::string_view path)
{
    constexpr std::string_view special = " \t\r\n,()[]{}'\"\\";
    return path.find_first_of(special) == std::string_view::npos && quotedText(path).size() == path.size() + 2;
}

struct Printer
{
    std::string operator()(InputValue::None) const { return "none"; }
    std::string operator()(bool value) const { return value ? "true" : "false"; }
    std::string operator()(std::int64_t value) const { return std::to_string(value); }
    std::string operator()(double value) const
    {
        const std::string text = fmt::format("{}", value); // the shortest that reads back the same
        return text.find_first_not_of("-0123456789") == std::string::npos ? text + ".0" : text;
    }
    std::string operator()(const std::string &value) const { return quotedText(value); }
    std::string operator()(const TensorSpec &spec) const
    {
        std::string text = fmt::format("{}[{}]", spec.dtype, fmt::join(spec.sizes, ","));
        if (spec.low != 0)
            text += fmt::format(">={}", spec.low);
        if (spec.low != 0 || spec.high != 0)
            text += fmt::format("<{}", spec.high);
        if (spec.reals && spec.reals->low != 0)
            text += fmt::format(">={}", spec.reals->low);
        if (spec.reals)
            text += fmt::format("<{}", spec.reals->high);
        if (spec.seed)
            text += fmt::format("#{}", *spec.seed);
        return text;
    }
    std::string operator()(const FileSpec &file) const
    {
        return "@" + (readsBackBare(file.path) ? file.path : quotedText(file.path));
    }
    std::string operator()(const InputValue::List &list) const { return fmt::format("[{}]", joined(list.items)); }
    std::string operator()(const InputValue::Tuple &tuple) const
    {
        return fmt::format("({}{})", joined(tuple.items), tuple.items.size() == 1 ? "," : "");
    }
    std::string operator()(const InputValue::Dict &dict) const
    {
        std::string text;
        for (const auto &[key, value] : dict.entries)
            text += (text.empty() ? "" : ", ") + keyText(key) + ": " + valueText(value);
        return "{" + text + "}";
    }
};

std::string valueText(const InputValue &value)
{
    return std::visit(Printer{}, value.node);
}

} // namespace

bool operator==(const InputValue::Dict &a, const InputValue::Dict &b)
{
    return a.entries == b.entries;
}

bool isPlain(const InputValue &value)
{
    return std::visit(
        [](const auto &node) {
            using Node = std::decay_t<decltype(node)>;
            return std::is_same_v<Node, InputValue::None> || std::is_same_v<Node, bool> ||
                   std::is_same_v<Node, std::int64_t> || std::is_same_v<Node, double> ||
                   std::is_same_v<Node, std::string>;
        },
        value.node);
}

std::string toText(const InputSpec &spec)
{
    return (spec.name.empty() ? "" : spec.name + "=") + valueText(spec.value);
}

} // namespace pipescope::plan
