#include "splitview/split_table_model.h"

#include "base/text.h"
#include "session/staging.h"

#include <QStringList>
#include <algorithm>

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
        return index.column() == Place ? QVariant(m_cuts.count(point.cut.position) > 0 ? Qt::Checked : Qt::Unchecked)
                                       : QVariant();
    case Qt::ToolTipRole:
        return point.cut.legal ? QVariant() : QVariant(QString::fromStdString(point.cut.reason));
    case Qt::TextAlignmentRole:
        return static_cast<int>(
            (index.column() == Tensors || index.column() == Bytes ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    default:
        return {};
    }
}

QVariant SplitTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Place:
        return tr("split before");
    case Tensors:
        return tr("values");
    case Bytes:
        return tr("bytes");
    case Crosses:
        return tr("crosses, or why not");
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
    if (index.column() == Place && (cut.legal || m_cuts.count(cut.position) > 0))
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
    endResetModel();
    showSplits();
}

void SplitTableModel::showSplits()
{
    if (!m_model || m_model != m_document.model())
        return;
    const session::Staging staging = session::stagingOf(m_document.plan(), m_model->graph);
    m_cuts = {staging.partition.cuts.begin(), staging.partition.cuts.end()};
    if (rowCount() > 0)
        Q_EMIT dataChanged(index(0, Place), index(rowCount() - 1, Place), {Qt::CheckStateRole});
}

QString SplitTableModel::text(const partition::SplitPoint &point, int column) const
{
    const graph::ModelGraph &graph = m_model->graph;
    switch (column) {
    case Place:
        return QString::fromStdString(point.id);
    case Tensors:
        return QString::number(point.cut.crossing.size());
    case Bytes: {
        const auto bytes = partition::crossingBytes(graph, point.cut);
        return bytes ? QString::fromStdString(formatBytes(*bytes)) : tr("unknown");
    }
    case Crosses: {
        if (!point.cut.legal)
            return QString::fromStdString(point.cut.reason);
        QStringList values;
        for (const ValueId id : point.cut.crossing)
            values.push_back(valueText(graph.value(id)));
        return values.join(QStringLiteral(", "));
    }
    default:
        return {};
    }
}

} // namespace pipescope::splitview
