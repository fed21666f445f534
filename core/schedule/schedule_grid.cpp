#include "schedule/schedule_csv.h"

#include <algorithm>
#include <fmt/format.h>

namespace pipescope::schedule {

namespace {

constexpr std::size_t MostSteps = 200;
constexpr std::size_t MostRanks = 40;

// Which of `count` steps or ranks are shown: `most` of them, with `centre` in the middle where that can be.
struct Window
{
    std::size_t first = 0;
    std::size_t end = 0;

    Window(std::size_t count, std::size_t most, std::size_t centre)
        : first(count > most ? std::min(centre - std::min(centre, most / 2), count - most) : 0)
        , end(std::min(count, first + most))
    {
    }
    [[nodiscard]] bool isPart(std::size_t count) const { return end - first < count; }
};

std::string cellText(const Row &row, std::size_t step)
{
    return step < row.size() && row[step] ? toText(*row[step]) : std::string();
}

std::string withoutTrailingBlanks(std::string line)
{
    line.erase(line.find_last_not_of(' ') + 1);
    return line;
}

} // namespace

std::string toGrid(const Schedule &schedule, std::optional<Place> error)
{
    std::size_t allSteps = 0;
    for (const Row &row : schedule.ranks)
        allSteps = std::max(allSteps, row.size());
    const std::size_t allRanks = schedule.ranks.size();
    const std::size_t errorStep = error ? static_cast<std::size_t>(std::max(error->step, 0)) : 0;
    const std::size_t errorRank = error && error->rank.valid() ? error->rank.index() : 0;
    const Window steps(allSteps, MostSteps, errorStep);
    const Window ranks(allRanks, MostRanks, errorRank);

    const std::size_t digits = std::to_string(allSteps > 0 ? allSteps - 1 : 0).size();
    std::string heading(std::string_view("Step : ").size() + digits, ' ');
    std::vector<std::string> lines;
    for (std::size_t step = steps.first; step < steps.end; ++step)
        lines.push_back(fmt::format("Step {:0{}}: ", step, digits));
    for (std::size_t rank = ranks.first; rank < ranks.end; ++rank) {
        const Row &row = schedule.ranks[rank];
        const std::string label = fmt::format("Rank {}", rank);
        std::size_t width = label.size();
        for (std::size_t step = steps.first; step < steps.end; ++step)
            width = std::max(width, cellText(row, step).size());
        heading += fmt::format("{:<{}} ", label, width);
        for (std::size_t step = steps.first; step < steps.end; ++step)
            lines[step - steps.first] += fmt::format("{:<{}} ", cellText(row, step), width);
    }
    if (error && errorStep >= steps.first && errorStep < steps.end)
        lines[errorStep - steps.first] += "<-- ERROR HERE";
    std::string text = withoutTrailingBlanks(std::move(heading)) + '\n';
    for (std::string &line : lines)
        text += withoutTrailingBlanks(std::move(line)) + '\n';
    if (steps.isPart(allSteps) || ranks.isPart(allRanks))
        text += fmt::format("(steps {} to {} of {} and ranks {} to {} of {})\n", steps.first, steps.end - 1, allSteps,
                            ranks.first, ranks.end - 1, allRanks);
    return text;
}

} // namespace pipescope::schedule
