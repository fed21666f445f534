#include "runview/input_table_model.h"

#include "runview/open_inputs.h"
#include "session/specialising.h"

#include <QApplication>
#include <QIcon>
#include <QPalette>
#include <QStyle>
#include <algorithm>

namespace pipescope::runview {

namespace {

template <class Items>
auto findNamed(Items &items, const std::string &name)
{
    return std::find_if(items.begin(), items.end(), [&](const auto &item) {
        if constexpr (requires { item.name; })
            return item.name == name;
        else
            return item.first == name;
    });
}

} // namespace

InputTableModel::InputTableModel(session::Document &document, QObject *parent)
    : QAbstractTableModel(parent)
    , m_document(document)
{
    connect(&m_document, &session::Document::modelChanged, this, &InputTableModel::reset);
    connect(&m_document, &session::Document::planChanged, this, &InputTableModel::showPlan);
    reset();
}

int InputTableModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(arguments().size());
}

int InputTableModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant InputTableModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    if (const Refusal *refused = refusal(index)) {
        if (role == Qt::DecorationRole)
            return QApplication::style()->standardIcon(QStyle::SP_MessageBoxWarning);
        if (role == Qt::ToolTipRole)
            return refused->why;
        if (role == Qt::DisplayRole || role == Qt::EditRole)
            return refused->text;
    }
    const graph::Argument &argument = arguments()[static_cast<std::size_t>(index.row())];
    if (role == Qt::ForegroundRole && index.column() == Chunk && !hasTensors(index.row()))
        return QApplication::palette().brush(QPalette::Disabled, QPalette::Text);
    if (role == Qt::ToolTipRole)
        return index.column() == Name ? QString::fromStdString(argument.name + ": " + argument.type)
                                      : index.data(Qt::DisplayRole);
    if (role != Qt::DisplayRole && role != Qt::EditRole)
        return {};
    switch (index.column()) {
    case Name:
        return QString::fromStdString(argument.name);
    case Type:
        return QString::fromStdString(argument.type);
    case Value: {
        const QString text = valueText(index.row());
        const bool shown = text.isEmpty() && role == Qt::DisplayRole && argument.hasDefault;
        return shown ? tr("(default: %1)").arg(QString::fromStdString(argument.defaultText)) : text;
    }
    case Chunk: {
        const QString text = chunkText(index.row());
        if (!text.isEmpty() || role == Qt::EditRole)
            return text;
        return hasTensors(index.row()) ? tr("(0)") : tr("(replicated)");
    }
    default:
        return {};
    }
}

QVariant InputTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Name:
        return tr("input");
    case Type:
        return tr("type");
    case Value:
        return tr("value");
    case Chunk:
        return tr("cut along");
    default:
        return {};
    }
}

Qt::ItemFlags InputTableModel::flags(const QModelIndex &index) const
{
    Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    if (index.isValid() && index.column() >= Value)
        flags |= Qt::ItemIsEditable;
    return flags;
}

bool InputTableModel::setData(const QModelIndex &index, const QVariant &value, int role)
{
    if (!index.isValid() || role != Qt::EditRole || index.column() < Value)
        return false;
    const QString typed = value.toString().trimmed();
    const std::pair<int, int> cell(index.row(), index.column());
    m_refused.erase(cell);
    const Status set = index.column() == Value ? setValue(index.row(), typed.toStdString())
                                               : setChunk(index.row(), typed.toStdString());
    if (!set)
        m_refused[cell] = {typed, QString::fromStdString(set.error().message), plannedText(cell)};
    Q_EMIT dataChanged(index, index);
    if (set)
        Q_EMIT taken();
    else
        Q_EMIT refused(tr("%1: %2").arg(cellName(cell.first, cell.second), m_refused.at(cell).why));
    return static_cast<bool>(set);
}

const InputTableModel::Refusal *InputTableModel::refusal(const QModelIndex &index) const
{
    const auto found = m_refused.find({index.row(), index.column()});
    return found == m_refused.end() ? nullptr : &found->second;
}

QStringList InputTableModel::refusals() const
{
    QStringList sentences;
    for (const auto &[cell, refusal] : m_refused)
        sentences += tr("%1: %2").arg(cellName(cell.first, cell.second), refusal.why);
    return sentences;
}

