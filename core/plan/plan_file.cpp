#include "plan/plan_file.h"

#include "base/file.h"
#include "base/text.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>

namespace pipescope::plan {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr const char *VersionKey = "pipescopePlan";
constexpr std::uintmax_t LargestFile = 16 << 20;
constexpr int DeepestNesting = 16;

Error invalid(const std::string &where, const std::string &what)
{
    return {ErrorCode::InvalidFile, fmt::format("plan: {}: {}", where, what), where, {}};
}

// Takes members out of the object one by one; what is left over at the end is unknown and refused by name.
class Reader
{
public:
    explicit Reader(const Json &object) : m_object(object) {}

    void text(const std::string &key, std::string &target)
    {
        take(key, [&](const Json &value) {
            if (!value.is_string())
                return fail(key, "must be text");
            target = value.get<std::string>();
        });
    }

    void texts(const std::string &key, std::vector<std::string> &target)
    {
        take(key, [&](const Json &value) {
            if (!value.is_array())
                return fail(key, "must be a list of texts");
            for (std::size_t i = 0; i < value.size(); ++i) {
                if (!value[i].is_string())
                    return fail(fmt::format("{}[{}]", key, i), "must be text");
                target.push_back(value[i].get<std::string>());
            }
        });
    }

    void integer(const std::string &key, int &target)
    {
        take(key, [&](const Json &value) {
            if (!value.is_number_integer() || value.get<double>() < -2147483648.0 || value.get<double>() > 2147483647.0)
                return fail(key, "must be a whole number of 32 bits");
            target = value.get<int>();
        });
    }

    void unsignedNumber(const std::string &key, std::uint64_t &target)
    {
        take(key, [&](const Json &value) {
            if (!value.is_number_unsigned())
                return fail(key, "must be a whole number that is not negative");
            target = value.get<std::uint64_t>();
        });
    }

    void boolean(const std::string &key, bool &target)
    {
        take(key, [&](const Json &value) {
            if (!value.is_boolean())
                return fail(key, "must be true or false");
            target = value.get<bool>();
        });
    }

    void number(const std::string &key, std::optional<double> &target)
    {
        take(key, [&](const Json &value) {
            if (!value.is_number())
                return fail(key, "must be a number");
            target = value.get<double>();
        });
    }

    void inputs(const std::string &key, std::vector<InputSpec> &target)
    {
        std::vector<std::string> written;
        texts(key, written);
        for (std::size_t i = 0; i < written.size() && !m_error; ++i) {
            auto spec = parseInputSpec(written[i]);
            if (!spec)
                return fail(fmt::format("{}[{}]", key, i), spec.error().message);
            target.push_back(std::move(*spec));
        }
    }

    void chunks(const std::string &key, std::vector<std::pair<std::string, microbatch::ChunkSpec>> &target)
    {
        take(key, [&](const Json &value) {
            if (!value.is_object())
                return fail(key, "must be an object: argument name to chunk spec");
            for (const auto &[name, entry] : value.items())
                if (auto spec = chunk(key + "." + name, entry))
                    target.emplace_back(name, std::move(*spec));
        });
    }

    void outputChunks(const std::string &key, std::optional<microbatch::ChunkSpec> &target)
    {
        take(key, [&](const Json &value) { target = chunk(key, value); });
    }

    Status finish()
    {
        if (m_error)
            return *m_error;
        for (const auto &[key, value] : m_object.items())
            if (std::find(m_known.begin(), m_known.end(), key) == m_known.end())
                return invalid(key, fmt::format("there is no such key.{}", didYouMean(key, m_known)));
        return Success{};
    }

    void fail(const std::string &where, const std::string &what)
    {
        if (!m_error)
            m_error = invalid(where, what);
    }

private:
    template <class Use>
    void take(const std::string &key, Use use)
    {
        m_known.push_back(key);
        if (const auto found = m_object.find(key); found != m_object.end() && !m_error)
            use(*found);
    }

    std::optional<microbatch::ChunkSpec> chunk(const std::string &where, const Json &value)
    {
        if (!value.is_string()) {
            fail(where, "must be a chunk spec as text, such as \"0\" or \"replicate\"");
            return std::nullopt;
        }
        auto spec = microbatch::parseChunkSpec(value.get<std::string>());
        if (!spec) {
            fail(where, spec.error().message);
            return std::nullopt;
        }
        return std::move(*spec);
    }

