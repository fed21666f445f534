#include "graphview/graph_layout.h"

#include <algorithm>
#include <map>

namespace pipescope::graphview {

namespace {

// One line to draw: a wire, or one value of it where an open box has a port for each.
struct Strand
{
    std::size_t wire = 0;
    std::span<const ValueId> values;
};

struct LaidOutGroup
{
    std::vector<Strand> strands; // by edge of the layout
    std::shared_ptr<const LayeredOutput> layout;
    QSizeF size;
};

class Composer
{
public:
    Composer(GraphScene &scene, const TextWidth &width, LayoutCache &cache, const std::stop_token &stop)
        : m_scene(scene)
        , m_tree(scene.tree)
        , m_width(width)
        , m_cache(cache)
        , m_stop(stop)
        , m_groups(m_tree.groups.size())
    {
    }

    bool compose()
    {
        for (std::size_t i = m_groups.size(); i-- > 0;) {
            if (!layOut(i))
                return false;
        }
        m_scene.rects.resize(m_tree.boxes.size());
        m_scene.rects[0] = QRectF({0, 0}, m_groups[0].size);
        for (std::size_t i = 0; i < m_groups.size(); ++i)
            place(i);
        m_scene.bounds = m_scene.rects[0];
        addPorts();
        return true;
    }

private:
    [[nodiscard]] const Box &box(int index) const { return m_tree.boxes[static_cast<std::size_t>(index)]; }

    [[nodiscard]] QSizeF sizeOf(const Box &of) const
    {
        return of.group >= 0 ? m_groups[static_cast<std::size_t>(of.group)].size : closedSize(of, m_width);
    }

    [[nodiscard]] const Box *openChild(const Group &group, const WireEnd &end) const
    {
        if (end.kind != EndKind::Child)
            return nullptr;
        const Box &child = box(group.children[static_cast<std::size_t>(end.index)]);
        return child.group >= 0 ? &child : nullptr;
    }

    static int nodeOf(const Group &group, const WireEnd &end)
    {
        const auto ins = static_cast<int>(group.inPorts.size());
        switch (end.kind) {
        case EndKind::InPort:
            return end.index;
        case EndKind::Child:
            return ins + end.index;
        default:
            return ins + static_cast<int>(group.children.size()) + end.index;
        }
    }

    // From an open box's middle to its port for the value; 0 where the box itself makes or takes it.
    [[nodiscard]] double portOffset(const Box &open, ValueId value, EndKind kind) const
    {
        const Group &group = m_tree.groups[static_cast<std::size_t>(open.group)];
        const LaidOutGroup &inner = m_groups[static_cast<std::size_t>(open.group)];
        const std::vector<ValueId> &ports = kind == EndKind::InPort ? group.inPorts : group.outPorts;
        const auto port = std::find(ports.begin(), ports.end(), value);
        if (port == ports.end())
            return 0;
        const auto node = static_cast<std::size_t>(nodeOf(group, {kind, static_cast<int>(port - ports.begin())}));
        return contentLeft(inner) + inner.layout->nodes[node].x + PortWidth / 2 - inner.size.width() / 2;
    }

    // A layout narrower than its box's title stands in the middle.
    static double contentLeft(const LaidOutGroup &group) { return (group.size.width() - group.layout->width) / 2; }

    bool layOut(std::size_t index)
    {
        const Group &group = m_tree.groups[index];
        LaidOutGroup &out = m_groups[index];
        LayeredInput input;
        for (std::size_t i = 0; i < group.inPorts.size(); ++i)
            input.nodes.push_back({PortWidth, 0, Pin::Top});
        for (const int child : group.children) {
            const QSizeF size = sizeOf(box(child));
            input.nodes.push_back({size.width(), size.height(), Pin::Free});
        }
        for (std::size_t i = 0; i < group.outPorts.size(); ++i)
            input.nodes.push_back({PortWidth, 0, Pin::Bottom});
        for (std::size_t i = 0; i < group.wires.size(); ++i)
            addStrands(group, i, input, out.strands);
        out.layout = m_cache.layOut(input, m_stop);
        if (!out.layout)
            return false;
        const double title = index == 0 ? 0 : headerWidth(box(group.box), m_width);
        const double width = std::max(title, out.layout->width + 2 * measure::Inset);
        // Lines that go out need no room below the row of their ports.
        const double below = group.outPorts.empty() ? measure::Inset : 0;
        out.size = {width, (index == 0 ? measure::Inset : measure::Header) + out.layout->height + below};
        return true;
    }

    void addStrands(const Group &group, std::size_t index, LayeredInput &input, std::vector<Strand> &strands) const
    {
        const Wire &wire = group.wires[index];
        const Box *from = openChild(group, wire.from);
        const Box *to = openChild(group, wire.to);
        const std::span<const ValueId> all(wire.values);
        const std::size_t each = from || to ? 1 : all.size();
        for (std::size_t first = 0; first < all.size(); first += each) {
            strands.push_back({index, all.subspan(first, each)});
            input.edges.push_back({nodeOf(group, wire.from), nodeOf(group, wire.to),
                                   from ? portOffset(*from, all[first], EndKind::OutPort) : 0,
                                   to ? portOffset(*to, all[first], EndKind::InPort) : 0});
        }
    }

