#include "schedule/schedule_csv.h"

#include "base/text.h"

#include <algorithm>
#include <fmt/format.h>

namespace pipescope::schedule {

namespace {

// Takes the text up to `separator` off the front of `rest`, and the separator with it.
std::string_view takeUntil(std::string_view &rest, char separator)
{
    const std::size_t end = rest.find(separator);
    const std::string_view taken = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    return taken;
}

class CsvReader
{
public:
    CsvReader(std::string name, std::size_t limit)
        : m_limit(limit)
    {
        m_schedule.name = std::move(name);
    }

    Result<Schedule> read(std::string_view text)
    {
        const std::size_t last = text.find_last_not_of(" \t\r\n\f\v");
        if (last == std::string_view::npos)
            return Error{
                ErrorCode::InvalidFile, "the schedule is empty: it needs a line per rank", m_schedule.name, {}};
        text = text.substr(0, std::min(text.find('\n', last), text.size()));
        do {
            if (Status row = readRow(takeUntil(text, '\n')); !row)
                return row.error();
        } while (!text.empty());
        return std::move(m_schedule);
    }

private:
    Status readRow(std::string_view line)
    {
        Row &row = m_schedule.ranks.emplace_back();
        const bool endsOpen = line.ends_with(',');
        do {
            if (Status cell = readCell(takeUntil(line, ','), row); !cell)
                return cell;
        } while (!line.empty());
        return endsOpen ? readCell({}, row) : Success{};
    }

    Status readCell(std::string_view text, Row &row)
    {
        if (++m_cells > m_limit)
            return refuse(row, fmt::format("a schedule may have at most {} cells", m_limit));
        auto action = parseAction(text);
        if (!action)
            return refuse(row, action.error().message);
        if (*action)
            for (const Action &part : partsOf(**action)) {
                const int largest = std::max(part.stage.value, part.microbatch.value);
                if (static_cast<std::size_t>(std::max(largest, 0)) >= m_limit)
                    return refuse(row,
                                  fmt::format("{}: the number {} is not below {}", toText(part), largest, m_limit));
                m_schedule.stages = std::max(m_schedule.stages, part.stage.value + 1);
                m_schedule.microbatches = std::max(m_schedule.microbatches, part.microbatch.value + 1);
            }
        row.push_back(*std::move(action));
        return Success{};
    }

    Error refuse(const Row &row, const std::string &why) const
    {
        const std::string place = fmt::format("rank {}, step {}", m_schedule.ranks.size() - 1, row.size());
        return {ErrorCode::InvalidFile, place + ": " + why, m_schedule.name.empty() ? place : m_schedule.name, {}};
    }

    Schedule m_schedule;
    std::size_t m_limit;
    std::size_t m_cells = 0;
};

} // namespace

std::string toCsv(const Schedule &schedule)
{
    std::string text;
    for (const Row &row : schedule.ranks) {
        for (std::size_t step = 0; step < row.size(); ++step) {
            if (step > 0)
                text += ',';
            if (row[step])
                text += toText(*row[step]);
        }
        text += "\r\n";
    }
    return text;
}

Result<Schedule> parseCsv(std::string_view text, std::string name, std::size_t limitCells)
{
    constexpr std::string_view ByteOrderMark = "\xef\xbb\xbf"; // spreadsheets put one before what they export
    if (text.starts_with(ByteOrderMark))
        text.remove_prefix(ByteOrderMark.size());
    return CsvReader(std::move(name), limitCells).read(text);
}

} // namespace pipescope::schedule
