#include "inspector/fact_words.h"

#include "inspector/translate.h"
#include "widgets/number_text.h"

#include <algorithm>
#include <iterator>

namespace pipescope::inspector {

namespace {

template <class Ids, class Make>
std::vector<Words> some(const Ids &ids, std::size_t most, const Make &make)
{
    std::vector<Words> words;
    words.reserve(ids.size());
    for (const auto id : ids)
        words.push_back(make(id));
    return folded(std::move(words), most, tr("and %1 more"));
}

} // namespace

void addFact(FactSheet &sheet, const QString &label, std::vector<Words> words, bool isCode)
{
    if (!words.empty() && !words.front().text.isEmpty())
        sheet.facts.push_back({label, std::move(words), isCode});
}

void addRun(FactSheet &sheet, const Known &known)
{
    if (known.run != nullptr)
        addFact(sheet, tr("run"),
                {plain(known.runName.isEmpty() ? QString::fromStdString(known.run->trace.title) : known.runName)},
                false);
}

Words plain(const QString &text)
{
    return {text, std::nullopt, {}};
}

Words nodeWords(const graph::ModelGraph &graph, NodeId node)
{
    return {QString::fromStdString(graph.node(node).name), node, {}};
}

Words valueWords(const graph::ModelGraph &graph, ValueId id)
{
    const graph::Value &value = graph.value(id);
    return {QString::fromStdString(value.name) + ' ' + shapeText(value), id, {}};
}

Words moduleWords(const session::SelectedModule &module)
{
    const QString fqn = QString::fromStdString(module.fqn);
    return {module.call == 0 ? fqn : tr("%1, call %2").arg(fqn).arg(module.call + 1), module, {}};
}

std::vector<Words> folded(std::vector<Words> words, std::size_t most, const QString &more)
{
    if (words.size() <= most + 1) // one line is no longer than what would say so
        return words;
    const auto first = words.begin() + static_cast<std::ptrdiff_t>(most);
    Words rest{more.arg(widgets::countText(words.end() - first)),
               std::nullopt,
               {std::make_move_iterator(first), std::make_move_iterator(words.end())}};
    words.erase(first, words.end());
    words.push_back(std::move(rest));
    return words;
}

Words stageWords(StageId stage)
{
    return {tr("stage %1").arg(stage.value), stage, {}};
}

Words rankWords(RankId rank)
{
    return {tr("rank %1").arg(rank.value), rank, {}};
}

Words actionWords(const session::SelectedAction &action)
{
    return {QString::fromStdString(schedule::toText(action.key)), action, {}};
}

Words parameterWords(const std::string &fqn, const QString &text)
{
    return {text, session::SelectedParameter{fqn}, {}};
}

std::vector<Words> someValues(const graph::ModelGraph &graph, const std::vector<ValueId> &values, std::size_t most)
{
    return some(values, most, [&](ValueId value) { return valueWords(graph, value); });
}

std::vector<Words> someNodes(const graph::ModelGraph &graph, const std::vector<NodeId> &nodes, std::size_t most)
{
    return some(nodes, most, [&](NodeId node) { return nodeWords(graph, node); });
}

QString shapeText(const graph::Value &value)
{
    return QString::fromStdString(value.tensor ? toText(*value.tensor) : value.type);
}

StageId stageOf(const Known &known, NodeId node)
{
    const int position = graph::positionOf(known.graph, node);
    const auto &stages = known.staging.partition.stageOf;
    return position >= 0 && position < static_cast<int>(stages.size()) ? stages[static_cast<std::size_t>(position)]
                                                                       : StageId{};
}

RankId rankOf(const Known &known, StageId stage)
{
    const bool has = known.run != nullptr && stage.valid() && stage.index() < known.run->stages.size();
    return has ? known.run->stages[stage.index()].rank : RankId{};
}

std::vector<Words> sourceLines(const graph::SourceLocation &source)
{
    std::vector<Words> lines;
    const QString text = QString::fromStdString(source.text);
    for (QString line : text.split(QLatin1Char('\n'), Qt::SkipEmptyParts)) {
        const auto end = std::find_if(line.begin(), line.end(), [](QChar c) { return !c.isSpace(); });
        std::fill(line.begin(), end, QChar(QChar::Nbsp));
        lines.push_back(plain(line));
    }
    return lines;
}

bool isHeld(const graph::Value &value)
{
    return value.kind == graph::ValueKind::Parameter || value.kind == graph::ValueKind::Buffer;
}

std::vector<NodeId> usersOf(const graph::ModelGraph &graph, ValueId value)
{
    std::vector<NodeId> users;
    for (const graph::Node &node : graph.nodes)
        if (std::find(node.uses.begin(), node.uses.end(), value) != node.uses.end())
            users.push_back(node.id);
    return users;
}

} // namespace pipescope::inspector
