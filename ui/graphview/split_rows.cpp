#include "graphview/split_rows.h"

#include "graphview/box_names.h"
#include "graphview/row_names.h"

#include <QStringList>
#include <algorithm>
#include <unordered_map>
#include <utility>

namespace pipescope::graphview {

namespace {

QStringList pathOf(const std::string &fqn)
{
    return QString::fromStdString(fqn).split(QLatin1Char('.'), Qt::SkipEmptyParts);
}

// A list's items are numbers, which say little in a row of their own: "h.3".
RowName nameOf(const graph::ModuleCall &call, const QString &title)
{
    RowName name;
    name.path = pathOf(call.fqn);
    const QString parts = call.call == 0 ? title : title.left(title.lastIndexOf(QLatin1Char(',')));
    name.end = title.mid(parts.size()); // ", call 2"
    name.shown = std::min(static_cast<int>(parts.count(QLatin1Char('.'))) + 1, static_cast<int>(name.path.size()));
    const auto first = name.path.size() - name.shown;
    if (first > 0 && name.path[first].front().isDigit())
        ++name.shown;
    return name;
}

RowName nameOf(const graph::Node &node, const QString &title)
{
    RowName name;
    name.path = pathOf(node.fqn);
    name.operatorName = title;
    const std::size_t ordinal = node.name.rfind('#');
    name.ordinal = ordinal == std::string::npos ? QString() : QString::fromStdString(node.name.substr(ordinal));
    return name;
}

void setTitles(std::vector<SplitRow> &rows, std::vector<RowName> names)
{
    tellApart(names);
    for (std::size_t row = 0; row < rows.size(); ++row)
        rows[row].title = names[row].text();
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
    std::vector<RowName> names;
    std::vector<int> depth(tree.boxes.size(), 0);
    for (std::size_t i = 1; i < tree.boxes.size(); ++i) {
        const Box &box = tree.boxes[i];
        const Box &parent = tree.boxes[static_cast<std::size_t>(box.parent)];
        depth[i] = depth[static_cast<std::size_t>(box.parent)] + (box.parent > 0 ? 1 : 0);
        const bool isModule = box.key.kind == BoxKind::Module;
        const bool insideBlock = parent.key.kind == BoxKind::Block;
        if (box.begin >= box.end || (box.group >= 0 && isModule) || insideBlock)
            continue;
        const QString title = QString::fromStdString(box.title);
        const graph::ModuleCall *call = isModule ? &graph.calls[static_cast<std::size_t>(box.key.index)] : nullptr;
        names.push_back(call ? nameOf(*call, title) : nameOf(graph.node(box.node), title));
        const std::string &kind = call ? classOf[call->fqn] : graph.node(box.node).op;
        rows.push_back({box.begin,
                        box.end,
                        depth[i],
                        {},
                        QString::fromStdString(kind),
                        box.key,
                        shapeMadeBy(graph, box.begin, box.end)});
    }
    setTitles(rows, std::move(names));
    return rows;
}

std::vector<SplitRow> splitRows(const graph::ModelGraph &graph)
{
    std::vector<SplitRow> rows;
    std::vector<RowName> names;
    for (int position = 0; position < graph.size(); ++position) {
        const graph::Node &node = graph.at(position);
        names.push_back(nameOf(node, QString::fromStdString(operatorName(node))));
        rows.push_back({position,
                        position + 1,
                        0,
                        {},
                        QString::fromStdString(node.fqn),
                        BoxKey{BoxKind::Node, node.id.value},
                        shapeMadeBy(graph, position, position + 1)});
    }
    setTitles(rows, std::move(names));
    return rows;
}

} // namespace pipescope::graphview
