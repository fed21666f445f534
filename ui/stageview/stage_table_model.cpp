#include "stageview/stage_table_model.h"

#include "base/percent.h"
#include "session/stage_name.h"
#include "trace/imbalance.h"
#include "widgets/cell_delegate.h"
#include "widgets/number_text.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>

namespace pipescope::stageview {

namespace {

using namespace widgets;

/// Of a stage's nodes, those that are known; nothing where none is.
std::optional<double> sumOver(const graph::ModelGraph &graph, const partition::Stage &stage,
                              std::optional<double> graph::Node::*cost)
{
    std::optional<double> sum;
    for (int position = stage.begin; position < stage.end; ++position)
        if (const std::optional<double> &known = graph.at(position).*cost)
            sum = sum.value_or(0) + *known;
    return sum;
}

/// An argument's name, or what makes the value: its module as it is named elsewhere, or the operator.
QString shortName(const graph::ModelGraph &graph, const graph::Value &value)
{
    if (!value.producer.valid())
        return QString::fromStdString(value.name);
    const graph::Node &maker = graph.node(value.producer);
    return maker.fqn.empty() ? QString::fromStdString(maker.op).section(QStringLiteral("::"), -1)
                             : session::moduleName(graph, maker.fqn);
}

/// "h.3 768 KiB", "3 values 1.5 MiB": what fits a cell.
QString inShort(const graph::ModelGraph &graph, const std::vector<ValueId> &values)
{
    if (values.empty())
        return StageTableModel::tr("nothing");
    std::int64_t bytes = 0;
    bool known = true;
    for (const ValueId value : values) {
        known = known && graph.value(value).bytes.has_value();
        bytes += graph.value(value).bytes.value_or(0);
    }
    const QString name = values.size() == 1 ? shortName(graph, graph.value(values.front()))
                                            : StageTableModel::tr("%1 values").arg(values.size());
    return known ? name + ' ' + bytesText(bytes) : name;
}

QString inFull(const graph::ModelGraph &graph, const std::vector<ValueId> &values)
{
    QStringList lines;
    for (const ValueId id : values) {
        const graph::Value &value = graph.value(id);
        QString line = QString::fromStdString(value.name) + ' ' +
                       QString::fromStdString(value.tensor ? toText(*value.tensor) : value.type);
        if (value.bytes)
            line += QStringLiteral(", ") + bytesText(*value.bytes);
        lines += line;
    }
    return lines.join('\n');
}

bool isNumber(int column)
{
    using Model = StageTableModel;
    return column == Model::Nodes || column == Model::Parameters || column == Model::Flops || column == Model::Time ||
           column == Model::Memory;
}

/// Of what a stage gives, that which a later one takes: the rest is returned to whoever runs the model.
std::vector<ValueId> sentBy(const partition::Partition &partition, std::size_t stage)
{
    std::vector<ValueId> sent = partition.stages[stage].outputs;
    std::erase_if(sent, [&](ValueId value) {
        const auto later = partition.stages.begin() + static_cast<std::ptrdiff_t>(stage) + 1;
        return std::none_of(later, partition.stages.end(), [&](const partition::Stage &taker) {
            return std::find(taker.inputs.begin(), taker.inputs.end(), value) != taker.inputs.end();
        });
    });
    return sent;
}

QString unknown()
{
    return StageTableModel::tr("unknown");
}

QString holdsText(const report::StageReport &holds)
{
    const QString text =
        StageTableModel::tr("%1 parameters, %2; buffers %3")
            .arg(countText(holds.parameters), bytesText(holds.parameterBytes), bytesText(holds.bufferBytes));
    return holds.constantBytes == 0
               ? text
               : StageTableModel::tr("%1; constants of the code %2").arg(text, bytesText(holds.constantBytes));
}

} // namespace

void StageTableModel::show(const graph::ModelGraph &graph, const session::Staging &staging,
                           const report::RunReport *run)
{
    beginResetModel();
    m_rows.clear();
    for (std::size_t stage = 0; stage < staging.partition.stages.size(); ++stage)
        m_rows.push_back(rowOf(graph, staging, stage));
    m_measured = run != nullptr && run->stages.size() == m_rows.size();
    if (m_measured)
        measure(*run);
    endResetModel();
    Q_EMIT headerDataChanged(Qt::Horizontal, Flops, Sends);
}

void StageTableModel::clear()
{
    beginResetModel();
    m_rows.clear();
    m_measured = false;
    endResetModel();
}

StageTableModel::Row StageTableModel::rowOf(const graph::ModelGraph &graph, const session::Staging &staging,
                                            std::size_t index)
{
    const partition::Stage &stage = staging.partition.stages[index];
    Row row;
    row.what = session::stageName(graph, stage);
    row.modules = session::stageModules(graph, stage).join(QStringLiteral(", "));
    row.nodes = stage.end - stage.begin;
    if (index < staging.stages.size())
        row.holds = staging.stages[index];
    row.flops = sumOver(graph, stage, &graph::Node::flops);
    row.seconds = sumOver(graph, stage, &graph::Node::seconds);
    row.receives = inShort(graph, stage.inputs);
    row.allReceived = inFull(graph, stage.inputs);
    row.sends = inShort(graph, sentBy(staging.partition, index));
    row.allSent = inFull(graph, stage.outputs);
    return row;
}

void StageTableModel::measure(const report::RunReport &run)
{
    // A rank whose tensors are all parts of what came in has allocated none; where no rank has, none was looked at.
    const std::vector<trace::RankStats> &ranks = run.stats.ranks;
    const bool hasMemory =
        std::any_of(ranks.begin(), ranks.end(), [](const trace::RankStats &rank) { return rank.peakBytes > 0; });
    for (std::size_t stage = 0; stage < m_rows.size(); ++stage) {
        const report::StageReport &report = run.stages[stage];
        if (!report.rank.valid())
            continue;
        m_rows[stage].seconds = report.seconds;
        m_rows[stage].sends = bytesText(report.sentBytes);
        if (report.sentBytes > 0)
            m_rows[stage].allSent += '\n' + tr("%1 a microbatch in the last run").arg(bytesText(report.sentBytes));
        if (hasMemory && report.rank.index() < ranks.size())
            m_rows[stage].memory = ranks[report.rank.index()].peakBytes;
    }
}

std::vector<double> StageTableModel::seconds() const
{
    std::vector<double> seconds;
    for (const Row &row : m_rows)
        if (row.seconds)
            seconds.push_back(*row.seconds);
    return seconds.size() == m_rows.size() ? seconds : std::vector<double>();
}

int StageTableModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int StageTableModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant StageTableModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const Row &row = m_rows[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return text(row, index.row(), index.column());
    case Qt::EditRole: // what sorting goes by
        return number(row, index.row(), index.column());
    case Qt::ToolTipRole:
        return toolTip(row, index.column());
    case ShareRole:
        return index.column() == Time ? share(row) : QVariant();
    case Qt::TextAlignmentRole:
        return isNumber(index.column()) ? QVariant(CellDelegate::NumberAlignment) : QVariant();
    default:
        return {};
    }
}

