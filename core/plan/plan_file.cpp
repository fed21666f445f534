#include "plan/plan_file.h"

#include "base/file.h"
#include "base/text.h"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <fstream>
#include <functional>
#include <sys/stat.h>
#include <system_error>
#include <variant>

namespace pipescope::plan {

namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t LongestFile = 16 << 20;
constexpr std::size_t LongestBeginning = 64 << 10;

using ChangePath = std::function<std::string(const std::string &)>;

void changeFiles(InputValue &value, const ChangePath &change)
{
    if (auto *file = std::get_if<FileSpec>(&value.node))
        file->path = change(file->path);
    const auto changeItems = [&](std::vector<InputValue> &items) {
        for (InputValue &item : items)
            changeFiles(item, change);
    };
    if (auto *list = std::get_if<InputValue::List>(&value.node))
        changeItems(list->items);
    if (auto *tuple = std::get_if<InputValue::Tuple>(&value.node))
        changeItems(tuple->items);
    if (auto *dict = std::get_if<InputValue::Dict>(&value.node)) {
        for (auto &[name, item] : dict->entries)
            changeFiles(item, change);
    }
}

// A bare library name that is no file in `folder` is the dynamic loader's to find.
bool isLoadersName(const std::string &library, const fs::path &folder)
{
    std::error_code ec;
    return library.find('/') == std::string::npos && !fs::exists(folder / library, ec);
}

// `folder` is what relative paths in the plan are relative to as it stands.
void changePaths(Plan &plan, const fs::path &folder, const ChangePath &change)
{
    plan.model = change(plan.model);
    for (std::string &library : plan.opLibraries) {
        if (!isLoadersName(library, folder))
            library = change(library);
    }
    for (InputSpec &input : plan.inputs)
        changeFiles(input.value, change);
    if (plan.schedule.starts_with('@'))
        plan.schedule = "@" + change(plan.schedule.substr(1));
}

// Absolute, with links in the folders followed so that ".." means what the system means by it; a link that is the file
// itself stays, as its name is what the user knows.
fs::path placed(const fs::path &path)
{
    std::error_code ec;
    const fs::path absolute = fs::absolute(path, ec);
    const fs::path folder = fs::weakly_canonical(absolute.parent_path(), ec);
    return ec ? absolute : folder / absolute.filename();
}

bool onOneFileSystem(const fs::path &a, const fs::path &b)
{
    struct stat first = {};
    struct stat second = {};
    return stat(a.c_str(), &first) != 0 || stat(b.c_str(), &second) != 0 || first.st_dev == second.st_dev;
}

std::string relativeTo(const fs::path &folder, const std::string &path)
{
    const fs::path file = placed(path);
    if (!onOneFileSystem(file, folder))
        return file.string();
    const fs::path relative = file.lexically_relative(folder);
    return relative.empty() ? file.string() : relative.string();
}

fs::path folderOf(const fs::path &planFile)
{
    return placed(planFile).parent_path();
}

} // namespace

Result<Plan> loadPlan(const fs::path &path)
{
    const auto bytes = readFile(path, LongestFile);
    if (!bytes)
        return bytes.error();
    auto plan = parsePlan(*bytes);
    if (!plan) {
        Error error = plan.error();
        error.message = fmt::format("cannot use the plan '{}': {}", path.string(), error.message);
        return error;
    }
    const fs::path folder = folderOf(path);
    changePaths(*plan, folder, [&](const std::string &relative) { return placed(folder / relative).string(); });
    return plan;
}

Status savePlan(const Plan &plan, const fs::path &path)
{
    if (auto ok = validatePlan(plan); !ok)
        return ok;
    Plan stored = plan;
    const fs::path folder = folderOf(path);
    changePaths(stored, {}, [&](const std::string &used) { return relativeTo(folder, used); });
    return writeFile(path, toJson(stored));
}

bool looksLikePlan(const fs::path &path)
{
    std::error_code ec;
    if (!fs::is_regular_file(path, ec))
        return false;
    std::ifstream in(path, std::ios::binary);
    std::string beginning(LongestBeginning, '\0');
    in.read(beginning.data(), static_cast<std::streamsize>(beginning.size()));
    beginning.resize(static_cast<std::size_t>(std::max<std::streamsize>(in.gcount(), 0)));
    constexpr std::string_view byteOrderMark = "\xEF\xBB\xBF";
    std::string_view text = beginning;
    if (text.starts_with(byteOrderMark))
        text.remove_prefix(byteOrderMark.size());
    return trimmed(text).starts_with('{') && text.find("\"pipescopePlan\"") != std::string_view::npos;
}

} // namespace pipescope::plan