QString InputTableModel::cellName(int row, int column) const
{
    const QString name = QString::fromStdString(arguments()[static_cast<std::size_t>(row)].name);
    return column == Value ? tr("Input %1").arg(name) : tr("Cut of %1").arg(name);
}

void InputTableModel::showPlan()
{
    std::erase_if(m_refused, [this](const auto &entry) { return entry.second.planned != plannedText(entry.first); });
    if (rowCount() > 0)
        Q_EMIT dataChanged(index(0, Value), index(rowCount() - 1, Chunk));
}

void InputTableModel::reset()
{
    beginResetModel();
    m_refused.clear();
    m_model = m_document.model();
    endResetModel();
}

const std::vector<graph::Argument> &InputTableModel::arguments() const
{
    static const std::vector<graph::Argument> none;
    return m_model ? m_model->graph.arguments : none;
}

QString InputTableModel::valueText(int row) const
{
    const std::vector<plan::InputSpec> inputs = session::namedInputs(m_document.plan(), arguments());
    const auto found = findNamed(inputs, arguments()[static_cast<std::size_t>(row)].name);
    if (found == inputs.end())
        return {};
    plan::InputSpec unnamed = *found;
    unnamed.name.clear();
    return QString::fromStdString(toText(unnamed));
}

QString InputTableModel::plannedText(std::pair<int, int> cell) const
{
    return cell.second == Value ? valueText(cell.first) : chunkText(cell.first);
}

bool InputTableModel::hasTensors(int row) const
{
    const graph::Argument &argument = arguments()[static_cast<std::size_t>(row)];
    const auto *given = givenInput(m_document.plan(), arguments(), argument.name);
    return given == nullptr ? mayHoldTensors(argument.type) : holdsTensors(given->value);
}

QString InputTableModel::chunkText(int row) const
{
    const auto &chunks = m_document.plan().inputChunks;
    const auto found = findNamed(chunks, arguments()[static_cast<std::size_t>(row)].name);
    return found == chunks.end() ? QString() : QString::fromStdString(toText(found->second));
}

Status InputTableModel::setValue(int row, const std::string &text)
{
    const std::string &name = arguments()[static_cast<std::size_t>(row)].name;
    std::vector<plan::InputSpec> inputs = session::namedInputs(m_document.plan(), arguments());
    if (const auto old = findNamed(inputs, name); old != inputs.end())
        inputs.erase(old);
    if (!text.empty()) {
        Result<plan::InputSpec> parsed = plan::parseInputSpec(text); // alone, so that columns are of what is typed
        if (!parsed)
            return parsed.error();
        if (!parsed->name.empty() && parsed->name != name)
            return Error{ErrorCode::InvalidArgument,
                         tr("this is the value of '%1', and '%2' stands in this row: write the value only")
                             .arg(QString::fromStdString(parsed->name), QString::fromStdString(name))
                             .toStdString(),
                         {},
                         {}};
        parsed->name = name;
        inputs.push_back(*std::move(parsed));
    }
    plan::Plan edited = m_document.plan();
    edited.inputs = inputs;
    session::followInputs(edited);
    const bool isOtherGraph = !session::isSame(edited.specialised, m_document.plan().specialised);
    m_document.edit(
        cellName(row, Value), [&](plan::Plan &plan) { plan = edited; },
        isOtherGraph ? session::specialisedKey(edited) : QString());
    return Success{};
}

Status InputTableModel::setChunk(int row, const std::string &text)
{
    const std::string &name = arguments()[static_cast<std::size_t>(row)].name;
    auto chunks = m_document.plan().inputChunks;
    if (const auto old = findNamed(chunks, name); old != chunks.end())
        chunks.erase(old);
    if (!text.empty()) {
        Result<microbatch::ChunkSpec> parsed = microbatch::parseChunkSpec(text);
        if (!parsed)
            return parsed.error();
        chunks.emplace_back(name, *std::move(parsed));
    }
    m_document.edit(cellName(row, Chunk), [&](plan::Plan &plan) { plan.inputChunks = chunks; });
    return Success{};
}

} // namespace pipescope::runview
