#include "base/spec_reader.h"
#include "base/text.h"
#include "plan/plan_file.h"
#include "plan/strict_json.h"

#include <array>
#include <cstdint>
#include <fmt/format.h>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

namespace pipescope::plan {

namespace {

using microbatch::ChunkSpec;
using NamedChunks = std::vector<std::pair<std::string, ChunkSpec>>;

constexpr std::string_view VersionKey = "pipescopePlan";
constexpr std::size_t MostItems = 100'000;   // of one list
constexpr std::size_t LongestText = 1 << 20; // of one string, as the values of an input

Error wrongType(const std::string &where, std::string_view expected, const Json &found)
{
    return invalid(where, fmt::format("expected {}, found {}", expected, found.type_name()));
}

Status read(const Json &json, const std::string &where, std::string &target)
{
    if (!json.is_string())
        return wrongType(where, "a string", json);
    target = json.get<std::string>();
    if (target.size() > LongestText)
        return invalid(where, fmt::format("expected at most {} bytes, found {}", LongestText, target.size()));
    return Success{};
}

Status read(const Json &json, const std::string &where, bool &target)
{
    if (!json.is_boolean())
        return wrongType(where, "true or false", json);
    target = json.get<bool>();
    return Success{};
}

Status read(const Json &json, const std::string &where, std::uint64_t &target)
{
    if (!json.is_number_unsigned())
        return invalid(where, fmt::format("expected a whole number from 0 to 2^64 - 1, found {}",
                                          json.is_number() ? json.dump() : json.type_name()));
    target = json.get<std::uint64_t>();
    return Success{};
}

Status read(const Json &json, const std::string &where, int &target)
{
    constexpr auto most = std::numeric_limits<int>::max();
    const bool tooLarge = json.is_number_unsigned() ? json.get<std::uint64_t>() > std::uint64_t{most}
                                                    : json.is_number_integer() && json.get<std::int64_t>() < -most;
    if (!json.is_number_integer() || tooLarge)
        return invalid(
            where, fmt::format("expected a whole number, found {}", json.is_number() ? json.dump() : json.type_name()));
    target = json.get<int>();
    return Success{};
}

Status read(const Json &json, const std::string &where, std::optional<double> &target)
{
    if (!json.is_number())
        return wrongType(where, "a number", json);
    target = json.get<double>();
    return Success{};
}

Status read(const Json &json, const std::string &where, ChunkSpec &target)
{
    std::string text;
    if (auto ok = read(json, where, text); !ok)
        return ok;
    auto spec = microbatch::parseChunkSpec(text);
    if (!spec)
        return invalid(where, spec.error().message);
    target = std::move(*spec);
    return Success{};
}

Status read(const Json &json, const std::string &where, std::optional<ChunkSpec> &target)
{
    return read(json, where, target.emplace());
}

Status read(const Json &json, const std::string &where, InputSpec &target)
{
    std::string text;
    if (auto ok = read(json, where, text); !ok)
        return ok;
    auto spec = parseInputSpec(text);
    if (!spec)
        return invalid(where, spec.error().message);
    target = std::move(*spec);
    return Success{};
}

Status read(const Json &json, const std::string &where, NamedChunks &target)
{
    if (!json.is_object())
        return wrongType(where, "an object of chunk specs by argument name", json);
    for (const auto &[name, value] : json.items()) {
        if (auto ok = read(value, fmt::format("{}.{}", where, name), target.emplace_back(name, ChunkSpec{}).second);
            !ok)
            return ok;
    }
    return Success{};
}

template <class T>
Status read(const Json &json, const std::string &where, std::vector<T> &target)
{
    if (!json.is_array())
        return wrongType(where, "a list", json);
    if (json.size() > MostItems)
        return invalid(where, fmt::format("more than {} items", MostItems));
    for (const Json &item : json) {
        const std::string itemWhere = fmt::format("{}[{}]", where, target.size());
        if (auto ok = read(item, itemWhere, target.emplace_back()); !ok)
            return ok;
    }
    return Success{};
}

template <class T>
Json written(const T &value)
{
    return Json(value);
}

Json written(const std::optional<double> &value)
{
    return value ? Json(*value) : Json();
}

Json written(const std::optional<ChunkSpec> &value)
{
    return value ? Json(microbatch::toText(*value)) : Json();
}

Json written(const std::vector<InputSpec> &inputs)
{
    Json list = Json::array();
    for (const InputSpec &input : inputs)
        list.push_back(toText(input));
    return list;
}

Json written(const NamedChunks &chunks)
{
    Json object = Json::object();
    for (const auto &[name, spec] : chunks)
        object[name] = microbatch::toText(spec);
    return object;
}

// One key of the file: how it is written (null: left out) and read.
struct Key
{
    std::string_view name;
    Json (*write)(const Plan &);
    Status (*read)(const Json &, const std::string &, Plan &);
};

template <auto Member>
constexpr Key key(std::string_view name)
{
    return {name, [](const Plan &plan) { return written(plan.*Member); },
            [](const Json &json, const std::string &where, Plan &plan) { return read(json, where, plan.*Member); }};
}

// A plan that knows no hash leaves the key out: "" is one that was lost.
Status readHash(const Json &json, const std::string &where, Plan &plan)
{
    if (auto ok = read(json, where, plan.modelSha256); !ok)
        return ok;
    return plan.modelSha256.empty() ? Status(invalid(where, "expected 64 lower-case hexadecimal digits")) : Success{};
}

constexpr std::array Keys{
    key<&Plan::model>("model"),
    Key{"modelSha256", [](const Plan &plan) { return written(plan.modelSha256); }, readHash},
    key<&Plan::method>("method"),
    key<&Plan::opLibraries>("opLibraries"),
    key<&Plan::inputs>("inputs"),
    Key{"specialised", [](const Plan &plan) { return plan.specialised.empty() ? Json() : written(plan.specialised); },
        [](const Json &json, const std::string &where, Plan &plan) { return read(json, where, plan.specialised); }},
    key<&Plan::inputChunks>("inputChunks"),
    key<&Plan::outputChunks>("outputChunks"),
    key<&Plan::splits>("splits"),
    key<&Plan::microbatches>("microbatches"),
    key<&Plan::schedule>("schedule"),
    key<&Plan::devices>("devices"),
    key<&Plan::threadsPerRank>("threadsPerRank"),
    key<&Plan::maxInFlight>("maxInFlight"),
    key<&Plan::seed>("seed"),
    key<&Plan::grad>("grad"),
    key<&Plan::rtol>("rtol"),
    key<&Plan::atol>("atol"),
};

Status checkVersion(const Json &json)
{
    const std::string where(VersionKey);
    const auto version = json.find(where);
    if (version == json.end())
        return invalid(where, "this key is missing, so this is no Pipescope plan");
    if (!version->is_number_unsigned() || version->get<std::uint64_t>() == 0)
        return invalid(where, "expected a version number");
    if (version->get<std::uint64_t>() > PlanVersion)
        return invalid(where, fmt::format("the plan is of version {}, and this program reads version {}; use a newer "
                                          "Pipescope",
                                          version->dump(), PlanVersion));
    return Success{};
}

Status readKey(const std::string &name, const Json &value, Plan &plan)
{
    std::vector<std::string> known;
    for (const Key &candidate : Keys) {
        if (candidate.name == name)
            return candidate.read(value, name, plan);
        known.emplace_back(candidate.name);
    }
    return name == VersionKey ? Status(Success{}) : invalid(name, "there is no such key." + didYouMean(name, known));
}

/// Names in objects are identifiers.
Status checkUtf8(const Json &value, const std::string &where)
{
    if (const auto *text = value.get_ptr<const std::string *>(); text != nullptr && !isUtf8(*text))
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("{}: {} is not UTF-8, which a plan cannot hold", where, quotedText(*text)),
                     where,
                     {}};
    if (!value.is_array())
        return Success{};
    for (std::size_t i = 0; i < value.size(); ++i) {
        if (auto ok = checkUtf8(value[i], fmt::format("{}[{}]", where, i)); !ok)
            return ok;
    }
    return Success{};
}

} // namespace

