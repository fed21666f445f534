#include "timeline/spot_table_model.h"

#include "base/error.h"
#include "timeline/describe.h"
#include "timeline/walk.h"
#include "widgets/number_text.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

namespace pipescope::timeline {

namespace {

auto placeOf(Spot spot)
{
    return std::tuple(spot.lane, spot.slice, spot.bubble);
}

} // namespace

SpotTableModel::SpotTableModel(std::vector<Column> columns, QObject *parent)
    : QAbstractTableModel(parent)
    , m_columns(std::move(columns))
{
    for (std::size_t place = 0; place < m_columns.size(); ++place)
        PIPESCOPE_ASSERT(m_columns[place].place == static_cast<int>(place));
}

void SpotTableModel::setModel(std::shared_ptr<const LaneModel> model)
{
    beginResetModel();
    m_model = std::move(model);
    const double span = m_model ? m_model->run().spanNs() : 0;
    m_unitNs = span < 1e4 ? 1 : span < 1e7 ? 1e3 : span < 1e10 ? 1e6 : 1e9;
    m_unit = span < 1e4 ? "ns" : span < 1e7 ? QStringLiteral("µs") : span < 1e10 ? "ms" : "s";
    m_spots = m_model ? spotsOf(*m_model) : std::vector<Spot>();
    m_order.resize(m_spots.size());
    m_rows.resize(m_spots.size());
    arrange();
    endResetModel();
}

Spot SpotTableModel::spotOf(const QModelIndex &index) const
{
    return m_spots[m_order[static_cast<std::size_t>(index.row())]];
}

int SpotTableModel::rowOf(Spot spot) const
{
    const auto found = std::lower_bound(m_spots.begin(), m_spots.end(), spot,
                                        [](Spot one, Spot other) { return placeOf(one) < placeOf(other); });
    if (found == m_spots.end() || placeOf(*found) != placeOf(spot))
        return -1;
    return static_cast<int>(m_rows[static_cast<std::size_t>(found - m_spots.begin())]);
}

int SpotTableModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_spots.size());
}

int SpotTableModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_columns.size());
}

QString SpotTableModel::timeText(double ns, bool isLength) const
{
    const double value = ns / m_unitNs;
    const int most = static_cast<int>(std::lround(std::log10(m_unitNs))); // no more digits than the clock has
    if (!isLength)
        return widgets::fixedText(value, std::min(most, 3));
    const int digits = value == 0 ? 1 : static_cast<int>(std::floor(std::log10(std::abs(value)))) + 1;
    return widgets::fixedText(value, std::clamp(3 - digits, 0, std::min(most, 3)));
}

QVariant SpotTableModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Spot spot = spotOf(index);
    const Column &column = m_columns[static_cast<std::size_t>(index.column())];
    const bool isMeasure = column.sort == Sort::Number || column.sort == Sort::Time;
    switch (role) {
    case Qt::DisplayRole: {
        if (column.sort != Sort::Time)
            return textOf(spot, index.column());
        const double ns = keyOf(spot, index.column());
        // Only the first column of times says when, all others say how long.
        const bool isWhen = std::none_of(m_columns.begin(), m_columns.begin() + index.column(),
                                         [](const Column &one) { return one.sort == Sort::Time; });
        return timeText(ns, !isWhen);
    }
    case NumberRole:
        return column.sort == Sort::Text ? QVariant() : QVariant(keyOf(spot, index.column()));
    case Qt::ToolTipRole: // a name in a trace is anybody's text: never markup
        return QStringLiteral("<p style='white-space:pre'>%1</p>").arg(describe(*m_model, spot).toHtmlEscaped());
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::AlignVCenter | (isMeasure ? Qt::AlignRight : Qt::AlignLeft));
    default:
        return {};
    }
}

QVariant SpotTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    const Column &column = m_columns[static_cast<std::size_t>(section)];
    const bool isMeasure = column.sort == Sort::Number || column.sort == Sort::Time;
    if (role == Qt::DisplayRole)
        return column.sort == Sort::Time && !m_unit.isEmpty() ? column.name + ' ' + m_unit : column.name;
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::AlignVCenter | (isMeasure ? Qt::AlignRight : Qt::AlignLeft));
    return {};
}

void SpotTableModel::arrange()
{
    std::iota(m_order.begin(), m_order.end(), 0U);
    if (m_sortColumn >= 0) {
        std::vector<double> keys;
        keys.reserve(m_spots.size());
        for (const Spot spot : m_spots)
            keys.push_back(keyOf(spot, m_sortColumn));
        const auto sortBy = [&](auto isBefore) { std::stable_sort(m_order.begin(), m_order.end(), isBefore); };
        if (m_sortOrder == Qt::AscendingOrder)
            sortBy([&](std::uint32_t a, std::uint32_t b) { return keys[a] < keys[b]; });
        else
            sortBy([&](std::uint32_t a, std::uint32_t b) { return keys[b] < keys[a]; });
    }
    for (std::uint32_t row = 0; row < m_order.size(); ++row)
        m_rows[m_order[row]] = row;
}

void SpotTableModel::sort(int column, Qt::SortOrder order)
{
    if (column >= columnCount())
        return;
    m_sortColumn = column;
    m_sortOrder = order;
    Q_EMIT layoutAboutToBeChanged({}, VerticalSortHint);
    const QModelIndexList old = persistentIndexList();
    std::vector<Spot> spots;
    for (const QModelIndex &was : old)
        spots.push_back(spotOf(was));
    arrange();
    QModelIndexList moved;
    for (qsizetype i = 0; i < old.size(); ++i)
        moved << index(rowOf(spots[static_cast<std::size_t>(i)]), old[i].column());
    changePersistentIndexList(old, moved);
    Q_EMIT layoutChanged({}, VerticalSortHint);
}

} // namespace pipescope::timeline
