#include "plan/tensor_spec_reader.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <system_error>
#include <variant>

namespace pipescope::plan {

namespace {

constexpr std::int64_t MostElements = std::int64_t{1} << 40;
constexpr std::size_t MostSizes = 64;

Status readSizes(SpecReader &reader, TensorSpec &spec)
{
    PIPESCOPE_ASSERT(reader.take('['));
    std::int64_t elements = 1;
    return reader.items(']', [&]() -> Status {
        const auto size = reader.integer<std::int64_t>("a size");
        if (!size)
            return size.error();
        if (*size < 0)
            return reader.wrong(fmt::format("the size {} is negative", *size));
        if (*size > 0 && *size > MostElements / elements)
            return reader.wrong("more than 2^40 elements");
        if (spec.sizes.size() == MostSizes)
            return reader.wrong(fmt::format("more than {} dimensions", MostSizes));
        elements *= std::max<std::int64_t>(1, *size);
        spec.sizes.push_back(*size);
        return Success{};
    });
}

Result<double> readFinite(SpecReader &reader, std::string_view what)
{
    const std::string_view text = reader.number();
    if (text.empty())
        return reader.expected(what);
    const auto read = readNumber(reader, text);
    if (!read)
        return read.error();
    const auto *integer = std::get_if<std::int64_t>(&read->node);
    const double value = integer != nullptr ? static_cast<double>(*integer) : std::get<double>(read->node);
    if (!std::isfinite(value))
        return reader.wrong(fmt::format("{} is not finite", text));
    return value;
}

Error doesNotFit(const SpecReader &reader, const DtypeWord &dtype)
{
    return reader.wrong(
        fmt::format("the range does not fit {}, which holds {} to {}", dtype.name, dtype.lowest, dtype.highest));
}

Status readRealRange(SpecReader &reader, const DtypeWord &dtype, TensorSpec &spec)
{
    RealRange reals;
    if (reader.take('>')) {
        if (!reader.take('='))
            return reader.expected("'=' after '>'");
        const auto low = readFinite(reader, "the lowest value");
        if (!low)
            return low.error();
        reals.low = *low;
    }
    if (!reader.take('<'))
        return reader.expected("'<' and the value to stay below");
    const auto high = readFinite(reader, "the value to stay below");
    if (!high)
        return high.error();
    reals.high = *high;
    if (reals.high <= reals.low)
        return reader.wrong(fmt::format("no value is at least {} and below {}", reals.low, reals.high));
    const double most = largest(dtype);
    if (reals.low < -most || reals.high > most || reals.high - reals.low > most)
        return reader.wrong(fmt::format("the range does not fit {}, whose largest number is {}", dtype.name, most));
    spec.reals = reals;
    return Success{};
}

Status readRange(SpecReader &reader, const DtypeWord &dtype, TensorSpec &spec)
{
    if (isReal(dtype))
        return readRealRange(reader, dtype, spec);
    if (!dtype.isInteger)
        return reader.expected(fmt::format("no range after {} (ranges are for integer and float dtypes)", dtype.name));
    if (reader.take('>')) {
        if (!reader.take('='))
            return reader.expected("'=' after '>'");
        const auto low = reader.integer<std::int64_t>("the lowest value");
        if (!low)
            return low.error();
        if (*low < dtype.lowest)
            return doesNotFit(reader, dtype);
        spec.low = *low;
    }
    if (!reader.take('<'))
        return reader.expected("'<' and the value to stay below");
    const auto high = reader.integer<std::int64_t>("the value to stay below");
    if (!high)
        return high.error();
    if (*high <= spec.low)
        return reader.wrong(fmt::format("no value is at least {} and below {}", spec.low, *high));
    if (*high - 1 > dtype.highest)
        return doesNotFit(reader, dtype);
    spec.high = *high;
    return Success{};
}

} // namespace

Result<InputValue> readNumber(const SpecReader &reader, std::string_view text)
{
    if (text.starts_with('+'))
        text.remove_prefix(1);
    const char *end = text.data() + text.size();
    std::int64_t integer = 0;
    const auto asInteger = std::from_chars(text.data(), end, integer);
    if (asInteger.ptr == end && asInteger.ec == std::errc())
        return InputValue{integer};
    if (asInteger.ptr == end && asInteger.ec == std::errc::result_out_of_range)
        return reader.wrong(fmt::format("{} does not fit in 64 bits (write {}.0 for a float)", text, text));
    double real = 0;
    const auto asReal = std::from_chars(text.data(), end, real);
    if (asReal.ec == std::errc::result_out_of_range)
        return reader.wrong(fmt::format("{} is too large or too small for a float", text));
    if (asReal.ec != std::errc() || asReal.ptr != end)
        return reader.wrong(fmt::format("'{}' is not a number", text));
    return InputValue{real};
}

Result<TensorSpec> readTensorSpec(SpecReader &reader, const DtypeWord &dtype)
{
    TensorSpec spec;
    spec.dtype = dtype.name;
    if (auto ok = readSizes(reader, spec); !ok)
        return ok.error();
    if (reader.peek() == '<' || reader.peek() == '>') {
        if (auto ok = readRange(reader, dtype, spec); !ok)
            return ok.error();
    }
    if (reader.take('#')) {
        const auto seed = reader.integer<std::uint64_t>("a seed");
        if (!seed)
            return seed.error();
        spec.seed = *seed;
    }
    return spec;
}

} // namespace pipescope::plan
