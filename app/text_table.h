// Text in aligned columns. Widths count characters, not bytes; numbers go to the right.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pipescope::app {

class TextTable
{
public:
    enum class Align { Left, Right };
    struct Column
    {
        std::string title;
        Align align = Align::Left;
    };

    explicit TextTable(std::vector<Column> columns)
        : m_columns(std::move(columns))
    {
    }

    /// One cell for each column.
    void addRow(std::vector<std::string> cells);
    [[nodiscard]] bool empty() const { return m_rows.empty(); }
    /// A line of titles, then one for each row, without trailing blanks. Columns whose cells are all empty are left
    /// out.
    [[nodiscard]] std::string toText(std::string_view indent = "") const;

private:
    [[nodiscard]] std::vector<std::size_t> widths() const;

    std::vector<Column> m_columns;
    std::vector<std::vector<std::string>> m_rows;
};

} // namespace pipescope::app
