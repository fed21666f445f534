#include "graphview/node_table_model.h"

#include "graph/held_tensors.h"
#include "graphview/split_rows.h"
#include "widgets/cell_delegate.h"
#include "widgets/number_text.h"

#include <algorithm>

namespace pipescope::graphview {

namespace {

// The whole path and the line itself; names are the file's, so nothing in them is markup.
QVariant sourceText(const graph::Node &node)
{
    if (node.source.file.empty())
        return {};
    const QString text = QStringLiteral("%1:%2\n%3")
                             .arg(QString::fromStdString(node.source.file))
                             .arg(node.source.line)
                             .arg(QString::fromStdString(node.source.text));
    return QStringLiteral("<p style='white-space:pre'>%1</p>").arg(text.toHtmlEscaped());
}

bool isNumber(int column)
{
    using Model = NodeTableModel;
    return column == Model::Order || column == Model::Time || column == Model::Flops || column == Model::Parameters ||
           column == Model::Bytes;
}

} // namespace

void NodeTableModel::setGraph(std::shared_ptr<const graph::ModelGraph> graph)
{
    beginResetModel();
    m_graph = std::move(graph);
    m_stageOf.clear();
    m_rows.clear();
    m_rowOf.assign(m_graph ? m_graph->nodes.size() : 0, -1);
    for (int position = 0; m_graph && position < m_graph->size(); ++position)
        listNode(m_graph->order[static_cast<std::size_t>(position)], position, 0);
    const std::vector<std::int64_t> held = m_graph ? graph::heldBytes(*m_graph) : std::vector<std::int64_t>();
    for (Row &row : m_rows) {
        std::vector<ValueId> inputs = m_graph->node(row.node).uses;
        std::sort(inputs.begin(), inputs.end());
        inputs.erase(std::unique(inputs.begin(), inputs.end()), inputs.end());
        for (const ValueId input : inputs)
            row.parameterBytes += held[input.index()];
    }
    endResetModel();
}

void NodeTableModel::listNode(NodeId node, int position, int depth)
{
    m_rowOf[node.index()] = static_cast<int>(m_rows.size());
    m_rows.push_back({node, position, depth});
    for (const NodeId child : m_graph->node(node).children)
        listNode(child, position, depth + 1);
}

void NodeTableModel::setStages(std::vector<StageId> stageOf)
{
    m_stageOf = std::move(stageOf);
    if (!m_rows.empty())
        Q_EMIT dataChanged(index(0, Stage), index(rowCount() - 1, Stage));
}

int NodeTableModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int NodeTableModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant NodeTableModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const Row &row = m_rows[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return text(row, index.column());
    case SortRole:
        return sortKey(row, index.row(), index.column());
    case Qt::ToolTipRole:
        return index.column() == Source ? sourceText(m_graph->node(row.node)) : QVariant();
    case Qt::TextAlignmentRole:
        return isNumber(index.column()) ? QVariant(widgets::CellDelegate::NumberAlignment) : QVariant();
    default:
        return {};
    }
}

QVariant NodeTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Horizontal && role == Qt::TextAlignmentRole && isNumber(section))
        return widgets::CellDelegate::NumberAlignment;
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Order:
        return tr("order");
    case Name:
        return tr("name");
    case Op:
        return tr("operator");
    case Shape:
        return tr("makes");
    case Time:
        return tr("time");
    case Stage:
        return tr("stage");
    case Flops:
        return tr("FLOPs");
    case Parameters:
        return tr("parameters");
    case Bytes:
        return tr("bytes");
    case Module:
        return tr("module");
    case Source:
        return tr("source");
    default:
        return {};
    }
}

QString NodeTableModel::text(const Row &row, int column) const
{
    const graph::Node &node = m_graph->node(row.node);
    switch (column) {
    case Order:
        return QString::number(row.position);
    case Name:
        return QString(2 * row.depth, QLatin1Char(' ')) + QString::fromStdString(node.name);
    case Op:
        return QString::fromStdString(node.op);
    case Shape:
        for (const ValueId output : node.outputs) {
            if (const auto &tensor = m_graph->value(output).tensor)
                return shapeText(*tensor);
        }
        return tr("unknown");
    case Time:
        return node.seconds ? widgets::secondsText(*node.seconds) : tr("unknown");
    case Stage:
        return stageOf(row).valid() ? QString::number(stageOf(row).value) : QString();
    case Flops:
        return node.flops ? widgets::amountText(*node.flops) : tr("unknown");
    case Parameters:
        return row.parameterBytes > 0 ? widgets::bytesText(row.parameterBytes) : QString();
    case Bytes:
        return bytesOf(row) ? widgets::bytesText(*bytesOf(row)) : tr("unknown");
    case Module:
        return QString::fromStdString(node.fqn);
    case Source:
        return node.source.file.empty()
                   ? QString()
                   : QStringLiteral("%1:%2")
                         .arg(QString::fromStdString(node.source.file).section(QLatin1Char('/'), -1))
                         .arg(node.source.line);
    default:
        return {};
    }
}

QVariant NodeTableModel::sortKey(const Row &row, int index, int column) const
{
    switch (column) {
    case Order:
        return index;
    case Time:
        return m_graph->node(row.node).seconds.value_or(-1);
    case Stage:
        return stageOf(row).value;
    case Flops:
        return m_graph->node(row.node).flops.value_or(-1);
    case Parameters:
        return static_cast<qlonglong>(row.parameterBytes);
    case Bytes:
        return static_cast<qlonglong>(bytesOf(row).value_or(-1));
    default:
        return text(row, column);
    }
}

// Of all that it makes, where that was measured.
std::optional<std::int64_t> NodeTableModel::bytesOf(const Row &row) const
{
    std::int64_t sum = 0;
    for (const ValueId output : m_graph->node(row.node).outputs) {
        const std::optional<std::int64_t> &bytes = m_graph->value(output).bytes;
        if (!bytes)
            return std::nullopt;
        sum += *bytes;
    }
    return sum;
}

StageId NodeTableModel::stageOf(const Row &row) const
{
    const auto at = static_cast<std::size_t>(row.position);
    return at < m_stageOf.size() ? m_stageOf[at] : StageId{};
}

NodeId NodeTableModel::nodeAt(int row) const
{
    return row >= 0 && row < rowCount() ? m_rows[static_cast<std::size_t>(row)].node : NodeId{};
}

int NodeTableModel::rowOf(NodeId node) const
{
    return node.valid() && node.index() < m_rowOf.size() ? m_rowOf[node.index()] : -1;
}

} // namespace pipescope::graphview
