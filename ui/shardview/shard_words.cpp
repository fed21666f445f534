#include "shardview/shard_words.h"

#include "shardview/translate.h"
#include "widgets/number_text.h"

#include <QStringList>
#include <cstddef>
#include <limits>

namespace pipescope::shardview {

namespace {

constexpr int MostGroups = 6;
constexpr std::size_t MostBands = 3;

/// "a, b and c".
QString enumerated(const QStringList &parts)
{
    if (parts.size() < 2)
        return parts.join(QString());
    return tr("%1 and %2").arg(parts.mid(0, parts.size() - 1).join(QStringLiteral(", ")), parts.back());
}

QString nameOf(const shard::DeviceMesh &mesh, int dim)
{
    return mesh.names().empty() ? QString::number(dim)
                                : QString::fromStdString(mesh.names()[static_cast<std::size_t>(dim)]);
}

QString rangesText(const shard::Layout &layout, const shard::Coordinate &place, int dim)
{
    const shard::HeldRanges held = heldRanges(layout, place, dim, MostBands);
    QStringList ranges;
    for (const shard::IndexRange &range : held.ranges)
        ranges << (range == shard::IndexRange{0, layout.shape()[static_cast<std::size_t>(dim)]}
                       ? QStringLiteral(":")
                       : QStringLiteral("%1:%2").arg(range.begin).arg(range.end));
    if (!held.complete)
        ranges << QStringLiteral("…");
    return ranges.join(QStringLiteral(" + "));
}

} // namespace

QString ranksText(const std::vector<RankId> &ranks)
{
    QStringList groups;
    std::size_t told = 0;
    while (told < ranks.size() && groups.size() < MostGroups) {
        std::size_t end = told + 1;
        while (end < ranks.size() && ranks[end].value == ranks[end - 1].value + 1)
            ++end;
        const QString first = QString::number(ranks[told].value);
        if (end - told == 2)
            groups << first << QString::number(ranks[end - 1].value);
        else if (end - told > 2)
            groups << tr("%1 to %2").arg(first).arg(ranks[end - 1].value);
        else
            groups << first;
        told = end;
    }
    if (told < ranks.size())
        groups << tr("%1 more").arg(widgets::countText(static_cast<std::int64_t>(ranks.size() - told)));
    return (ranks.size() == 1 ? tr("rank %1") : tr("ranks %1")).arg(enumerated(groups));
}

QString coordinateText(const shard::DeviceMesh &mesh, const shard::Coordinate &place)
{
    QStringList parts;
    for (int dim = 0; dim < mesh.ndim(); ++dim) {
        const QString at = QString::number(place[static_cast<std::size_t>(dim)]);
        parts << (mesh.names().empty() ? at : QStringLiteral("%1 %2").arg(nameOf(mesh, dim), at));
    }
    return parts.join(QStringLiteral(", "));
}

QString meshDimsText(const shard::DeviceMesh &mesh, const std::vector<int> &dims)
{
    QStringList parts;
    for (const int dim : dims)
        parts << nameOf(mesh, dim);
    if (!mesh.names().empty())
        return enumerated(parts);
    return (dims.size() == 1 ? tr("mesh dimension %1") : tr("mesh dimensions %1")).arg(enumerated(parts));
}

QString placementsText(const shard::Layout &layout)
{
    const shard::DeviceMesh &mesh = layout.mesh();
    if (mesh.names().empty() || !layout.order().empty())
        return QString::fromStdString(layout.text());
    QStringList parts;
    for (int dim = 0; dim < mesh.ndim(); ++dim)
        parts << tr("%1 over %2")
                     .arg(QString::fromStdString(shortText(layout.placements()[static_cast<std::size_t>(dim)])),
                          nameOf(mesh, dim));
    return parts.join(QStringLiteral(", "));
}

QString sizesText(const shard::Sizes &sizes)
{
    QStringList parts;
    for (const std::int64_t size : sizes)
        parts << QString::number(size);
    return '[' + parts.join(QStringLiteral(", ")) + ']';
}

QString heldText(const shard::Layout &layout, const shard::Coordinate &place)
{
    QStringList dims;
    for (int dim = 0; dim < layout.ndim(); ++dim) {
        if (localSize(layout, place, dim) == 0)
            return tr("nothing");
        dims << rangesText(layout, place, dim);
    }
    return '[' + dims.join(QStringLiteral(", ")) + ']';
}

std::optional<std::int64_t> bytesOf(const shard::Sizes &sizes, int itemSize)
{
    std::int64_t bytes = itemSize;
    for (const std::int64_t size : sizes) {
        if (size == 0)
            return 0;
        if (bytes > std::numeric_limits<std::int64_t>::max() / size)
            return std::nullopt;
        bytes *= size;
    }
    return bytes;
}

QString sizeText(std::optional<std::int64_t> bytes)
{
    return bytes ? widgets::bytesText(*bytes) : tr("unknown");
}

} // namespace pipescope::shardview
