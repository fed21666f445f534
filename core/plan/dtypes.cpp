#include "plan/dtypes.h"

#include <array>
#include <utility>

namespace pipescope::plan {

namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 24> Words{{
    {"float16", "float16"},     {"float32", "float32"},     {"float64", "float64"}, {"bfloat16", "bfloat16"},
    {"int8", "int8"},           {"int16", "int16"},         {"int32", "int32"},     {"int64", "int64"},
    {"uint8", "uint8"},         {"bool", "bool"},           {"complex64", "complex64"}, {"complex128", "complex128"},
    {"half", "float16"},        {"float", "float32"},       {"double", "float64"},  {"char", "int8"},
    {"short", "int16"},         {"int", "int32"},           {"long", "int64"},      {"byte", "uint8"},
    {"cfloat", "complex64"},    {"cdouble", "complex128"},  {"chalf", "complex32"}, {"complex32", "complex32"},
}};

} // namespace

std::optional<std::string> canonicalDtype(std::string_view word)
{
    for (const auto &[written, canonical] : Words)
        if (written == word)
            return std::string(canonical);
    return std::nullopt;
}

std::vector<std::string> dtypeWords()
{
    std::vector<std::string> words;
    for (const auto &entry : Words)
        words.emplace_back(entry.first);
    return words;
}

bool isIntegerDtype(std::string_view canonical)
{
    return canonical.starts_with("int") || canonical.starts_with("uint");
}

} // namespace pipescope::plan
