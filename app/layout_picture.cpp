#include "base/error.h"
#include "layout_output.h"
#include "shard/geometry.h"
#include "text_table.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace pipescope::app {

namespace {

constexpr std::size_t MostInCell = 4; // copies, and partial values; of more the first and the last are named

std::string joined(const std::vector<std::string> &items, std::string_view separator)
{
    if (items.size() <= MostInCell)
        return fmt::format("{}", fmt::join(items, separator));
    return fmt::format("{}{}..{}{}", fmt::join(items.begin(), items.begin() + MostInCell - 2, separator), separator,
                       separator, items.back());
}

/// The mesh dimensions with several ranks where all hold copies, and those where all hold partial values.
struct Holding
{
    std::vector<int> copies;
    std::vector<int> partials;
};

Holding holdingOf(const shard::Layout &layout)
{
    Holding holding;
    for (int meshDim = 0; meshDim < layout.mesh().ndim(); ++meshDim) {
        const shard::Placement &placement = layout.placements()[static_cast<std::size_t>(meshDim)];
        if (layout.mesh().size(meshDim) == 1 || isSharded(placement))
            continue;
        (isPartial(placement) ? holding.partials : holding.copies).push_back(meshDim);
    }
    return holding;
}

/// The ranks that hold what the one at `place` holds: copies as "0,1", partial values as "0,1 + 2,3".
std::string cellText(const shard::Layout &layout, const Holding &holding, const shard::Coordinate &place)
{
    std::vector<std::string> values;
    for (const RankId first : layout.mesh().line(place, holding.partials)) {
        std::vector<std::string> copies;
        for (const RankId rank : layout.mesh().line(*layout.mesh().coordinate(first), holding.copies))
            copies.push_back(std::to_string(rank.value));
        values.push_back(joined(copies, ","));
    }
    return joined(values, " + ");
}

/// Where the ranks are that hold these bands, at index 0 of all other dimensions.
void goTo(shard::Coordinate &place, const shard::Layout &layout, int dim, const shard::Band &band)
{
    const std::vector<shard::Cut> &cuts = layout.cuts(dim);
    for (std::size_t i = 0; i < cuts.size(); ++i)
        place[static_cast<std::size_t>(cuts[i].meshDim)] = band.parts[i];
}

std::string sliceText(const shard::Band &band)
{
    return fmt::format("{}:{}", band.range.begin, band.range.end);
}

/// What the axes are, and where the rest of the tensor is.
std::string pictureHead(const shard::Layout &layout, const PictureAxes &axes)
{
    std::string text = fmt::format("rows: dimension {}", axes[0]);
    if (axes.size() > 1)
        text += fmt::format(", columns: dimension {}", axes[1]);
    if (layout.ndim() > static_cast<int>(axes.size()))
        text += "; the others at index 0";
    return text + "; cells: ranks\n";
}

std::string legend(const shard::Layout &layout, const Holding &holding)
{
    std::string text;
    if (!holding.copies.empty())
        text += "a,b: copies\n";
    if (!holding.partials.empty()) {
        const auto partial = static_cast<std::size_t>(holding.partials.front());
        text += fmt::format("a + b: partial values, {}\n", shard::text(layout.placements()[partial]));
    }
    return text;
}

std::string leftOutText(const shard::Layout &layout, int dim, const std::vector<shard::Band> &shown,
                        std::string_view what)
{
    const std::int64_t size = layout.shape()[static_cast<std::size_t>(dim)];
    if (shown.back().range.end == size)
        return {};
    return fmt::format("{} {}:{} are left out\n", what, shown.back().range.end, size);
}

} // namespace

std::string layoutPicture(const shard::Layout &layout, const PictureAxes &axes, const LayoutLimits &limits)
{
    PIPESCOPE_ASSERT(axes.size() == 1 || axes.size() == 2);
    if (layout.numel() == 0)
        return "the tensor has no elements, so there is no picture\n";
    const std::vector<shard::Band> rows = bands(layout, axes[0], 0, limits.rows);
    std::vector<shard::Band> columns;
    std::vector<TextTable::Column> titles{{"rows"}};
    if (axes.size() == 2)
        columns = bands(layout, axes[1], 0, limits.columns);
    for (const shard::Band &column : columns)
        titles.push_back({sliceText(column)});
    if (axes.size() == 1)
        titles.push_back({"ranks"});
    TextTable table(std::move(titles));
    const Holding holding = holdingOf(layout);
    for (const shard::Band &row : rows) {
        shard::Coordinate place(layout.placements().size(), 0); // the first part of every cut has index 0
        goTo(place, layout, axes[0], row);
        std::vector<std::string> cells{sliceText(row)};
        for (const shard::Band &column : columns) {
            goTo(place, layout, axes[1], column);
            cells.push_back(cellText(layout, holding, place));
        }
        if (axes.size() == 1)
            cells.push_back(cellText(layout, holding, place));
        table.addRow(std::move(cells));
    }
    std::string text = pictureHead(layout, axes) + table.toText() + leftOutText(layout, axes[0], rows, "rows");
    if (axes.size() == 2)
        text += leftOutText(layout, axes[1], columns, "columns");
    return text + legend(layout, holding);
}

} // namespace pipescope::app
