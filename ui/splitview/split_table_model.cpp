#include "splitview/split_table_model.h"

#include "base/text.h"
#include "session/staging.h"
#include "widgets/cell_delegate.h"
#include "widgets/number_text.h"

#include <QStringList>
#include <algorithm>
#include <cmath>
#include <string>

namespace pipescope::splitview {

namespace {

QString valueText(const graph::Value &value)
{
    const QString name = QString::fromStdString(value.name);
    return value.tensor ? QStringLiteral("%1 %2").arg(name, QString::fromStdString(toText(*value.tensor)))
                        : QStringLiteral("%1 %2").arg(name, QString::fromStdString(value.type));
}

} // namespace

SplitTableModel::SplitTableModel(session::Document &document, QObject *parent)
    : QAbstractTableModel(parent)
    , m_document(document)
{
    connect(&m_document, &session::Document::modelChanged, this, &SplitTableModel::reset);
    connect(&m_document, &session::Document::planChanged, this, &SplitTableModel::showSplits);
    reset();
}

int SplitTableModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() || !m_model ? 0 : static_cast<int>(m_model->splitPoints.size());
}

int SplitTableModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant SplitTableModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const partition::SplitPoint &point = m_model->splitPoints[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return text(point, index.column());
    case Qt::CheckStateRole:
        return index.column() == Place ? QVariant(isCut(point.cut.position) ? Qt::Checked : Qt::Unchecked) : QVariant();
    case Qt::ToolTipRole:
        return toolTip(point, index.column());
    case SortRole:
        return sortKey(point, index.column());
    case Qt::TextAlignmentRole:
        return index.column() == Bytes ? QVariant(widgets::CellDelegate::NumberAlignment) : QVariant();
    default:
        return {};
    }
}

QVariant SplitTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Horizontal && role == Qt::TextAlignmentRole && section == Bytes)
        return widgets::CellDelegate::NumberAlignment;
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Place:
        return tr("split before");
    case Crosses:
        return tr("crosses");
    case Bytes:
        return tr("bytes");
    case Legal:
        return tr("possible, or why not");
    case Balance:
        return m_table.costKind() == session::CostKind::Time         ? tr("slowest stage with it")
               : m_table.costKind() == session::CostKind::Parameters ? tr("largest stage with it")
                                                                     : tr("most FLOPs with it");
    default:
        return {};
    }
}

Qt::ItemFlags SplitTableModel::flags(const QModelIndex &index) const
{
    if (!index.isValid())
        return {};
    const partition::Cut &cut = m_model->splitPoints[static_cast<std::size_t>(index.row())].cut;
    // One that cannot be made stays selectable, so that its reason can be read and copied.
    Qt::ItemFlags flags = Qt::ItemIsSelectable | Qt::ItemIsEnabled | Qt::ItemNeverHasChildren;
    if (index.column() == Place && (cut.legal || isCut(cut.position)))
        flags |= Qt::ItemIsUserCheckable;
    return flags;
}

bool SplitTableModel::setData(const QModelIndex &index, const QVariant &value, int role)
{
    if (!index.isValid() || role != Qt::CheckStateRole || index.column() != Place)
        return false;
    const std::string id = m_model->splitPoints[static_cast<std::size_t>(index.row())].id;
    const bool place = value.toInt() == Qt::Checked;
    const Status edited = place ? session::placeSplit(m_document, id) : session::removeSplit(m_document, id);
    return static_cast<bool>(edited);
}

int SplitTableModel::positionOf(int row) const
{
    return row < 0 || row >= rowCount() ? -1 : m_model->splitPoints[static_cast<std::size_t>(row)].cut.position;
}

int SplitTableModel::rowOf(int position) const
{
    for (int row = 0; row < rowCount(); ++row)
        if (positionOf(row) == position)
            return row;
    return -1;
}

void SplitTableModel::reset()
{
    beginResetModel();
    m_model = m_document.model();
    m_cuts.clear();
    m_table = {};
    if (m_model)
        m_table = session::SplitTable({m_model, &m_model->graph}, {m_model, &m_model->splitPoints});
    endResetModel();
    showSplits();
}

void SplitTableModel::showSplits()
{
    if (!m_model || m_model != m_document.model())
        return;
    m_cuts = m_document.staging()->partition.cuts;
    if (rowCount() > 0) // the balance of every place is another
        Q_EMIT dataChanged(index(0, Place), index(rowCount() - 1, Balance));
}

bool SplitTableModel::isCut(int position) const
{
    return std::binary_search(m_cuts.begin(), m_cuts.end(), position);
}

QString SplitTableModel::text(const partition::SplitPoint &point, int column) const
{
    switch (column) {
    case Place:
        return QString::fromStdString(point.id);
    case Crosses:
        return crossingText(point);
    case Bytes: {
        const auto bytes = m_table.bytesAt(point.cut.position);
        return bytes ? widgets::bytesText(*bytes) : tr("unknown");
    }
    case Legal:
        return point.cut.legal ? tr("possible") : QString::fromStdString(point.cut.reason);
    case Balance:
        return point.cut.legal ? balanceText(point.cut.position) : QString();
    default:
        return {};
    }
}

QVariant SplitTableModel::toolTip(const partition::SplitPoint &point, int column) const
{
    if (column != Place && column != Crosses && column != Legal)
        return {};
    // Names are the file's: nothing in them is markup.
    return QStringLiteral("<p>%1</p>").arg(text(point, column).toHtmlEscaped());
}

QString SplitTableModel::crossingText(const partition::SplitPoint &point) const
{
    constexpr std::size_t most = 8;
    const std::vector<ValueId> &crossing = point.cut.crossing;
    if (crossing.empty())
        return tr("nothing");
    QStringList values;
    for (std::size_t i = 0; i < std::min(most, crossing.size()); ++i)
        values << valueText(m_model->graph.value(crossing[i]));
    if (crossing.size() > most)
        values << tr("%1 more").arg(crossing.size() - most);
    return values.join(QStringLiteral(", "));
}

QString SplitTableModel::balanceText(int position) const
{
    const session::SplitPreview preview = m_table.preview(m_cuts, position);
    if (preview.after.slowest < 0)
        return tr("unknown");
    const double most = preview.after.costs[static_cast<std::size_t>(preview.after.slowest)];
    return tr("%1, %2 % over mean")
        .arg(QString::fromStdString(costText(preview.kind, most)))
        .arg(std::lround(preview.after.excess * 100));
}

QVariant SplitTableModel::sortKey(const partition::SplitPoint &point, int column) const
{
    switch (column) {
    case Crosses:
        return static_cast<int>(point.cut.crossing.size());
    case Bytes:
        return static_cast<qlonglong>(m_table.bytesAt(point.cut.position).value_or(-1));
    case Legal:
        return point.cut.legal ? 0 : 1;
    case Balance: {
        const session::Balance after = m_table.preview(m_cuts, point.cut.position).after;
        return after.slowest < 0 ? 0.0 : after.costs[static_cast<std::size_t>(after.slowest)];
    }
    default:
        return point.cut.position;
    }
}

} // namespace pipescope::splitview
