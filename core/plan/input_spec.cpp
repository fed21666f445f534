#include "plan/input_spec.h"

#include "base/text.h"
#include "microbatch/spec_reader.h"
#include "plan/dtypes.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace pipescope::plan {

namespace {

using microbatch::SpecReader;

constexpr std::int64_t MostElements = std::int64_t{1} << 40;
constexpr std::size_t MostSizes = 64;
constexpr std::string_view WhatIsExpected = "a value (a dtype such as float32[2,3], @file, number, true, false, none, "
                                            "string in quotes, '[', '(' or '{')";

class InputSpecParser
{
public:
    explicit InputSpecParser(std::string_view text)
        : m_reader(text)
    {
    }

    Result<InputSpec> run()
    {
        if (auto ok = m_reader.checkLength(); !ok)
            return ok.error();
        InputSpec spec;
        SpecReader unnamed = m_reader;
        const std::string_view name = m_reader.word();
        if (!name.empty() && m_reader.take('='))
            spec.name = name;
        else
            m_reader = unnamed;
        auto parsed = value();
        if (!parsed)
            return parsed.error();
        if (!m_reader.atEnd())
            return m_reader.expected("the end");
        spec.value = std::move(*parsed);
        return spec;
    }

private:
    Result<InputValue> value()
    {
        const char next = m_reader.peek();
        if (next == '\'' || next == '"')
            return wrapped(m_reader.quoted());
        if (m_reader.take('@'))
            return file();
        if (m_reader.take('['))
            return sequence<InputValue::List>(']');
        if (m_reader.take('('))
            return sequence<InputValue::Tuple>(')');
        if (m_reader.take('{'))
            return dict();
        SpecReader before = m_reader;
        if (const std::string_view text = m_reader.number(); !text.empty())
            return number(text);
        return word(before);
    }

    template <class T>
    static Result<InputValue> wrapped(Result<T> read)
    {
        if (!read)
            return read.error();
        return InputValue{std::move(*read)};
    }

    Result<InputValue> word(SpecReader &before)
    {
        const std::string_view text = m_reader.word();
        if (text == "true" || text == "True")
            return InputValue{true};
        if (text == "false" || text == "False")
            return InputValue{false};
        if (text == "none" || text == "None")
            return InputValue{InputValue::None{}};
        if (text == "inf")
            return InputValue{std::numeric_limits<double>::infinity()};
        if (text == "nan")
            return InputValue{std::numeric_limits<double>::quiet_NaN()};
        if (text.empty())
            return before.expected(WhatIsExpected);
        const DtypeWord *dtype = findDtype(text);
        const bool hasSizes = m_reader.peek() == '[';
        if (dtype != nullptr && hasSizes)
            return tensor(*dtype);
        if (dtype != nullptr)
            return m_reader.expected(
                fmt::format("'[' and sizes after {} ({}[] is a tensor without dimensions)", text, text));
        return before.expected(hasSizes ? "a dtype" : WhatIsExpected, suggestion(text));
    }

    // Words of one or two letters are near everything.
    static std::string suggestion(std::string_view word)
    {
        std::vector<std::string> known = dtypeWords();
        known.insert(known.end(), {"true", "false", "none"});
        return word.size() < 3 ? std::string() : didYouMean(word, known);
    }

    Result<InputValue> number(std::string_view text)
    {
        if (text.starts_with('+'))
            text.remove_prefix(1);
        const char *end = text.data() + text.size();
        std::int64_t integer = 0;
        const auto asInteger = std::from_chars(text.data(), end, integer);
        if (asInteger.ptr == end && asInteger.ec == std::errc())
            return InputValue{integer};
        if (asInteger.ptr == end && asInteger.ec == std::errc::result_out_of_range)
            return m_reader.wrong(fmt::format("{} does not fit in 64 bits (write {}.0 for a float)", text, text));
        double real = 0;
        const auto asReal = std::from_chars(text.data(), end, real);
        if (asReal.ec == std::errc::result_out_of_range)
            return m_reader.wrong(fmt::format("{} is too large or too small for a float", text));
        if (asReal.ec != std::errc() || asReal.ptr != end)
            return m_reader.wrong(fmt::format("'{}' is not a number", text));
        return InputValue{real};
    }

    Result<InputValue> file()
    {
        FileSpec spec;
        if (m_reader.peek() == '\'' || m_reader.peek() == '"') {
            auto path = m_reader.quoted();
            if (!path)
                return path.error();
            spec.path = std::move(*path);
        } else {
            spec.path = m_reader.until(m_depth == 0 ? "" : " \t\r\n,)]}");
        }
        if (spec.path.empty())
            return m_reader.expected("a path after '@'");
        return InputValue{std::move(spec)};
    }

    Result<InputValue> tensor(const DtypeWord &dtype)
    {
        TensorSpec spec;
        spec.dtype = dtype.name;
        if (auto ok = sizes(spec); !ok)
            return ok.error();
        if (m_reader.peek() == '<' || m_reader.peek() == '>') {
            if (auto ok = range(dtype, spec); !ok)
                return ok.error();
        }
        if (m_reader.take('#')) {
            const auto seed = m_reader.integer<std::uint64_t>("a seed");
            if (!seed)
                return seed.error();
            spec.seed = *seed;
        }
        return InputValue{std::move(spec)};
    }