    void place(std::size_t index)
    {
        const Group &group = m_tree.groups[index];
        const LaidOutGroup &laidOut = m_groups[index];
        const QRectF &outer = m_scene.rects[static_cast<std::size_t>(group.box)];
        const QPointF origin(outer.left() + contentLeft(laidOut),
                             outer.top() + (index == 0 ? measure::Inset : measure::Header));
        for (std::size_t i = 0; i < group.children.size(); ++i) {
            const Point &corner = laidOut.layout->nodes[group.inPorts.size() + i];
            const int child = group.children[i];
            m_scene.rects[static_cast<std::size_t>(child)] =
                QRectF(origin + QPointF(corner.x, corner.y), sizeOf(box(child)));
        }
        for (std::size_t i = 0; i < laidOut.strands.size(); ++i) {
            if (laidOut.layout->edges[i].empty())
                leaveOut(group, laidOut.strands[i]);
            else
                addEdge(static_cast<int>(index), laidOut.strands[i], laidOut.layout->edges[i], origin, outer);
        }
    }

    void addEdge(int group, const Strand &strand, const std::vector<Point> &line, QPointF origin, const QRectF &outer)
    {
        const Group &in = m_tree.groups[static_cast<std::size_t>(group)];
        const Wire &wire = in.wires[strand.wire];
        SceneEdge edge;
        edge.group = group;
        edge.from = boxAt(in, wire.from);
        edge.to = boxAt(in, wire.to);
        edge.firstPoint = static_cast<int>(m_scene.points.size());
        for (const Point &point : line)
            m_scene.points.push_back(origin + QPointF(point.x, point.y));
        if (edge.to < 0) // on to the border, where the next group's wire begins
            m_scene.points.emplace_back(m_scene.points.back().x(), outer.bottom());
        edge.pointCount = static_cast<int>(m_scene.points.size()) - edge.firstPoint;
        edge.firstValue = static_cast<int>(m_scene.values.size());
        edge.valueCount = static_cast<int>(strand.values.size());
        m_scene.values.insert(m_scene.values.end(), strand.values.begin(), strand.values.end());
        const std::span<const QPointF> points = m_scene.pointsOf(edge);
        double left = points[0].x();
        double right = left;
        for (const QPointF &point : points) {
            left = std::min(left, point.x());
            right = std::max(right, point.x());
        }
        edge.bounds = QRectF(QPointF(left, points.front().y()), QPointF(right, points.back().y()));
        m_scene.edges.push_back(edge);
    }

    static int boxAt(const Group &group, const WireEnd &end)
    {
        return end.kind == EndKind::Child ? group.children[static_cast<std::size_t>(end.index)] : -1;
    }

    void leaveOut(const Group &group, const Strand &strand)
    {
        const Wire &wire = group.wires[strand.wire];
        const auto note = [&](const WireEnd &end, ScenePort::Side side) {
            const int at = boxAt(group, end);
            if (at < 0) // the port on the border, which the wire outside leads to, says it already
                return;
            std::vector<ValueId> &values = m_leftOut[{at, side}];
            values.insert(values.end(), strand.values.begin(), strand.values.end());
        };
        note(wire.from, ScenePort::Side::Gives);
        note(wire.to, ScenePort::Side::Takes);
    }

    void addPorts()
    {
        for (auto &[end, values] : m_leftOut) {
            std::sort(values.begin(), values.end());
            values.erase(std::unique(values.begin(), values.end()), values.end());
            const QRectF &rect = m_scene.rects[static_cast<std::size_t>(end.first)];
            const bool takes = end.second == ScenePort::Side::Takes;
            const QPointF at(rect.left() + measure::Strip / 2, takes ? rect.top() : rect.bottom());
            m_scene.ports.push_back({end.first, end.second, at, values});
        }
    }

    static constexpr double PortWidth = 8;

    GraphScene &m_scene;
    const BoxTree &m_tree;
    const TextWidth &m_width;
    LayoutCache &m_cache;
    const std::stop_token &m_stop;
    std::vector<LaidOutGroup> m_groups;
    std::map<std::pair<int, ScenePort::Side>, std::vector<ValueId>> m_leftOut;
};

} // namespace

std::optional<GraphScene> layOutGraph(BoxTree tree, const TextWidth &width, LayoutCache &cache,
                                      const std::stop_token &stop)
{
    GraphScene scene;
    scene.tree = std::move(tree);
    if (!Composer(scene, width, cache, stop).compose())
        return std::nullopt;
    return scene;
}

} // namespace pipescope::graphview
