#include "comm/line.h"

#include <algorithm>
#include <fmt/format.h>

namespace pipescope::comm {

namespace {

Error refuse(std::string message)
{
    return {ErrorCode::InvalidArgument, std::move(message), {}, {}};
}

} // namespace

Status checkLine(const Line &line, RankId self, int ranks)
{
    if (line.empty())
        return refuse("a collective needs at least one rank; its list of ranks is empty");
    for (const RankId rank : line) {
        if (!rank.valid() || rank.value >= ranks)
            return refuse(fmt::format("there is no rank {}; ranks are 0 to {}", rank.value, ranks - 1));
    }
    Line sorted = line;
    std::sort(sorted.begin(), sorted.end());
    if (const auto twice = std::adjacent_find(sorted.begin(), sorted.end()); twice != sorted.end())
        return refuse(fmt::format("rank {} stands twice in {}; name each rank once", twice->value, lineText(line)));
    if (!std::binary_search(sorted.begin(), sorted.end(), self))
        return refuse(
            fmt::format("rank {} calls a collective on ranks {} and is none of them", self.value, lineText(line)));
    return Success{};
}

std::string lineText(const Line &line)
{
    std::string text = "[";
    for (const RankId rank : line)
        text += fmt::format("{}{}", text.size() > 1 ? ", " : "", rank.value);
    return text + "]";
}

std::string ranksText(const std::vector<RankId> &ranks)
{
    PIPESCOPE_ASSERT(!ranks.empty());
    std::string text = ranks.size() == 1 ? "rank " : "ranks ";
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        const bool last = i + 1 == ranks.size();
        text += fmt::format("{}{}", i == 0 ? "" : last ? " and " : ", ", ranks[i].value);
    }
    return text;
}

} // namespace pipescope::comm
