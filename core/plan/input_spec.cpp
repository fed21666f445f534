#include "plan/input_spec.h"

#include "base/spec_reader.h"
#include "base/text.h"
#include "plan/dtypes.h"
#include "plan/tensor_spec_reader.h"

#include <fmt/format.h>
#include <limits>
#include <vector>

namespace pipescope::plan {

namespace {

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
        auto parsed = wholeValue();
        if (!parsed)
            return named(parsed.error(), spec.name);
        spec.value = std::move(*parsed);
        return spec;
    }

private:
    static Error named(Error error, const std::string &name)
    {
        if (!name.empty())
            error.message = fmt::format("input '{}': {}", name, error.message);
        return error;
    }

    Result<InputValue> wholeValue()
    {
        auto parsed = value();
        if (parsed && !m_reader.atEnd())
            return m_reader.expected("the end");
        return parsed;
    }

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
            return readNumber(m_reader, text);
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
            return wrapped(readTensorSpec(m_reader, *dtype));
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

    Result<InputValue> file()
    {
        FileSpec spec;
        if (m_reader.peek() == '\'' || m_reader.peek() == '"') {
            auto path = m_reader.quoted();
            if (!path)
                return path.error();
            spec.path = std::move(*path);
        } else {
            spec.path = m_reader.until(m_reader.depth() == 0 ? "" : " \t\r\n,)]}");
        }
        if (spec.path.empty())
            return m_reader.expected("a path after '@'");
        return InputValue{std::move(spec)};
    }

    template <class Sequence>
    Result<InputValue> sequence(char close)
    {
        Sequence sequence;
        auto ok = m_reader.items(close, [&]() -> Status {
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
        auto ok = m_reader.entries([&](std::string key) -> Status {
            auto item = value();
            if (!item)
                return item.error();
            dict.entries.push_back({std::move(key), std::move(*item)});
            return Success{};
        });
        if (!ok)
            return ok.error();
        return InputValue{std::move(dict)};
    }

    SpecReader m_reader;
};

} // namespace

Result<InputSpec> parseInputSpec(std::string_view text)
{
    return InputSpecParser(text).run();
}

} // namespace pipescope::plan
