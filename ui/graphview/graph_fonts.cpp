#include "graphview/graph_fonts.h"

#include <QFontDatabase>
#include <QFontMetricsF>
#include <array>
#include <cmath>
#include <memory>

namespace pipescope::graphview {

namespace {

constexpr std::size_t Ascii = 128;
using Advances = std::array<double, Ascii>; // [0] for everything beyond ASCII

Advances advancesOf(const QFont &font)
{
    const QFontMetricsF metrics(font);
    Advances advances{};
    advances[0] = metrics.horizontalAdvance(QLatin1Char('m'));
    for (std::size_t c = 1; c < Ascii; ++c)
        advances[c] = metrics.horizontalAdvance(QChar(static_cast<char16_t>(c)));
    return advances;
}

QFont sized(QFont font, int pixels, QFont::Weight weight)
{
    font.setPixelSize(pixels);
    font.setWeight(weight);
    font.setHintingPreference(QFont::PreferNoHinting); // or widths would change with the zoom
    return font;
}

} // namespace

GraphFonts::GraphFonts(const QFont &base)
    : title(sized(base, 12, QFont::DemiBold))
    , detail(sized(base, 12, QFont::Normal))
    , value(sized(QFontDatabase::systemFont(QFontDatabase::FixedFont), 11, QFont::Normal))
{
}

const QFont &GraphFonts::of(TextRole role) const
{
    return role == TextRole::Title ? title : role == TextRole::Detail ? detail : value;
}

TextWidth GraphFonts::widths() const
{
    const auto tables = std::make_shared<const std::array<Advances, 3>>(
        std::array<Advances, 3>{advancesOf(title), advancesOf(detail), advancesOf(value)});
    return [tables](std::string_view text, TextRole role) {
        const Advances &advances = (*tables)[static_cast<std::size_t>(role)];
        double width = 0;
        for (const char c : text) {
            const auto byte = static_cast<unsigned char>(c);
            if (byte < Ascii)
                width += advances[byte];
            else if (byte >= 0xC0) // the first byte of a longer character; those that follow take no room
                width += advances[0];
        }
        return std::ceil(width);
    };
}

} // namespace pipescope::graphview
