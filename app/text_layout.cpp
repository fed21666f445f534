#include "base/spec_reader.h"
#include "base/text.h"
#include "layout_output.h"
#include "shard/geometry.h"
#include "shard/layout_totals.h"
#include "text_table.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace pipescope::app {

namespace {

constexpr LayoutLimits ShortLimits{32, 16, 8, 4};
constexpr LayoutLimits AllLimits{static_cast<std::size_t>(shard::DeviceMesh::MaxRanks), 256, 64, 64};
constexpr std::size_t MostEmptyRanks = 16; // that are named

struct ReducedWord
{
    shard::ReduceOp op;
    std::string_view word;
};

constexpr std::array ReducedWords{
    ReducedWord{shard::ReduceOp::Sum, "sum"},         ReducedWord{shard::ReduceOp::Avg, "average"},
    ReducedWord{shard::ReduceOp::Max, "maximum"},     ReducedWord{shard::ReduceOp::Min, "minimum"},
    ReducedWord{shard::ReduceOp::Product, "product"},
};

std::string_view wordOf(shard::ReduceOp op)
{
    for (const ReducedWord &known : ReducedWords) {
        if (known.op == op)
            return known.word;
    }
    return {};
}

/// "", or ", cut 2 of 3" where the dimension is cut several times.
std::string cutText(const shard::Layout &layout, int meshDim, int tensorDim)
{
    const std::vector<shard::Cut> &cuts = layout.cuts(tensorDim);
    if (cuts.size() < 2)
        return {};
    const auto isThis = [meshDim](const shard::Cut &cut) { return cut.meshDim == meshDim; };
    const auto place = std::find_if(cuts.begin(), cuts.end(), isThis) - cuts.begin();
    return fmt::format(", cut {} of {}", place + 1, cuts.size());
}

/// What the ranks of a mesh dimension do.
struct PlacementWords
{
    const shard::Layout &layout;
    int meshDim;

    std::string operator()(shard::Replicate) const { return fmt::format("{} ranks hold copies", ranks()); }
    std::string operator()(shard::Shard shard) const
    {
        return fmt::format("{} ranks share dimension {}{}", ranks(), shard.dim, cutText(layout, meshDim, shard.dim));
    }
    std::string operator()(shard::StridedShard shard) const
    {
        return fmt::format("{} ranks share dimension {}{}, in strides: cut in {}, a rank has a chunk of each", ranks(),
                           shard.dim, cutText(layout, meshDim, shard.dim),
                           shard.splitFactor == 1 ? "1 piece" : fmt::format("{} pieces", shard.splitFactor));
    }
    std::string operator()(shard::Partial partial) const
    {
        return fmt::format("{} ranks hold partial values; the tensor is their {}", ranks(), wordOf(partial.op));
    }
    std::string operator()(shard::NormPartial norm) const
    {
        return fmt::format("{} ranks hold partial norms; the tensor is the {}-norm of them", ranks(), norm.p);
    }

