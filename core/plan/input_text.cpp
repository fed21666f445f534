#include "plan/input_text.h"

#include "base/text.h"
#include "plan/dtypes.h"

#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>

namespace pipescope::plan {

namespace {

constexpr int DeepestNesting = 64;
constexpr std::size_t LongestText = 1 << 20;
constexpr std::int64_t MostElements = std::int64_t{1} << 40;

bool isWordStart(char c)
{
    return std::isalpha(static_cast<unsigned char>(c)) || c == '_';
}

bool isWordPart(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

} // namespace

Error InputParser::refuse(std::size_t at, const std::string &why) const
{
    return {ErrorCode::InvalidArgument, fmt::format("input '{}', column {}: {}", m_text.substr(0, 120), at + 1, why),
            std::string(m_text.substr(0, 120)), {}};
}

Error InputParser::expected(std::string_view what) const
{
    const std::string found = m_at < m_text.size() ? fmt::format("'{}'", m_text.substr(m_at, 12)) : "the end";
    return refuse(m_at, fmt::format("expected {}, found {}", what, found));
}

void InputParser::skipBlanks()
{
    while (m_at < m_text.size() && std::isspace(static_cast<unsigned char>(m_text[m_at])))
        ++m_at;
}

bool InputParser::take(std::string_view token)
{
    skipBlanks();
    if (!m_text.substr(m_at).starts_with(token))
        return false;
    m_at += token.size();
    return true;
}

bool InputParser::atWord() const
{
    return m_at < m_text.size() && isWordStart(m_text[m_at]);
}

std::string InputParser::word()
{
    const std::size_t start = m_at;
    while (m_at < m_text.size() && isWordPart(m_text[m_at]))
        ++m_at;
    return std::string(m_text.substr(start, m_at - start));
}

Result<InputSpec> InputParser::run()
{
    if (m_text.size() > LongestText)
        return Error{ErrorCode::InvalidArgument, "an input may have at most a million characters", "input", {}};
    InputSpec spec;
    skipBlanks();
    const std::size_t start = m_at;
    if (atWord()) {
        const std::string name = word();
        if (take("="))
            spec.name = name;
        else
            m_at = start;
    }
    auto parsed = value(0);
    if (!parsed)
        return parsed.error();
    skipBlanks();
    if (m_at < m_text.size())
        return expected("the end");
    spec.value = std::move(*parsed);
    return spec;
}

Result<InputValue> InputParser::value(int depth)
{
    if (depth > DeepestNesting)
        return refuse(m_at, fmt::format("values may be nested at most {} deep", DeepestNesting));
    skipBlanks();
    if (take("@"))
        return file();
    if (take("\""))
        return quoted('"');
    if (take("'"))
        return quoted('\'');
    if (take("[")) {
        auto list = items(']', depth);
        return list ? Result<InputValue>(InputValue{InputValue::List{std::move(*list)}}) : list.error();
    }
    if (take("(")) {
        auto tuple = items(')', depth);
        return tuple ? Result<InputValue>(InputValue{InputValue::Tuple{std::move(*tuple)}}) : tuple.error();
    }
    if (take("{"))
        return dict(depth);
    if (atWord())
        return wordValue(depth);
    return number();
}

Result<InputValue> InputParser::wordValue(int)
{
    const std::size_t start = m_at;
    const std::string name = word();
    if (take("["))
        return tensor(start, name);
    if (name == "true" || name == "True")
        return InputValue{true};
    if (name == "false" || name == "False")
        return InputValue{false};
    if (name == "none" || name == "None")
        return InputValue{InputValue::None{}};
    if (name == "inf" || name == "nan") {
        m_at = start;
        return number();
    }
    if (canonicalDtype(name))
        return refuse(m_at, fmt::format("a tensor needs its sizes: {}[2, 3], or {}[] for a single number", name, name));
    return refuse(start, fmt::format("'{}' is no value; write a tensor (float32[2, 3]), @file, a number, true, false, none, or "
                                     "text in quotes",
                                     name));
}

Result<std::int64_t> InputParser::integer(std::string_view what)
{
    skipBlanks();
    std::int64_t number = 0;
    const char *const begin = m_text.data() + m_at;
    const char *const last = m_text.data() + m_text.size();
    const auto [end, problem] = std::from_chars(begin, last, number);
    if (problem != std::errc())
        return expected(what);
    m_at += static_cast<std::size_t>(end - begin);
    return number;
}

Result<InputValue> InputParser::tensor(std::size_t start, std::string dtype)
{
    const auto canonical = canonicalDtype(dtype);
    if (!canonical)
        return refuse(start, fmt::format("there is no dtype '{}'.{}", dtype, didYouMean(dtype, dtypeWords())));
    TensorSpec spec;
    spec.dtype = *canonical;
    std::int64_t elements = 1;
    while (!take("]")) {
        if (!spec.sizes.empty() && !take(","))
            return expected("',' or ']'");
        skipBlanks();
        const std::size_t at = m_at;
        const auto size = integer("a size");
        if (!size)
            return size.error();
        if (*size < 0)
            return refuse(at, fmt::format("a size cannot be negative, and this one is {}", *size));
        if (*size > 0 && elements > MostElements / *size)
            return refuse(at, "a tensor may have at most 2^40 elements");
        elements *= *size;
        spec.sizes.push_back(*size);
        if (spec.sizes.size() > 64)
            return refuse(at, "a tensor may have at most 64 dimensions");
    }
    if (auto ok = range(spec); !ok)
        return ok.error();
    if (auto ok = seed(spec); !ok)
        return ok.error();
    return InputValue{std::move(spec)};
}

Status InputParser::range(TensorSpec &spec)
{
    skipBlanks();
    const std::size_t at = m_at;
    const bool hasLow = take(">=");
    if (hasLow) {
        const auto low = integer("the lowest value");
        if (!low)
            return low.error();
        spec.low = *low;
    }
    if (!take("<"))
        return hasLow ? Status(expected("'<' and the bound of the range")) : Status(Success{});
    const auto high = integer("the bound of the range");
    if (!high)
        return high.error();
    spec.high = *high;
    if (!isIntegerDtype(spec.dtype))
        return refuse(at, fmt::format("a range is for integers, and this is {}", spec.dtype));
    if (spec.high <= spec.low)
        return refuse(at, fmt::format("no integer is at least {} and below {}", spec.low, spec.high));
    return Success{};
}

Status InputParser::seed(TensorSpec &spec)
{
    if (!take("#"))
        return Success{};
    skipBlanks();
    std::uint64_t number = 0;
    const char *const begin = m_text.data() + m_at;
    const auto [end, problem] = std::from_chars(begin, m_text.data() + m_text.size(), number);
    if (problem != std::errc())
        return expected("a seed, a number that is not negative");
    m_at += static_cast<std::size_t>(end - begin);
    spec.seed = number;
    return Success{};
}

Result<InputValue> InputParser::file()
{
    // A quoted path may hold any character; a plain one ends where a list or dict goes on.
    if (take("\"") || take("'")) {
        auto text = quoted(m_text[m_at - 1]);
        if (!text)
            return text.error();
        return InputValue{FileSpec{std::get<std::string>(text->node)}};
    }
    const std::size_t start = m_at;
    while (m_at < m_text.size() && std::string_view(",)]}").find(m_text[m_at]) == std::string_view::npos)
        ++m_at;
    const std::string path(trimmed(m_text.substr(start, m_at - start)));
    if (path.empty())
        return expected("a file name");
    return InputValue{FileSpec{path}};
}

Result<InputValue> InputParser::quoted(char quote)
{
    const std::size_t start = m_at - 1;
    std::string text;
    while (m_at < m_text.size() && m_text[m_at] != quote) {
        char c = m_text[m_at++];
        if (c == '\\') {
            if (m_at == m_text.size())
                break;
            c = m_text[m_at++];
            switch (c) {
            case 'n':
                c = '\n';
                break;
            case 't':
                c = '\t';
                break;
            case 'r':
                c = '\r';
                break;
            case '\\':
            case '"':
            case '\'':
                break;
            default:
                return refuse(m_at - 2, fmt::format("'\\{}' is no escape; there are \\n \\t \\r \\\\ \\\" \\'", c));
            }
        }
        text += c;
    }
    if (m_at >= m_text.size())
        return refuse(start, "the quoted text does not end");
    ++m_at;
    return InputValue{std::move(text)};
}

Result<InputValue> InputParser::number()
{
    skipBlanks();
    const char *begin = m_text.data() + m_at;
    const char *const last = m_text.data() + m_text.size();
    const bool plus = begin < last && *begin == '+';
    if (plus)
        ++begin;
    std::int64_t whole = 0;
    const auto asInteger = std::from_chars(begin, last, whole);
    double real = 0;
    const auto asReal = std::from_chars(begin, last, real);
    if (asReal.ec != std::errc() || (plus && begin < last && *begin == '-'))
        return expected("a value");
    m_at = static_cast<std::size_t>(asReal.ptr - m_text.data());
    if (asInteger.ec == std::errc() && asInteger.ptr == asReal.ptr)
        return InputValue{whole};
    if (asInteger.ec == std::errc::result_out_of_range && asInteger.ptr == asReal.ptr)
        return refuse(m_at, "this integer does not fit 64 bits");
    return InputValue{real};
}

Result<std::vector<InputValue>> InputParser::items(char close, int depth)
{
    std::vector<InputValue> result;
    const std::string closing(1, close);
    while (!take(closing)) {
        if (!result.empty() && !take(","))
            return expected(fmt::format("',' or '{}'", close));
        if (!result.empty() && take(closing))
            return result;
        auto item = value(depth + 1);
        if (!item)
            return item.error();
        result.push_back(std::move(*item));
    }
    return result;
}

Result<InputValue> InputParser::dict(int depth)
{
    InputValue::Dict result;
    while (!take("}")) {
        if (!result.entries.empty() && !take(","))
            return expected("',' or '}'");
        skipBlanks();
        std::string name;
        if (take("\"") || take("'")) {
            auto text = quoted(m_text[m_at - 1]);
            if (!text)
                return text.error();
            name = std::get<std::string>(text->node);
        } else if (atWord()) {
            name = word();
        } else {
            return expected("a name");
        }
        for (const auto &[other, entry] : result.entries)
            if (other == name)
                return refuse(m_at, fmt::format("'{}' is given twice", name));
        if (!take(":"))
            return expected("':'");
        auto item = value(depth + 1);
        if (!item)
            return item.error();
        result.entries.emplace_back(std::move(name), std::move(*item));
    }
    return InputValue{std::move(result)};
}

} // namespace pipescope::plan
