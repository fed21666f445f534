#include "plan/plan.h"

#include "base/spec_reader.h"
#include "plan/limits.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <set>
#include <string_view>

namespace pipescope::plan {

namespace {

constexpr std::size_t LongestPath = 4096; // as a path on Linux

Error wrong(const std::string &key, std::string_view problem)
{
    return {ErrorCode::InvalidArgument, fmt::format("{}: {}", key, problem), key, {}};
}

Status checkCount(const std::string &key, int value, int least, int most)
{
    if (value < least || value > most)
        return wrong(key, fmt::format("expected a whole number from {} to {}, found {}", least, most, value));
    return Success{};
}

Status checkText(const std::string &key, const std::string &text, std::string_view what)
{
    if (text.empty())
        return wrong(key, fmt::format("expected {}, found nothing", what));
    if (text.size() > LongestPath)
        return wrong(key, fmt::format("expected at most {} bytes, found {}", LongestPath, text.size()));
    if (!isUtf8(text))
        return wrong(key, fmt::format("{} is not UTF-8, which a plan cannot hold", quotedText(text)));
    return Success{};
}

Status checkTexts(const std::string &key, const std::vector<std::string> &texts, std::string_view what)
{
    for (std::size_t i = 0; i < texts.size(); ++i) {
        if (auto ok = checkText(fmt::format("{}[{}]", key, i), texts[i], what); !ok)
            return ok;
    }
    return Success{};
}

bool isIdentifier(std::string_view name)
{
    return !name.empty() && SpecReader(name).word() == name;
}

Status checkInputNames(std::string_view list, const std::vector<InputSpec> &inputs)
{
    std::set<std::string> seen;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const std::string key = fmt::format("{}[{}]", list, i);
        const std::string &name = inputs[i].name;
        if (!name.empty() && !isIdentifier(name))
            return wrong(key, fmt::format("{} is not the name of an argument", quotedText(name)));
        if (!name.empty() && !seen.insert(name).second)
            return wrong(key, fmt::format("the input '{}' is given twice", name));
    }
    return Success{};
}

Status checkSpecialised(const Plan &plan)
{
    if (auto ok = checkInputNames("specialised", plan.specialised); !ok)
        return ok;
    for (std::size_t i = 0; i < plan.specialised.size(); ++i) {
        const InputSpec &given = plan.specialised[i];
        if (given.name.empty() || !isPlain(given.value))
            return wrong(fmt::format("specialised[{}]", i),
                         fmt::format("expected the name of an argument and a number, a bool, a text or None for it, "
                                     "like sr=16000, found {}",
                                     quotedText(toText(given))));
    }
    return Success{};
}

Status checkChunkNames(const Plan &plan)
{
    std::set<std::string> seen;
    for (const auto &[name, spec] : plan.inputChunks) {
        if (!isIdentifier(name))
            return wrong("inputChunks", fmt::format("{} is not the name of an argument", quotedText(name)));
        if (!seen.insert(name).second)
            return wrong("inputChunks", fmt::format("'{}' is given twice", name));
    }
    return Success{};
}

Status checkTolerances(const Plan &plan)
{
    if (plan.rtol.has_value() != plan.atol.has_value())
        return wrong(plan.rtol ? "atol" : "rtol", "rtol and atol belong together; give both or neither");
    for (const auto &[key, value] : {std::pair("rtol", plan.rtol), std::pair("atol", plan.atol)}) {
        if (value && !(std::isfinite(*value) && *value >= 0))
            return wrong(key, fmt::format("expected a finite number that is not negative, found {}", *value));
    }
    return Success{};
}

Status checkHash(const std::string &hash)
{
    const auto isHex = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
    if (!hash.empty() && !(hash.size() == 64 && std::all_of(hash.begin(), hash.end(), isHex)))
        return wrong("modelSha256", "expected 64 lower-case hexadecimal digits");
    return Success{};
}

} // namespace

std::string_view microbatchUnit(const Plan &plan)
{
    const auto cutsList = [](const auto &chunks) { return microbatch::cutsList(chunks.second); };
    return std::any_of(plan.inputChunks.begin(), plan.inputChunks.end(), cutsList) ? "item" : "row";
}

Status validatePlan(const Plan &plan)
{
    const std::array checks{
        checkText("model", plan.model, "the path of a model"),
        checkHash(plan.modelSha256),
        checkText("method", plan.method, "the name of a method"),
        checkTexts("opLibraries", plan.opLibraries, "the path of a library"),
        checkInputNames("inputs", plan.inputs),
        checkSpecialised(plan),
        checkChunkNames(plan),
        checkTexts("splits", plan.splits, "a split point"),
        checkCount("microbatches", plan.microbatches, 1, MostMicrobatches),
        checkText("schedule", plan.schedule, "the name of a schedule"),
        plan.devices.size() > MostDevices ? Status(wrong("devices", fmt::format("more than {}", MostDevices)))
                                          : Success{},
        checkTexts("devices", plan.devices, "a device"),
        checkCount("threadsPerRank", plan.threadsPerRank, 1, MostThreadsPerRank),
        checkCount("maxInFlight", plan.maxInFlight, 0, MostMicrobatches),
        checkTolerances(plan),
    };
    const auto failed = std::find_if(checks.begin(), checks.end(), [](const Status &check) { return !check; });
    return failed == checks.end() ? Success{} : *failed;
}

} // namespace pipescope::plan
