#include "plan/dtypes.h"

#include "base/error.h"

#include <array>
#include <limits>
#include <utility>

namespace pipescope::plan {

namespace {

template <class T>
constexpr DtypeWord integerWord(std::string_view name, std::string_view alias)
{
    return {name, alias, true, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()};
}

constexpr std::int64_t Int64Max = std::numeric_limits<std::int64_t>::max();

constexpr std::array Words{
    DtypeWord{"float32", "float"},
    DtypeWord{"float64", "double"},
    DtypeWord{"float16", "half"},
    DtypeWord{"bfloat16", ""},
    DtypeWord{"float8_e4m3fn", ""},
    DtypeWord{"float8_e5m2", ""},
    DtypeWord{"complex64", "cfloat"},
    DtypeWord{"complex128", "cdouble"},
    DtypeWord{"complex32", "chalf"},
    DtypeWord{"bool", ""},
    integerWord<std::int64_t>("int64", "long"),
    integerWord<std::int32_t>("int32", "int"),
    integerWord<std::int16_t>("int16", "short"),
    integerWord<std::int8_t>("int8", "char"),
    integerWord<std::uint8_t>("uint8", "byte"),
    integerWord<std::uint16_t>("uint16", ""),
    integerWord<std::uint32_t>("uint32", ""),
    DtypeWord{"uint64", "", true, 0, Int64Max},
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