QVariant StageTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Horizontal && role == Qt::TextAlignmentRole && isNumber(section))
        return CellDelegate::NumberAlignment;
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Stage:
        return tr("stage");
    case What:
        return tr("what");
    case Nodes:
        return tr("nodes");
    case Parameters:
        return tr("parameters");
    case Flops:
        return m_measured ? tr("FLOPs a batch") : tr("FLOPs");
    case Time:
        return m_measured ? tr("time a microbatch") : tr("time of the profile");
    case Receives:
        return m_measured ? tr("receives a batch") : tr("receives");
    case Sends:
        return m_measured ? tr("sends a microbatch") : tr("sends");
    case Memory:
        return tr("memory");
    default:
        return {};
    }
}

QString StageTableModel::text(const Row &row, int stage, int column)
{
    switch (column) {
    case Stage:
        return QString::number(stage);
    case What:
        return row.what;
    case Nodes:
        return countText(row.nodes);
    case Parameters:
        return bytesText(row.holds.weightBytes());
    case Flops:
        return row.flops ? amountText(*row.flops) : unknown();
    case Time:
        return row.seconds ? secondsText(*row.seconds) : unknown();
    case Receives:
        return row.receives;
    case Sends:
        return row.sends;
    case Memory:
        return row.memory ? bytesText(*row.memory) : unknown();
    default:
        return {};
    }
}

QVariant StageTableModel::number(const Row &row, int stage, int column)
{
    switch (column) {
    case Stage:
    case What: // in the model's order, whatever it is called
        return stage;
    case Nodes:
        return row.nodes;
    case Parameters:
        return static_cast<qlonglong>(row.holds.weightBytes());
    case Flops:
        return row.flops.value_or(-1);
    case Time:
        return row.seconds.value_or(-1);
    case Receives:
        return row.receives;
    case Sends:
        return row.sends;
    case Memory:
        return static_cast<qlonglong>(row.memory.value_or(-1));
    default:
        return {};
    }
}

QString StageTableModel::toolTip(const Row &row, int column)
{
    switch (column) {
    case What:
        return row.modules;
    case Parameters:
        return holdsText(row.holds);
    case Flops:
    case Time:
        return row.flops && row.seconds ? QString() : tr("Profile the model to know what it costs");
    case Receives:
        return row.allReceived;
    case Sends:
        return row.allSent;
    case Memory:
        return tr("Peak of the stage's rank in the last run");
    default:
        return {};
    }
}

QVariant StageTableModel::share(const Row &row) const
{
    const std::vector<double> all = seconds();
    const double slowest = all.empty() ? 0 : *std::max_element(all.begin(), all.end());
    return row.seconds && slowest > 0 ? QVariant(*row.seconds / slowest) : QVariant();
}

QString paceText(const std::vector<double> &seconds)
{
    if (seconds.size() < 2)
        return {};
    const double slowest = *std::max_element(seconds.begin(), seconds.end());
    const double mean = std::accumulate(seconds.begin(), seconds.end(), 0.0) / static_cast<double>(seconds.size());
    if (!(mean > 0))
        return {};
    return StageTableModel::tr("slowest stage sets the pace: %1, mean %2, imbalance %3")
        .arg(secondsText(slowest), secondsText(mean), QString::fromStdString(formatPercent(trace::imbalance(seconds))));
}

} // namespace pipescope::stageview