Status checkWritable(const Plan &plan)
{
    for (const Key &candidate : Keys) {
        if (auto ok = checkUtf8(candidate.write(plan), std::string(candidate.name)); !ok)
            return ok;
    }
    return Success{};
}

std::string toJson(const Plan &plan)
{
    const Plan none; // whose empty texts need not be written: reading gives them again
    Json json;
    json[std::string(VersionKey)] = PlanVersion;
    for (const Key &candidate : Keys) {
        Json value = candidate.write(plan);
        const bool unknown = value.is_null() || (value == Json("") && candidate.write(none) == value);
        if (!unknown)
            json[std::string(candidate.name)] = std::move(value);
    }
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<Plan> parseDraft(std::string_view json)
{
    const auto root = parseStrictly(json);
    if (!root)
        return root.error();
    if (auto ok = checkVersion(*root); !ok)
        return ok.error();
    Plan plan;
    for (const auto &[name, value] : root->items()) {
        if (auto ok = readKey(name, value, plan); !ok)
            return ok.error();
    }
    return plan;
}

Result<Plan> parsePlan(std::string_view json)
{
    Result<Plan> plan = parseDraft(json);
    if (!plan)
        return plan;
    if (auto ok = validatePlan(*plan); !ok)
        return Error{ErrorCode::InvalidFile, ok.error().message, ok.error().where, {}};
    return plan;
}

} // namespace pipescope::plan
