#include "graphview/split_rows.h"

#include "graphview/box_names.h"

#include <QStringList>
#include <unordered_map>

namespace pipescope::graphview {

namespace {

// A list's items are numbers, which say little in a row of their own: "h.3".
QString titleOf(const Box &box, const Box &around)
{
    const QString title = QString::fromStdString(box.title);
    if (title.isEmpty() || !title.front().isDigit() || around.title.empty())
        return title;
    return QString::fromStdString(around.title).section(QLatin1Char('.'), -1) + QLatin1Char('.') + title;
}

} // namespace

QString shapeText(const graph::TensorMeta &meta)
{
    QStringList sizes;
    for (const std::int64_t size : meta.sizes)
        sizes << QString::number(size);
    const QString type = meta.dtype == "float32" ? QString() : QString::fromStdString(meta.dtype);
    return QStringLiteral("%1[%2]").arg(type, sizes.join(QLatin1Char(',')));
}

QString shapeMadeBy(const graph::ModelGraph &graph, int begin, int end)
{
    if (begin >= end)
        return {};
    for (const ValueId output : graph.at(end - 1).outputs) {
        if (const auto &tensor = graph.value(output).tensor)
            return shapeText(*tensor);
    }
    return {};
}

std::vector<SplitRow> splitRows(const graph::ModelGraph &graph, const BoxTree &tree)
{
    std::unordered_map<std::string, std::string> classOf; // by FQN
    for (const graph::ModuleInfo &module : graph.modules)
        classOf.emplace(module.fqn, module.className);
    std::vector<SplitRow> rows;
    std::vector<int> depth(tree.boxes.size(), 0);
    for (std::size_t i = 1; i < tree.boxes.size(); ++i) {
        const Box &box = tree.boxes[i];
        const Box &parent = tree.boxes[static_cast<std::size_t>(box.parent)];
        depth[i] = depth[static_cast<std::size_t>(box.parent)] + (box.parent > 0 ? 1 : 0);
        const bool isModule = box.key.kind == BoxKind::Module;
        const bool insideBlock = parent.key.kind == BoxKind::Block;
        if (box.begin >= box.end || (box.group >= 0 && isModule) || insideBlock)
            continue;
        const std::string &kind =
            isModule ? classOf[graph.calls[static_cast<std::size_t>(box.key.index)].fqn] : graph.node(box.node).op;
        rows.push_back({box.begin, box.end, depth[i], titleOf(box, parent), QString::fromStdString(kind), box.key,
                        shapeMadeBy(graph, box.begin, box.end)});
    }
    return rows;
}

std::vector<SplitRow> splitRows(const graph::ModelGraph &graph)
{
    std::vector<SplitRow> rows;
    for (int position = 0; position < graph.size(); ++position) {
        const graph::Node &node = graph.at(position);
        rows.push_back({position, position + 1, 0, QString::fromStdString(operatorName(node)),
                        QString::fromStdString(node.fqn), BoxKey{BoxKind::Node, node.id.value},
                        shapeMadeBy(graph, position, position + 1)});
    }
    return rows;
}

} // namespace pipescope::graphview
