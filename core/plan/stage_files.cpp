#include "plan/stage_files.h"

#include "base/file.h"

#include <cstdint>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

namespace pipescope::plan {

namespace {

using Answer = StageFiles::Answer;

constexpr std::uintmax_t LargestIndex = 256 << 20;
constexpr std::string_view IndexName = "stages.json";

struct Listed
{
    std::string file;
    std::string sha256;
};

struct Index
{
    std::vector<Listed> stages;
    std::vector<std::string> splits;
    std::string modelSha256; // "" where it is not said
    std::string method;
    std::vector<std::string> specialised;
    bool hasHashes = true;
};

/// A name in the folder, and nothing that leads out of it.
bool isPlainName(const std::string &name)
{
    return !name.empty() && name != "." && name != ".." && name.find('/') == std::string::npos;
}

/// nullopt where the text is no index of stages.
std::optional<Index> parseIndex(const std::string &text)
{
    const nlohmann::json read = nlohmann::json::parse(text, nullptr, false);
    try {
        if (read.at("format").get<std::string>() != "pipescope-stages")
            return std::nullopt;
        Index index;
        std::set<std::string> names;
        for (const nlohmann::json &stage : read.at("stages")) {
            Listed listed{stage.at("file").get<std::string>(), stage.value("sha256", std::string())};
            if (!isPlainName(listed.file) || !names.insert(listed.file).second)
                return std::nullopt;
            index.hasHashes = index.hasHashes && !listed.sha256.empty();
            index.stages.push_back(std::move(listed));
        }
        index.hasHashes = index.hasHashes && read.contains("splits");
        index.splits = read.value("splits", std::vector<std::string>());
        index.modelSha256 = read.value("model_sha256", std::string());
        index.method = read.value("method", std::string());
        index.specialised = read.value("specialised", std::vector<std::string>());
        // Each split begins a stage, after the first one.
        if (index.stages.empty() || (index.hasHashes && index.stages.size() != index.splits.size() + 1))
            return std::nullopt;
        return index;
    } catch (const nlohmann::json::exception &) {
        return std::nullopt;
    }
}

std::string joined(const std::vector<std::string> &texts)
{
    return texts.empty() ? "none" : fmt::format("{}", fmt::join(texts, ", "));
}

std::vector<std::string> specialisedTexts(const Plan &plan)
{
    std::vector<std::string> texts;
    for (const InputSpec &input : plan.specialised)
        texts.push_back(toText(input));
    return texts;
}

/// Why the files have nothing to say about the plan, or "".
std::string whyOther(const Index &index, const Plan &plan)
{
    if (!index.hasHashes)
        return fmt::format("{} has no hashes; split again", IndexName);
    if (index.modelSha256.empty() || index.method.empty())
        return fmt::format("{} does not name the stage files' model and method; split again", IndexName);
    if (index.modelSha256 != plan.modelSha256)
        return "the stage files were written for another model than the plan's is now; split again";
    if (index.method != plan.method)
        return fmt::format(
            "the stage files were written for another method ({}) than the plan has now ({}); split again",
            index.method, plan.method);
    if (const std::vector<std::string> now = specialisedTexts(plan); index.specialised != now)
        return fmt::format(
            "the stage files were specialised for other inputs ({}) than the plan is now ({}); split again",
            joined(index.specialised), joined(now));
    if (index.splits != plan.splits)
        return fmt::format("the stage files were written for other splits ({}) than the plan has now ({}); split again",
                           joined(index.splits), joined(plan.splits));
    return {};
}

/// What is wrong with the file, or "".
Result<std::string> faultOf(const std::filesystem::path &folder, const Listed &listed, const std::stop_token &stop)
{
    const Result<std::string> found = fileSha256(folder / listed.file, stop);
    if (found)
        return *found == listed.sha256 ? std::string()
                                       : fmt::format("{} is another file than split wrote", listed.file);
    if (found.error().code == ErrorCode::Cancelled)
        return found.error();
    return found.error().code == ErrorCode::NotFound ? fmt::format("{} is missing", listed.file)
                                                     : found.error().message;
}

} // namespace

Result<std::optional<StageFiles>> checkStageFiles(const std::filesystem::path &planFile, const Plan &plan,
                                                  const std::stop_token &stop)
{
    const std::filesystem::path folder = planFile.parent_path();
    std::error_code ignored;
    if (!std::filesystem::exists(folder / IndexName, ignored))
        return std::optional<StageFiles>();
    const Result<std::string> text = readFile(folder / IndexName, LargestIndex);
    const std::optional<Index> index = text ? parseIndex(*text) : std::nullopt;
    StageFiles found;
    if (!index) {
        found.answer = Answer::Changed;
        found.explanation = text ? fmt::format("{} is damaged; split again", IndexName) : text.error().message;
        return std::optional(found);
    }
    for (const Listed &listed : index->stages)
        found.files.push_back(listed.file);
    if (found.explanation = whyOther(*index, plan); !found.explanation.empty()) {
        found.answer = Answer::Unknown;
        return std::optional(found);
    }
    std::vector<std::string> faults;
    for (const Listed &listed : index->stages) {
        const Result<std::string> fault = faultOf(folder, listed, stop);
        if (!fault)
            return fault.error();
        if (!fault->empty())
            faults.push_back(*fault);
    }
    if (!faults.empty()) {
        found.answer = Answer::Changed;
        found.explanation = fmt::format("{}", fmt::join(faults, "; "));
    }
    return std::optional(found);
}

} // namespace pipescope::plan
