#include "graphview/split_rows.h"

#include "base/text.h"
#include "graphview/box_names.h"

#include <QStringList>
#include <algorithm>

namespace pipescope::graphview {

std::vector<SplitRow> splitRows(const BoxTree &tree)
{
    std::vector<SplitRow> rows;
    std::vector<int> depth(tree.boxes.size(), 0);
    for (std::size_t i = 1; i < tree.boxes.size(); ++i) {
        const Box &box = tree.boxes[i];
        const Box &parent = tree.boxes[static_cast<std::size_t>(box.parent)];
        depth[i] = depth[static_cast<std::size_t>(box.parent)] + (box.parent > 0 ? 1 : 0);
        const bool insideBlock = parent.key.kind == BoxKind::Block;
        const bool openModule = box.group >= 0 && box.key.kind == BoxKind::Module;
        if (box.begin < box.end && !openModule && !insideBlock)
            rows.push_back(
                {box.begin, box.end, depth[i], QString::fromStdString(box.title), QString::fromStdString(box.detail)});
    }
    return rows;
}

std::vector<SplitRow> splitRows(const graph::ModelGraph &graph)
{
    std::vector<SplitRow> rows;
    for (int position = 0; position < graph.size(); ++position) {
        const graph::Node &node = graph.at(position);
        rows.push_back(
            {position, position + 1, 0, QString::fromStdString(operatorName(node)), QString::fromStdString(node.fqn)});
    }
    return rows;
}

QString splitText(const graph::ModelGraph &graph, const partition::SplitPoint &point)
{
    QStringList lines{QStringLiteral("Split at %1").arg(QString::fromStdString(point.id))};
    if (!point.cut.legal) {
        lines << QStringLiteral("cannot be: %1").arg(QString::fromStdString(point.cut.reason));
        return lines.join(QLatin1Char('\n'));
    }
    constexpr std::size_t most = 4;
    const std::vector<ValueId> &crossing = point.cut.crossing;
    for (std::size_t i = 0; i < std::min(most, crossing.size()); ++i) {
        const graph::Value &value = graph.value(crossing[i]);
        const std::string what = value.tensor ? toText(*value.tensor) : value.type;
        lines << QStringLiteral("%1 %2 %3")
                     .arg(i == 0 ? QStringLiteral("crosses") : QStringLiteral("and"),
                          QString::fromStdString(value.name), QString::fromStdString(what));
    }
    if (crossing.empty())
        lines << QStringLiteral("nothing crosses");
    if (crossing.size() > most)
        lines << QStringLiteral("and %1 more").arg(crossing.size() - most);
    const auto bytes = partition::crossingBytes(graph, point.cut);
    if (!crossing.empty())
        lines << (bytes ? QStringLiteral("%1 a microbatch").arg(QString::fromStdString(formatBytes(*bytes)))
                        : QStringLiteral("bytes unknown: not measured yet"));
    return lines.join(QLatin1Char('\n'));
}

} // namespace pipescope::graphview
