#include "trace/text_timeline.h"

#include "base/shown_text.h"
#include "base/text.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <fmt/format.h>
#include <vector>

namespace pipescope::trace {

namespace {

constexpr int FewestColumns = 10;

// Light background colours that black digits stand out on, for stages in turn.
constexpr std::array StageColours{44, 42, 43, 45, 46, 41, 104, 102};

// One column of a rank's row.
struct Column
{
    const Event *event = nullptr;
    double coveredNs = 0;
};
using Line = std::vector<Column>;

class Timeline
{
public:
    Timeline(const Trace &trace, int columns)
        : m_columns(static_cast<std::size_t>(columns))
        , m_lines(static_cast<std::size_t>(std::max(0, trace.ranks)), Line(m_columns))
    {
        for (const Event &event : trace.events)
            m_endNs = std::max(m_endNs, event.endNs);
        m_sliceNs = static_cast<double>(std::max<std::int64_t>(m_endNs, 1)) / columns;
        for (const Event &event : trace.events)
            if (isShown(event))
                cover(event);
        for (const Event &event : trace.events)
            if (isShown(event) && event.kind == EventKind::Compute)
                keepVisible(event);
    }

    [[nodiscard]] std::int64_t endNs() const { return m_endNs; }
    [[nodiscard]] const std::vector<Line> &lines() const { return m_lines; }

private:
    [[nodiscard]] bool isShown(const Event &event) const
    {
        return event.rank.valid() && event.rank.index() < m_lines.size() && event.endNs > 0 &&
               event.endNs >= event.beginNs;
    }

    // The column in which a moment lies.
    [[nodiscard]] std::size_t columnAt(double ns) const
    {
        const double column = std::clamp(ns / m_sliceNs, 0.0, static_cast<double>(m_columns - 1));
        return static_cast<std::size_t>(column);
    }

    [[nodiscard]] double coveredNs(const Event &event, std::size_t column) const
    {
        const double begin = std::max(static_cast<double>(event.beginNs), m_sliceNs * static_cast<double>(column));
        const double end = std::min(static_cast<double>(event.endNs), m_sliceNs * static_cast<double>(column + 1));
        return end - begin;
    }

    void cover(const Event &event)
    {
        Line &line = m_lines[event.rank.index()];
        const std::size_t last = columnAt(static_cast<double>(event.endNs));
        for (std::size_t i = columnAt(static_cast<double>(event.beginNs)); i <= last; ++i)
            if (const double covered = coveredNs(event, i); covered > line[i].coveredNs)
                line[i] = {&event, covered};
    }

    // Gives a computation that nowhere covers most of a slice one of the columns it touches.
    void keepVisible(const Event &event)
    {
        Line &line = m_lines[event.rank.index()];
        const std::size_t first = columnAt(static_cast<double>(event.beginNs));
        const std::size_t last = columnAt(static_cast<double>(event.endNs));
        std::size_t best = m_columns;
        for (std::size_t i = first; i <= last; ++i) {
            if (line[i].event == &event)
                return;
            if (!isOnlyColumn(line, i) && (best == m_columns || coveredNs(event, i) > coveredNs(event, best)))
                best = i;
        }
        if (best < m_columns)
            line[best].event = &event;
    }

    // Whether a computation would vanish with its column.
    static bool isOnlyColumn(const Line &line, std::size_t i)
    {
        const Event *event = line[i].event;
        if (event == nullptr || event->kind != EventKind::Compute)
            return false;
        const bool before = i > 0 && line[i - 1].event == event;
        const bool after = i + 1 < line.size() && line[i + 1].event == event;
        return !before && !after;
    }

    std::size_t m_columns;
    std::vector<Line> m_lines; // by rank
    std::int64_t m_endNs = 0;
    double m_sliceNs = 1;
};

std::string onStageColour(StageId stage, const std::string &text)
{
    const std::size_t colour = stage.valid() ? stage.index() % StageColours.size() : 0;
    return fmt::format("\x1b[30;{}m{}\x1b[0m", StageColours[colour], text);
}

std::string columnText(const Column &column, bool colour)
{
    if (column.event == nullptr)
        return " ";
    switch (column.event->kind) {
    case EventKind::Wait:
        return "·";
    case EventKind::Send:
    case EventKind::Receive:
        return "»";
    case EventKind::Compute:
        break;
    }
    const std::string digit = std::to_string(std::max(0, column.event->microbatch.value) % 10);
    return colour ? onStageColour(column.event->stage, digit) : digit;
}

std::string rankName(const Trace &trace, int rank)
{
    const auto index = static_cast<std::size_t>(rank);
    return index < trace.rankNames.size() ? shownText(trace.rankNames[index]) : fmt::format("rank {}", rank);
}

std::string legend(const Trace &trace, bool colour, const std::string &indent)
{
    std::string text = indent + "0-9 microbatch (last digit)  · waiting  » sending or receiving\n";
    if (!colour || trace.stages < 1)
        return text;
    text += indent + "stages";
    const int shown = std::min(trace.stages, static_cast<int>(StageColours.size()));
    for (int stage = 0; stage < shown; ++stage)
        text += ' ' + onStageColour(StageId{stage}, fmt::format(" {} ", stage));
    return text + (shown < trace.stages ? " and so on, in turn\n" : "\n");
}

} // namespace

std::string textTimeline(const Trace &trace, int columns, bool colour)
{
    columns = std::max(columns, FewestColumns);
    const Timeline timeline(trace, columns);
    std::size_t width = 0;
    for (int rank = 0; rank < trace.ranks; ++rank)
        width = std::max(width, displayWidth(rankName(trace, rank)));
    std::string text;
    for (int rank = 0; rank < trace.ranks; ++rank) {
        const std::string name = rankName(trace, rank);
        text += name + std::string(width - displayWidth(name), ' ') + " |";
        for (const Column &column : timeline.lines()[static_cast<std::size_t>(rank)])
            text += columnText(column, colour);
        text += "|\n";
    }
    const std::string indent(width + 2, ' ');
    const std::string end = formatSeconds(secondsBetween(0, timeline.endNs()));
    const auto gap =
        static_cast<std::size_t>(columns) - std::min(static_cast<std::size_t>(columns), displayWidth(end) + 1);
    text += indent + "0" + std::string(gap, ' ') + end + "\n";
    return text + legend(trace, colour, indent);
}

} // namespace pipescope::trace
