#include "text_table.h"

#include "base/error.h"
#include "base/shown_text.h"
#include "base/text.h"

#include <algorithm>

namespace pipescope::app {

namespace {

constexpr std::string_view Gap = "  ";

std::string line(const std::vector<std::string> &cells, const std::vector<TextTable::Column> &columns,
                 const std::vector<std::size_t> &widths)
{
    std::string text;
    bool first = true;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (widths[i] == 0)
            continue;
        if (!first)
            text += Gap;
        first = false;
        const std::string blanks(widths[i] - displayWidth(cells[i]), ' ');
        text += columns[i].align == TextTable::Align::Right ? blanks + cells[i] : cells[i] + blanks;
    }
    text.erase(text.find_last_not_of(' ') + 1);
    return text;
}

} // namespace

void TextTable::addRow(std::vector<std::string> cells)
{
    PIPESCOPE_ASSERT(cells.size() == m_columns.size());
    for (std::string &cell : cells)
        cell = shownText(cell);
    m_rows.push_back(std::move(cells));
}

/// 0 for a column that has nothing to show.
std::vector<std::size_t> TextTable::widths() const
{
    std::vector<std::size_t> widths(m_columns.size(), 0);
    for (const std::vector<std::string> &row : m_rows) {
        for (std::size_t i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], displayWidth(row[i]));
    }
    for (std::size_t i = 0; i < widths.size(); ++i) {
        if (widths[i] > 0)
            widths[i] = std::max(widths[i], displayWidth(m_columns[i].title));
    }
    return widths;
}

std::string TextTable::toText(std::string_view indent) const
{
    const std::vector<std::size_t> width = widths();
    std::vector<std::string> titles;
    for (std::size_t i = 0; i < m_columns.size(); ++i)
        titles.push_back(width[i] == 0 ? std::string() : m_columns[i].title);
    std::string text = std::string(indent) + line(titles, m_columns, width) + '\n';
    for (const std::vector<std::string> &row : m_rows)
        text += std::string(indent) + line(row, m_columns, width) + '\n';
    return text;
}

} // namespace pipescope::app