    Status sizes(TensorSpec &spec)
    {
        PIPESCOPE_ASSERT(m_reader.take('['));
        std::int64_t elements = 1;
        return m_reader.items(']', [&]() -> Status {
            const auto size = m_reader.integer<std::int64_t>("a size");
            if (!size)
                return size.error();
            if (*size < 0)
                return m_reader.wrong(fmt::format("the size {} is negative", *size));
            if (*size > 0 && *size > MostElements / elements)
                return m_reader.wrong("more than 2^40 elements");
            if (spec.sizes.size() == MostSizes)
                return m_reader.wrong(fmt::format("more than {} dimensions", MostSizes));
            elements *= std::max<std::int64_t>(1, *size);
            spec.sizes.push_back(*size);
            return Success{};
        });
    }

    Status range(const DtypeWord &dtype, TensorSpec &spec)
    {
        if (isReal(dtype))
            return realRange(dtype, spec);
        if (!dtype.isInteger)
            return m_reader.expected(
                fmt::format("no range after {} (ranges are for integer and float dtypes)", dtype.name));
        if (m_reader.take('>')) {
            if (!m_reader.take('='))
                return m_reader.expected("'=' after '>'");
            const auto low = m_reader.integer<std::int64_t>("the lowest value");
            if (!low)
                return low.error();
            if (*low < dtype.lowest)
                return doesNotFit(dtype);
            spec.low = *low;
        }
        if (!m_reader.take('<'))
            return m_reader.expected("'<' and the value to stay below");
        const auto high = m_reader.integer<std::int64_t>("the value to stay below");
        if (!high)
            return high.error();
        if (*high <= spec.low)
            return m_reader.wrong(fmt::format("no value is at least {} and below {}", spec.low, *high));
        if (*high - 1 > dtype.highest)
            return doesNotFit(dtype);
        spec.high = *high;
        return Success{};
    }

    Status realRange(const DtypeWord &dtype, TensorSpec &spec)
    {
        RealRange reals;
        if (m_reader.take('>')) {
            if (!m_reader.take('='))
                return m_reader.expected("'=' after '>'");
            const auto low = finite("the lowest value");
            if (!low)
                return low.error();
            reals.low = *low;
        }
        if (!m_reader.take('<'))
            return m_reader.expected("'<' and the value to stay below");
        const auto high = finite("the value to stay below");
        if (!high)
            return high.error();
        reals.high = *high;
        if (reals.high <= reals.low)
            return m_reader.wrong(fmt::format("no value is at least {} and below {}", reals.low, reals.high));
        const double most = largest(dtype);
        if (reals.low < -most || reals.high > most || reals.high - reals.low > most)
            return m_reader.wrong(
                fmt::format("the range does not fit {}, whose largest number is {}", dtype.name, most));
        spec.reals = reals;
        return Success{};
    }

    Result<double> finite(std::string_view what)
    {
        const std::string_view text = m_reader.number();
        if (text.empty())
            return m_reader.expected(what);
        const auto read = number(text);
        if (!read)
            return read.error();
        const auto *integer = std::get_if<std::int64_t>(&read->node);
        const double value = integer != nullptr ? static_cast<double>(*integer) : std::get<double>(read->node);
        if (!std::isfinite(value))
            return m_reader.wrong(fmt::format("{} is not finite", text));
        return value;
    }

    Error doesNotFit(const DtypeWord &dtype) const
    {
        return m_reader.wrong(
            fmt::format("the range does not fit {}, which holds {} to {}", dtype.name, dtype.lowest, dtype.highest));
    }

    template <class Sequence>
    Result<InputValue> sequence(char close)
    {
        Sequence sequence;
        auto ok = nested(close, [&]() -> Status {
            auto item = value();
            if (!item)
                return item.error();
            sequence.items.push_back(std::move(*item));
            return Success{};
        });
        if (!ok)
            return ok.error();
        return InputValue{std::move(sequence)};
    }

    Result<InputValue> dict()
    {
        InputValue::Dict dict;
        auto ok = nested('}', [&]() -> Status {
            auto key = m_reader.key();
            if (!key)
                return key.error();
            if (std::any_of(dict.entries.begin(), dict.entries.end(),
                            [&](const auto &entry) { return entry.first == *key; }))
                return m_reader.wrong(fmt::format("{} is given twice", microbatch::quotedText(*key)));
            if (!m_reader.take(':'))
                return m_reader.expected("':'");
            auto item = value();
            if (!item)
                return item.error();
            dict.entries.push_back({std::move(*key), std::move(*item)});
            return Success{};
        });
        if (!ok)
            return ok.error();
        return InputValue{std::move(dict)};
    }

    Status nested(char close, const std::function<Status()> &item)
    {
        ++m_depth;
        auto ok = m_reader.items(close, item);
        --m_depth;
        return ok;
    }

    SpecReader m_reader;
    int m_depth = 0;
};

} // namespace

Result<InputSpec> parseInputSpec(std::string_view text)
{
    return InputSpecParser(text).run();
}

} // namespace pipescope::plan