    [[nodiscard]] int ranks() const { return layout.mesh().size(meshDim); }
};

std::string rangesText(const shard::Layout &layout, const shard::Coordinate &place, int dim, std::size_t most)
{
    const shard::HeldRanges held = heldRanges(layout, place, dim, most);
    std::vector<std::string> texts;
    std::int64_t left = localSize(layout, place, dim);
    for (const shard::IndexRange &range : held.ranges) {
        texts.push_back(fmt::format("{}:{}", range.begin, range.end));
        left -= range.end - range.begin;
    }
    if (texts.empty())
        return "none";
    return fmt::format("{}{}", fmt::join(texts, ", "), held.complete ? "" : fmt::format(" and {} more indices", left));
}

std::string ranksTable(const shard::Layout &layout, const LayoutLimits &limits)
{
    std::vector<TextTable::Column> columns{{"rank", TextTable::Align::Right}, {"coordinate"}, {"shape"}};
    for (int dim = 0; dim < layout.ndim(); ++dim)
        columns.push_back({fmt::format("dim {}", dim)});
    columns.push_back({"bytes", TextTable::Align::Right});
    TextTable table(std::move(columns));
    const std::vector<RankId> &ranks = layout.mesh().ranks();
    for (std::size_t i = 0; i < std::min(ranks.size(), limits.ranks); ++i) {
        const shard::Coordinate place = layout.mesh().coordinateAt(static_cast<int>(i));
        const shard::LocalShard local = localShard(layout, place);
        std::int64_t bytes = layout.itemSize();
        for (const std::int64_t size : local.sizes)
            bytes *= size;
        std::vector<std::string> cells{std::to_string(ranks[i].value), fmt::format("({})", fmt::join(place, ", ")),
                                       fmt::format("[{}]", fmt::join(local.sizes, ", "))};
        for (int dim = 0; dim < layout.ndim(); ++dim)
            cells.push_back(rangesText(layout, place, dim, limits.ranges));
        cells.push_back(formatBytes(bytes));
        table.addRow(std::move(cells));
    }
    std::string text = table.toText();
    if (ranks.size() > limits.ranks)
        text += fmt::format("and {} more ranks; --all lists them\n", ranks.size() - limits.ranks);
    return text;
}

std::string totalsText(const shard::Layout &layout)
{
    const shard::LayoutTotals totals = layoutTotals(layout);
    const int ranks = layout.mesh().size();
    std::string text = fmt::format("each element is on {} of {}; a rank holds at most {}\n", totals.copies,
                                   counted(static_cast<std::size_t>(ranks), "rank"), formatBytes(totals.largestBytes));
    if (totals.empty.empty())
        return text;
    std::vector<int> named;
    for (std::size_t i = 0; i < std::min(totals.empty.size(), MostEmptyRanks); ++i)
        named.push_back(totals.empty[i].value);
    const std::size_t others = totals.empty.size() - named.size();
    return text + fmt::format("{} {} nothing: {}{}\n", counted(totals.empty.size(), "rank"),
                              totals.empty.size() == 1 ? "holds" : "hold", fmt::join(named, ", "),
                              others == 0 ? "" : fmt::format(" and {} more", others));
}

PictureAxes usualAxes(const shard::Layout &layout)
{
    if (layout.ndim() == 1)
        return {0};
    return layout.ndim() == 2 ? PictureAxes{0, 1} : PictureAxes{};
}

} // namespace

LayoutLimits limitsOf(Detail detail)
{
    return detail == Detail::All ? AllLimits : ShortLimits;
}

Result<PictureAxes> parseAxes(std::string_view text, int ndim)
{
    SpecReader reader(text);
    PictureAxes axes;
    do {
        const Result<int> axis = reader.integer<int>("a dimension of the tensor");
        if (!axis)
            return axis.error();
        if (*axis < -ndim || *axis >= ndim)
            return reader.wrong(fmt::format("there is no dimension {}: the tensor has {}", *axis,
                                            counted(static_cast<std::size_t>(ndim), "dimension")));
        axes.push_back(*axis < 0 ? *axis + ndim : *axis);
        if (axes.size() > 2)
            return reader.wrong("more than two dimensions");
    } while (reader.take(','));
    if (!reader.atEnd())
        return reader.expected("',' or the end");
    if (axes.size() == 2 && axes.front() == axes.back())
        return reader.wrong(fmt::format("dimension {} is named twice", axes.front()));
    return axes;
}

std::string meshDimText(const shard::Layout &layout, int meshDim)
{
    const std::vector<std::string> &names = layout.mesh().names();
    const auto at = static_cast<std::size_t>(meshDim);
    const std::string name = names.empty() ? fmt::format("mesh dimension {}", meshDim) : names[at];
    if (layout.mesh().size(meshDim) == 1)
        return fmt::format("{}: 1 rank, which has all", name);
    return fmt::format("{}: {}", name, std::visit(PlacementWords{layout, meshDim}, layout.placements()[at]));
}

std::string layoutText(const shard::Layout &layout, const PictureAxes &axes, Detail detail, const Terminal &terminal)
{
    const LayoutLimits limits = limitsOf(detail);
    std::string text = bold(terminal, layout.specText()) + fmt::format(" over {}\n", layout.mesh().text());
    for (int meshDim = 0; meshDim < layout.mesh().ndim(); ++meshDim)
        text += meshDimText(layout, meshDim) + '\n';
    text += totalsText(layout) + '\n' + ranksTable(layout, limits);
    const PictureAxes drawn = axes.empty() ? usualAxes(layout) : axes;
    if (drawn.empty())
        return text + (layout.ndim() > 2 ? "\n--axes 0,1 draws a picture of two dimensions\n" : "");
    return text + '\n' + layoutPicture(layout, drawn, limits);
}

} // namespace pipescope::app
