#include "shardview/shard_mosaic.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <span>
#include <utility>

namespace pipescope::shardview {

namespace {

constexpr int MostColours = 8; ///< in the stripes of a cell
constexpr int StripeWidth = 4; ///< in pixels, of which the first is darker: ranks may share a colour
constexpr int Darker = 140;    ///< in percent

using Kind = AxisBand::Kind;

/// The colours that a cell's pixels have, in turns along its diagonal.
struct CellColours
{
    std::array<QRgb, MostColours> colours{};
    std::array<QRgb, MostColours> edges{};
    int count = 0; ///< 0: padding
    bool isMixed = false;

    [[nodiscard]] QRgb at(int along) const
    {
        if (count == 0)
            return 0;
        const auto turn = static_cast<std::size_t>(along / StripeWidth % count);
        return isMixed && along % StripeWidth == 0 ? edges[turn] : colours[turn];
    }
};

bool isMixed(const AxisBand &band)
{
    return band.kind == Kind::Mixed;
}

/// Some of the parts with elements, for bands that hold several.
std::vector<int> someParts(const ShardAxis &axis)
{
    std::vector<int> parts;
    for (int part = 0; part < axis.parts() && std::ssize(parts) < MostColours; ++part)
        if (axis.size(part) > 0)
            parts.push_back(part);
    return parts;
}

/// Of a sheet's cells; each pair of parts is looked up once, however many bands it has.
class Colours
{
public:
    Colours(const ShardScene &scene, int sheet, const style::Theme &theme)
        : m_scene(scene)
        , m_sheet(sheet)
        , m_theme(theme)
        , m_someRows(someParts(scene.rows()))
        , m_someColumns(someParts(scene.columns()))
        , m_known(static_cast<std::size_t>(scene.rows().parts()) * static_cast<std::size_t>(scene.columns().parts()))
    {
    }

    [[nodiscard]] CellColours of(const AxisBand &row, const AxisBand &column)
    {
        CellColours cell;
        cell.isMixed = isMixed(row) || isMixed(column);
        if (row.kind == Kind::Padding || column.kind == Kind::Padding)
            return cell;
        for (const int rowPart : isMixed(row) ? std::span<const int>(m_someRows) : std::span<const int>(&row.part, 1))
            for (const int columnPart :
                 isMixed(column) ? std::span<const int>(m_someColumns) : std::span<const int>(&column.part, 1))
                if (cell.count < MostColours)
                    cell.colours[static_cast<std::size_t>(cell.count++)] = of(rowPart, columnPart);
        for (int i = 0; cell.isMixed && i < cell.count; ++i)
            cell.edges[static_cast<std::size_t>(i)] =
                QColor(cell.colours[static_cast<std::size_t>(i)]).darker(Darker).rgb();
        return cell;
    }

private:
    [[nodiscard]] QRgb of(int row, int column)
    {
        QRgb &known = m_known[static_cast<std::size_t>(row) * static_cast<std::size_t>(m_scene.columns().parts()) +
                              static_cast<std::size_t>(column)];
        if (known == 0)
            known = m_theme.colour(m_scene.rankAt({m_sheet, row, column})).rgb(); // opaque, and so not 0
        return known;
    }

    const ShardScene &m_scene;
    const int m_sheet;
    const style::Theme &m_theme;
    const std::vector<int> m_someRows;
    const std::vector<int> m_someColumns;
    std::vector<QRgb> m_known;
};

/// The band that each pixel is in.
std::vector<int> bandOfPixels(const std::vector<AxisBand> &bands, const SeenPositions &seen, int pixels)
{
    std::vector<int> of(static_cast<std::size_t>(pixels), 0);
    int band = 0;
    for (int pixel = 0; pixel < pixels; ++pixel) {
        const double position = seen.begin + (pixel + 0.5) / pixels * seen.span();
        while (band + 1 < std::ssize(bands) &&
               static_cast<double>(bands[static_cast<std::size_t>(band)].positions.end) <= position)
            ++band;
        of[static_cast<std::size_t>(pixel)] = band;
    }
    return of;
}

} // namespace

bool needsMosaic(const SeenBands &bands)
{
    return bands.rows.size() * bands.columns.size() > MostCells ||
           std::any_of(bands.rows.begin(), bands.rows.end(), isMixed) ||
           std::any_of(bands.columns.begin(), bands.columns.end(), isMixed);
}

QImage mosaicOf(const ShardScene &scene, const ShardFrame &frame, const SeenBands &bands, int sheet,
                const style::Theme &theme, double ratio)
{
    const int width = static_cast<int>(std::lround(frame.plot().width() * ratio));
    const int height = static_cast<int>(std::lround(frame.plot().height() * ratio));
    QImage image(width, height, QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(ratio);
    if (bands.rows.empty() || bands.columns.empty()) {
        image.fill(Qt::transparent);
        return image;
    }
    const std::vector<int> columnOf = bandOfPixels(bands.columns, frame.columns(), width);
    const std::vector<int> rowOf = bandOfPixels(bands.rows, frame.rows(), height);
    Colours colours(scene, sheet, theme);
    std::map<std::pair<Kind, int>, std::vector<CellColours>> rows; // strided parts come again and again
    for (int y = 0; y < height; ++y) {
        const AxisBand &row = bands.rows[static_cast<std::size_t>(rowOf[static_cast<std::size_t>(y)])];
        std::vector<CellColours> &cells = rows[{row.kind, row.part}];
        if (cells.empty())
            for (const AxisBand &column : bands.columns)
                cells.push_back(colours.of(row, column));
        auto *line = reinterpret_cast<QRgb *>(image.scanLine(y));
        for (int x = 0; x < width; ++x) {
            const CellColours &cell = cells[static_cast<std::size_t>(columnOf[static_cast<std::size_t>(x)])];
            line[x] = cell.at(x + y);
        }
    }
    return image;
}

} // namespace pipescope::shardview
