#include "graphview/picture.h"

#include <algorithm>

namespace pipescope::graphview {

namespace {

// As much of a text as has room, with an ellipsis where some is left out.
QString cut(const std::string &text, const TextWidth &width, TextRole role, double room)
{
    if (text.empty() || width(text, role) <= room)
        return QString::fromStdString(text);
    QString whole = QString::fromStdString(text);
    while (whole.size() > 1 && width((whole + QChar(0x2026)).toStdString(), role) > room)
        whole.chop(std::max<qsizetype>(1, whole.size() / 16));
    return whole + QChar(0x2026);
}

void writeTexts(Picture &picture, const TextWidth &width)
{
    const std::vector<Box> &boxes = picture.scene.tree.boxes;
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        const Box &box = boxes[i];
        const double chip = measure::Strip + (box.group >= 0 ? measure::SpanRoom : 0);
        const double room = picture.scene.rects[i].width() - chip - 2 * measure::Gap;
        const bool oneLine = box.group >= 0 || !box.canOpen;
        const double titleRoom = box.canOpen ? room - measure::Gap - measure::Measured : room;
        picture.titles.push_back(cut(box.title, width, TextRole::Title, titleRoom));
        const double used = width(picture.titles.back().toStdString(), TextRole::Title) + measure::Gap;
        const double detailRoom = oneLine ? titleRoom - used : room;
        picture.details.push_back(detailRoom < 2 * measure::Gap ? QString()
                                                                : cut(box.detail, width, TextRole::Detail, detailRoom));
    }
}

} // namespace

int Picture::find(const BoxKey &key) const
{
    const auto found = boxOfKey.find(key);
    return found == boxOfKey.end() ? -1 : found->second;
}

int Picture::sourceOf(ValueId value) const
{
    if (const NodeId producer = graph->value(value).producer; producer.valid())
        return scene.tree.boxOfNode[producer.index()];
    const std::vector<graph::Argument> &arguments = graph->arguments;
    const auto argument = std::find_if(arguments.begin(), arguments.end(),
                                       [&](const graph::Argument &each) { return each.value == value; });
    return argument == arguments.end() ? -1 : find({BoxKind::Argument, static_cast<int>(argument - arguments.begin())});
}

std::vector<int> Picture::usersOf(ValueId value) const
{
    std::vector<int> users;
    for (const graph::Node &node : graph->nodes) {
        if (std::find(node.uses.begin(), node.uses.end(), value) != node.uses.end())
            users.push_back(scene.tree.boxOfNode[node.id.index()]);
    }
    users.erase(std::unique(users.begin(), users.end()), users.end());
    return users;
}

std::shared_ptr<const Picture> makePicture(std::shared_ptr<const graph::ModelGraph> graph, const OpenBoxes &open,
                                           Nesting nesting, const TextWidth &width, LayoutCache &cache,
                                           const std::stop_token &stop)
{
    std::optional<GraphScene> scene = layOutGraph(buildBoxTree(*graph, open, nesting), width, cache, stop);
    if (!scene)
        return nullptr;
    auto picture = std::make_shared<Picture>();
    picture->graph = std::move(graph);
    picture->open = open;
    picture->nesting = nesting;
    picture->scene = *std::move(scene);
    picture->index = SceneIndex(picture->scene);
    picture->costs = costsOf(*picture->graph, picture->scene.tree);
    picture->portOfBox.assign(picture->scene.rects.size(), -1);
    for (std::size_t i = picture->scene.ports.size(); i-- > 0;)
        picture->portOfBox[static_cast<std::size_t>(picture->scene.ports[i].box)] = static_cast<int>(i);
    for (std::size_t i = 0; i < picture->scene.tree.boxes.size(); ++i)
        picture->boxOfKey.emplace(picture->scene.tree.boxes[i].key, static_cast<int>(i));
    writeTexts(*picture, width);
    return picture;
}

} // namespace pipescope::graphview