    const Json &m_object;
    std::vector<std::string> m_known{VersionKey};
    std::optional<Error> m_error;
};

Status checkVersion(const Json &root)
{
    const auto version = root.find(VersionKey);
    if (version == root.end())
        return invalid(VersionKey, "the key is missing, so this is no Pipescope plan");
    if (!version->is_number_integer() || version->get<double>() < 1)
        return invalid(VersionKey, "must be a version number");
    if (version->get<double>() > PlanVersion)
        return invalid(VersionKey, fmt::format("the plan has version {} and this program reads up to {}; use a newer Pipescope",
                                               version->dump(), PlanVersion));
    return Success{};
}

// Keeps a path usable from the plan's folder.
std::string relativeTo(const std::string &path, const fs::path &folder)
{
    std::error_code ec;
    const fs::path absolute = fs::absolute(path, ec);
    if (ec)
        return path;
    const fs::path relative = absolute.lexically_normal().lexically_relative(fs::absolute(folder).lexically_normal());
    return relative.empty() ? absolute.string() : relative.string();
}

std::string resolvedFrom(const std::string &path, const fs::path &folder)
{
    const fs::path given(path);
    return given.is_absolute() || path.empty() ? path : (folder / given).lexically_normal().string();
}


void changeValue(InputValue &value, const std::function<std::string(const std::string &)> &change)
{
    if (auto *file = std::get_if<FileSpec>(&value.node))
        file->path = change(file->path);
    else if (auto *list = std::get_if<InputValue::List>(&value.node))
        for (InputValue &item : list->items)
            changeValue(item, change);
    else if (auto *tuple = std::get_if<InputValue::Tuple>(&value.node))
        for (InputValue &item : tuple->items)
            changeValue(item, change);
    else if (auto *dict = std::get_if<InputValue::Dict>(&value.node))
        for (auto &[name, item] : dict->entries)
            changeValue(item, change);
}

void changePaths(Plan &plan, const std::function<std::string(const std::string &)> &change)
{
    plan.model = change(plan.model);
    for (std::string &library : plan.opLibraries)
        library = change(library);
    for (InputSpec &input : plan.inputs)
        changeValue(input.value, change);
    if (plan.schedule.starts_with('@'))
        plan.schedule = "@" + change(plan.schedule.substr(1));
}

} // namespace

std::string toJson(const Plan &plan)
{
    nlohmann::ordered_json root;
    root[VersionKey] = PlanVersion;
    root["model"] = plan.model;
    root["modelSha256"] = plan.modelSha256;
    root["method"] = plan.method;
    root["opLibraries"] = plan.opLibraries;
    root["inputs"] = nlohmann::ordered_json::array();
    for (const InputSpec &input : plan.inputs)
        root["inputs"].push_back(toText(input));
    root["inputChunks"] = nlohmann::ordered_json::object();
    for (const auto &[name, spec] : plan.inputChunks)
        root["inputChunks"][name] = microbatch::toText(spec);
    if (plan.outputChunks)
        root["outputChunks"] = microbatch::toText(*plan.outputChunks);
    root["splits"] = plan.splits;
    root["microbatches"] = plan.microbatches;
    root["schedule"] = plan.schedule;
    root["devices"] = plan.devices;
    root["threadsPerRank"] = plan.threadsPerRank;
    root["maxInFlight"] = plan.maxInFlight;
    root["seed"] = plan.seed;
    root["grad"] = plan.grad;
    if (plan.rtol)
        root["rtol"] = *plan.rtol;
    if (plan.atol)
        root["atol"] = *plan.atol;
    return root.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

Result<Plan> parsePlan(std::string_view json)
{
    const auto shallow = [](int depth, Json::parse_event_t, Json &) {
        if (depth > DeepestNesting)
            throw std::length_error("nested too deeply");
        return true;
    };
    try {
        const Json root = Json::parse(json, shallow);
        if (!root.is_object())
            return invalid("file", "it is no JSON object");
        if (auto ok = checkVersion(root); !ok)
            return ok.error();
        Plan plan;
        Reader reader(root);
        reader.text("model", plan.model);
        reader.text("modelSha256", plan.modelSha256);
        reader.text("method", plan.method);
        reader.texts("opLibraries", plan.opLibraries);
        reader.inputs("inputs", plan.inputs);
        reader.chunks("inputChunks", plan.inputChunks);
        reader.outputChunks("outputChunks", plan.outputChunks);
        reader.texts("splits", plan.splits);
        reader.integer("microbatches", plan.microbatches);
        reader.text("schedule", plan.schedule);
        reader.texts("devices", plan.devices);
        reader.integer("threadsPerRank", plan.threadsPerRank);
        reader.integer("maxInFlight", plan.maxInFlight);
        reader.unsignedNumber("seed", plan.seed);
        reader.boolean("grad", plan.grad);
        reader.number("rtol", plan.rtol);
        reader.number("atol", plan.atol);
        if (auto ok = reader.finish(); !ok)
            return ok.error();
        return plan;
    } catch (const std::exception &problem) {
        return invalid("file", fmt::format("it is no JSON that can be read: {}", problem.what()));
    }
}

Result<Plan> loadPlan(const fs::path &path)
{
    auto text = readFile(path, LargestFile);
    if (!text)
        return text.error();
    auto plan = parsePlan(*text);
    if (plan)
        if (auto ok = validatePlan(*plan); !ok)
            plan = Error{ErrorCode::InvalidFile, "plan: " + ok.error().message, ok.error().where, {}};
    if (!plan)
        return Error{plan.error().code, fmt::format("'{}': {}", path.string(), plan.error().message), plan.error().where, {}};
    changePaths(*plan, [&](const std::string &written) { return resolvedFrom(written, path.parent_path()); });
    return plan;
}

Status savePlan(const Plan &plan, const fs::path &path)
{
    Plan stored = plan;
    const fs::path folder = path.parent_path().empty() ? fs::path(".") : path.parent_path();
    changePaths(stored, [&](const std::string &used) { return relativeTo(used, folder); });
    return writeFile(path, toJson(stored));
}

bool looksLikePlan(const fs::path &path)
{
    std::ifstream in(path, std::ios::binary);
    std::string head(4096, '\0');
    in.read(head.data(), static_cast<std::streamsize>(head.size()));
    head.resize(static_cast<std::size_t>(std::max<std::streamsize>(in.gcount(), 0)));
    const std::string_view text = trimmed(head);
    return text.starts_with('{') && text.find(fmt::format("\"{}\"", VersionKey)) != std::string_view::npos;
}

} // namespace pipescope::plan
