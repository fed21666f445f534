#include "plan/dtypes.h"

#include "base/dtype.h"
#include "base/error.h"

#include <array>
#include <limits>
#include <utility>

namespace pipescope::plan {

namespace {

constexpr DtypeWord word(std::string_view name)
{
    return {name, dtypeOf(name)->alias};
}

constexpr DtypeWord integerWord(std::string_view name, std::int64_t lowest, std::int64_t highest)
{
    return {name, dtypeOf(name)->alias, true, lowest, highest};
}

template <class T>
constexpr DtypeWord integerWord(std::string_view name)
{
    return integerWord(name, std::numeric_limits<T>::min(), std::numeric_limits<T>::max());
}

constexpr std::int64_t Int64Max = std::numeric_limits<std::int64_t>::max();

constexpr std::array Words{
    word("float32"),
    word("float64"),
    word("float16"),
    word("bfloat16"),
    word("float8_e4m3fn"),
    word("float8_e5m2"),
    word("complex64"),
    word("complex128"),
    word("complex32"),
    word("bool"),
    integerWord<std::int64_t>("int64"),
    integerWord<std::int32_t>("int32"),
    integerWord<std::int16_t>("int16"),
    integerWord<std::int8_t>("int8"),
    integerWord<std::uint8_t>("uint8"),
    integerWord<std::uint16_t>("uint16"),
    integerWord<std::uint32_t>("uint32"),
    integerWord("uint64", 0, Int64Max),
};

} // namespace

bool isReal(const DtypeWord &word)
{
    return word.name.starts_with("float") || word.name == "bfloat16";
}

double largest(const DtypeWord &word)
{
    PIPESCOPE_ASSERT(isReal(word));
    // Of IEEE 754 and, for the eight bit ones, of the OCP specification of them.
    constexpr std::pair<std::string_view, double> numbers[] = {
        {"float64", std::numeric_limits<double>::max()},
        {"float32", std::numeric_limits<float>::max()},
        {"float16", 65504.0},
        {"bfloat16", 0x1.FEp127},
        {"float8_e4m3fn", 448.0},
        {"float8_e5m2", 57344.0},
    };
    for (const auto &[name, number] : numbers)
        if (name == word.name)
            return number;
    return std::numeric_limits<float>::max();
}

const DtypeWord *findDtype(std::string_view word)
{
    for (const DtypeWord &known : Words) {
        if (!word.empty() && (known.name == word || known.alias == word))
            return &known;
    }
    return nullptr;
}

std::vector<std::string> dtypeWords()
{
    std::vector<std::string> words = dtypeNames();
    for (const DtypeWord &known : Words) {
        if (!known.alias.empty())
            words.emplace_back(known.alias);
    }
    return words;
}

std::vector<std::string> dtypeNames()
{
    std::vector<std::string> names;
    names.reserve(Words.size());
    for (const DtypeWord &known : Words)
        names.emplace_back(known.name);
    return names;
}

} // namespace pipescope::plan
