#include "base/spec_reader.h"
#include "base/text.h"
#include "redistribution_output.h"

#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <system_error>
#include <vector>

namespace pipescope::app {

namespace {

struct CostWord
{
    std::string_view word;
    double shard::CostModel::*member;
};

constexpr std::array CostWords{
    CostWord{"bandwidth", &shard::CostModel::bandwidth},
    CostWord{"inter-host-factor", &shard::CostModel::interHostFactor},
    CostWord{"hop", &shard::CostModel::hopMicroseconds},
    CostWord{"inter-host-hop", &shard::CostModel::interHostHop},
    CostWord{"base", &shard::CostModel::baseMicroseconds},
    CostWord{"all-to-all-penalty", &shard::CostModel::allToAllPenalty},
    CostWord{"zero-fill", &shard::CostModel::zeroFillMicroseconds},
};
constexpr std::string_view DevicesPerHost = "devices-per-host";

std::vector<std::string> costWords()
{
    std::vector<std::string> words{std::string(DevicesPerHost)};
    for (const CostWord &known : CostWords)
        words.emplace_back(known.word);
    return words;
}

/// Bandwidths divide, and all else is a time.
bool isAllowed(const CostWord &word, double value)
{
    const bool divides =
        word.member == &shard::CostModel::bandwidth || word.member == &shard::CostModel::interHostFactor;
    return std::isfinite(value) && (divides ? value > 0 : value >= 0);
}

Status readValue(SpecReader &reader, const CostWord &word, shard::CostModel &costs)
{
    SpecReader before = reader;
    const std::string_view text = reader.number();
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || error != std::errc() || end != text.data() + text.size() || !isAllowed(word, value))
        return before.expected("a finite number that is not negative; a bandwidth or factor is not 0 either");
    costs.*word.member = value;
    return Success{};
}

Status readCost(SpecReader &reader, shard::CostModel &costs)
{
    SpecReader before = reader;
    const std::string name(reader.until("=,"));
    if (name == DevicesPerHost) {
        if (!reader.take('='))
            return reader.expected("'=' and a number");
        const Result<int> devices = reader.integer<int>("a number of devices");
        if (!devices)
            return devices.error();
        if (*devices < 1)
            return reader.wrong("a host has at least 1 device");
        costs.devicesPerHost = *devices;
        return Success{};
    }
    for (const CostWord &word : CostWords) {
        if (word.word != name)
            continue;
        return reader.take('=') ? readValue(reader, word, costs) : reader.expected("'=' and a number");
    }
    return before.expected(fmt::format("one of {}", fmt::join(costWords(), ", ")), didYouMean(name, costWords()));
}

} // namespace

Result<shard::CostModel> parseCosts(std::string_view text)
{
    SpecReader reader(text);
    if (auto ok = reader.checkLength(); !ok)
        return ok.error();
    shard::CostModel costs;
    if (reader.atEnd())
        return costs;
    do {
        if (auto ok = readCost(reader, costs); !ok)
            return ok.error();
    } while (reader.take(','));
    if (!reader.atEnd())
        return reader.expected("',' or the end");
    return costs;
}

} // namespace pipescope::app
