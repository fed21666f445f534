// Schedules written out in tests: a text per rank, cells apart by blanks, "." for an idle step.
#pragma once

#include "schedule/schedule.h"

#include <QString>
#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

namespace pipescope::tests {

inline schedule::Row rowOf(const std::string &text)
{
    schedule::Row row;
    std::istringstream cells(text);
    for (std::string cell; cells >> cell;) {
        if (cell == ".") {
            row.emplace_back();
            continue;
        }
        auto action = schedule::parseAction(cell);
        if (!action || !*action)
            qFatal("not an action: %s", cell.c_str());
        row.push_back(*std::move(action));
    }
    return row;
}

/// Counts are what the actions name.
inline schedule::Schedule scheduleOf(const std::vector<std::string> &rows)
{
    schedule::Schedule schedule{"test", 0, 0, {}};
    for (const std::string &text : rows)
        schedule.ranks.push_back(rowOf(text));
    for (const schedule::Row &row : schedule.ranks)
        for (const schedule::Cell &cell : row)
            if (cell)
                for (const schedule::Action &action : schedule::partsOf(*cell)) {
                    schedule.stages = std::max(schedule.stages, action.stage.value + 1);
                    schedule.microbatches = std::max(schedule.microbatches, action.microbatch.value + 1);
                }
    return schedule;
}

inline std::string textOf(const schedule::Row &row)
{
    std::string text;
    for (const schedule::Cell &cell : row)
        text += (text.empty() ? "" : " ") + (cell ? schedule::toText(*cell) : std::string("."));
    return text;
}

inline std::vector<std::string> textOf(const schedule::Schedule &schedule)
{
    std::vector<std::string> rows;
    for (const schedule::Row &row : schedule.ranks)
        rows.push_back(textOf(row));
    return rows;
}

/// For QCOMPARE, which shows a QString where it differs.
inline QString shown(const std::string &text)
{
    return QString::fromStdString(text);
}

} // namespace pipescope::tests
