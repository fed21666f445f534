#include "timeline/slice_table_model.h"

#include "timeline/describe.h"
#include "timeline/walk.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace pipescope::timeline {

namespace {

constexpr std::array ColumnNames{"rank", "kind", "action", "stage", "microbatch", "begin", "length", "cause"};

bool isNumber(int column)
{
    return column != SliceTableModel::Kind && column != SliceTableModel::Action && column != SliceTableModel::Cause;
}

bool isTime(int column)
{
    return column == SliceTableModel::Begin || column == SliceTableModel::Length;
}

/// Three significant digits, but no more than the clock has, and no power of ten.
QString threeDigits(double value, double unitNs)
{
    const int digits = value == 0 ? 1 : static_cast<int>(std::floor(std::log10(std::abs(value)))) + 1;
    return QString::number(value, 'f', std::clamp(3 - digits, 0, static_cast<int>(std::lround(std::log10(unitNs)))));
}

} // namespace

void SliceTableModel::setModel(std::shared_ptr<const LaneModel> model)
{
    beginResetModel();
    m_model = std::move(model);
    m_rows.clear();
    const double span = m_model ? m_model->run().spanNs() : 0;
    m_unitNs = span < 1e4 ? 1 : span < 1e7 ? 1e3 : span < 1e10 ? 1e6 : 1e9;
    m_unit = span < 1e4 ? "ns" : span < 1e7 ? QStringLiteral("µs") : span < 1e10 ? "ms" : "s";
    for (int lane = 0; m_model && lane < std::ssize(m_model->lanes()); ++lane) {
        const Lane &from = m_model->lanes()[static_cast<std::size_t>(lane)];
        const auto first = static_cast<std::ptrdiff_t>(m_rows.size());
        for (int i = 0; i < std::ssize(from.slices); ++i)
            m_rows.push_back({lane, i, -1});
        const auto middle = static_cast<std::ptrdiff_t>(m_rows.size());
        for (int i = 0; i < std::ssize(from.bubbles); ++i)
            m_rows.push_back({lane, -1, i});
        std::inplace_merge(m_rows.begin() + first, m_rows.begin() + middle, m_rows.end(),
                           [&](Spot a, Spot b) { return timeOf(*m_model, a).beginNs < timeOf(*m_model, b).beginNs; });
    }
    endResetModel();
}

Spot SliceTableModel::spotOf(const QModelIndex &index) const
{
    return m_rows[static_cast<std::size_t>(index.row())];
}

int SliceTableModel::rowOf(Spot spot) const
{
    const auto found = std::find(m_rows.begin(), m_rows.end(), spot);
    return found == m_rows.end() ? -1 : static_cast<int>(found - m_rows.begin());
}

int SliceTableModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int SliceTableModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

qint64 SliceTableModel::number(Spot spot, int column) const
{
    if (column == Rank)
        return spot.lane;
    const TimeRange time = timeOf(*m_model, spot);
    if (column == Begin)
        return time.beginNs;
    if (column == Length) // the ends of a foreign trace may lie further apart than the type can say
        return static_cast<qint64>(static_cast<quint64>(time.endNs) - static_cast<quint64>(time.beginNs));
    const Lane &lane = m_model->lanes()[static_cast<std::size_t>(spot.lane)];
    if (spot.slice >= 0) {
        const Slice &slice = lane.slices[static_cast<std::size_t>(spot.slice)];
        return column == Stage ? slice.stage.value : slice.microbatch.value;
    }
    const Bubble &bubble = lane.bubbles[static_cast<std::size_t>(spot.bubble)];
    return column == Stage ? bubble.stage.value : bubble.microbatch.value;
}

