#include "engine/stage_files.h"

#include "base/file.h"

#include <cstdint>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <string_view>
#include <system_error>
#include <utility>

namespace pipescope::engine {

namespace {

using Answer = StageFiles::Answer;
using nlohmann::json;

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
    const json read = json::parse(text, nullptr, false);
    try {
        if (read.at("format").get<std::string>() != "pipescope-stages")
            return std::nullopt;
        Index index;
        for (const json &stage : read.at("stages")) {
            Listed listed{stage.at("file").get<std::string>(), stage.value("sha256", std::string())};
            if (!isPlainName(listed.file))
                return std::nullopt;
            index.hasHashes = index.hasHashes && !listed.sha256.empty();
            index.stages.push_back(std::move(listed));
        }
        index.hasHashes = index.hasHashes && read.contains("splits");
        index.splits = read.value("splits", std::vector<std::string>());
        return index;
    } catch (const json::exception &) {
        return std::nullopt;
    }
}

std::string joined(const std::vector<std::string> &splits)
{
    return splits.empty() ? "none" : fmt::format("{}", fmt::join(splits, ", "));
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

Result<std::optional<StageFiles>> checkStageFiles(const std::filesystem::path &plan,
                                                  const std::vector<std::string> &splits, const std::stop_token &stop)
{
    const std::filesystem::path folder = plan.parent_path();
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
    if (!index->hasHashes || index->splits != splits) {
        found.answer = Answer::Unknown;
        found.explanation =
            index->hasHashes
                ? fmt::format("they were written for other splits ({}) than the plan has now ({}); split again",
                              joined(index->splits), joined(splits))
                : fmt::format("{} has no hashes; split again", IndexName);
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

} // namespace pipescope::engine
