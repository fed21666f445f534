#include "import/meta_tensors.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>

namespace pipescope::import {

std::vector<std::string> withoutValues(const ImportedModel &model)
{
    std::vector<std::string> names;
    for (const auto &[value, held] : model.held)
        if (held.isTensor() && held.toTensor().is_meta())
            names.push_back(model.graph.value(value).name);
    return names;
}

std::string withoutValuesText(const std::vector<std::string> &names)
{
    constexpr std::size_t Shown = 3;
    const auto end = names.begin() + static_cast<std::ptrdiff_t>(std::min(names.size(), Shown));
    const std::string more = names.size() > Shown ? fmt::format(" and {} more", names.size() - Shown) : "";
    return fmt::format(
        "{}{} {} on the meta device, without values: the model can be looked at and split, but not run; give it "
        "values (to_empty, then load_state_dict) and save it again",
        fmt::join(names.begin(), end, ", "), more, names.size() == 1 ? "is" : "are");
}

Status checkHasValues(const ImportedModel &model)
{
    const std::vector<std::string> names = withoutValues(model);
    if (names.empty())
        return Success{};
    return Error{ErrorCode::Unsupported, withoutValuesText(names), names.front(), {}};
}

} // namespace pipescope::import