QString SliceTableModel::text(Spot spot, int column) const
{
    if (isTime(column)) {
        const double value = static_cast<double>(number(spot, column)) / m_unitNs;
        return column == Length ? threeDigits(value, m_unitNs) : QString::number(value, 'f', m_unitNs > 1 ? 3 : 0);
    }
    if (isNumber(column)) {
        const qint64 id = number(spot, column);
        return id < 0 ? QString() : QString::number(id);
    }
    const Lane &lane = m_model->lanes()[static_cast<std::size_t>(spot.lane)];
    if (spot.slice < 0)
        return column == Kind ? QStringLiteral("bubble")
               : column == Cause
                   ? QString::fromStdString(causeOf(*m_model, lane.bubbles[static_cast<std::size_t>(spot.bubble)]))
                   : QString();
    const trace::Event &event = m_model->eventOf(lane.slices[static_cast<std::size_t>(spot.slice)]);
    if (column == Kind) {
        const std::string_view name = trace::kindName(event.kind);
        return QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
    }
    if (column == Action)
        return QString::fromStdString(nameOf(*m_model, spot));
    return event.kind == trace::EventKind::Wait ? QString::fromUtf8(trace::causeName(event.cause).data()) : QString();
}

QVariant SliceTableModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Spot spot = spotOf(index);
    switch (role) {
    case Qt::DisplayRole:
        return text(spot, index.column());
    case NumberRole:
        return isNumber(index.column()) ? QVariant(number(spot, index.column())) : QVariant();
    case Qt::ToolTipRole:
        return QStringLiteral("<p style='white-space:pre'>%1</p>")
            .arg(QString::fromStdString(describe(*m_model, spot)).toHtmlEscaped());
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::AlignVCenter | (isNumber(index.column()) ? Qt::AlignRight : Qt::AlignLeft));
    default:
        return {};
    }
}

QVariant SliceTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    const QString name = QString::fromUtf8(ColumnNames[static_cast<std::size_t>(section)]);
    if (role == Qt::DisplayRole)
        return isTime(section) && !m_unit.isEmpty() ? name + ' ' + m_unit : name;
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::AlignVCenter | (isNumber(section) ? Qt::AlignRight : Qt::AlignLeft));
    return {};
}

void SliceTableModel::sort(int column, Qt::SortOrder order)
{
    if (column < 0 || column >= ColumnCount)
        return;
    Q_EMIT layoutAboutToBeChanged({}, VerticalSortHint);
    std::vector<std::size_t> from(m_rows.size());
    std::iota(from.begin(), from.end(), std::size_t{0});
    const auto sortBy = [&](const auto &keys) {
        std::stable_sort(from.begin(), from.end(), [&](std::size_t a, std::size_t b) {
            return order == Qt::AscendingOrder ? keys[a] < keys[b] : keys[b] < keys[a];
        });
    };
    const auto keysOf = [&](auto keyOf) {
        std::vector<decltype(keyOf(Spot{}))> keys;
        keys.reserve(m_rows.size());
        std::transform(m_rows.begin(), m_rows.end(), std::back_inserter(keys), keyOf);
        return keys;
    };
    if (isNumber(column))
        sortBy(keysOf([&](Spot spot) { return number(spot, column); }));
    else
        sortBy(keysOf([&](Spot spot) { return text(spot, column); }));

    std::vector<Spot> sorted;
    std::vector<int> to(m_rows.size());
    sorted.reserve(m_rows.size());
    for (const std::size_t row : from) {
        to[row] = static_cast<int>(sorted.size());
        sorted.push_back(m_rows[row]);
    }
    m_rows = std::move(sorted);
    const QModelIndexList old = persistentIndexList();
    QModelIndexList moved;
    for (const QModelIndex &was : old)
        moved << index(to[static_cast<std::size_t>(was.row())], was.column());
    changePersistentIndexList(old, moved);
    Q_EMIT layoutChanged({}, VerticalSortHint);
}

QString SliceTableModel::csvField(Spot spot, int column) const
{
    if (isTime(column))
        return QString::number(number(spot, column));
    QString field = text(spot, column);
    if (field.contains(',') || field.contains('"') || field.contains('\n') || field.contains('\r'))
        field = '"' + field.replace('"', QStringLiteral("\"\"")) + '"';
    return field;
}

QString SliceTableModel::toCsv() const
{
    QString csv = QStringLiteral("rank,kind,action,stage,microbatch,begin_ns,length_ns,cause\n");
    for (const Spot spot : m_rows)
        for (int column = 0; column < ColumnCount; ++column)
            csv += csvField(spot, column) + (column + 1 == ColumnCount ? '\n' : ',');
    return csv;
}

} // namespace pipescope::timeline
