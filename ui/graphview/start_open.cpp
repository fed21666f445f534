#include "graphview/start_open.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace pipescope::graphview {

namespace {

constexpr int Enough = 12;
constexpr int Most = 32;
constexpr int Few = 5; // tell so little that far more are better
constexpr int MostAfterFew = 200;

struct Call
{
    int index = 0; // in ModelGraph::calls
    int begin = 0;
    int end = 0;
    int boxes = 0;          // directly inside
    std::vector<int> calls; // of them those that are calls: index in the list of these
};

// calls[0] is the model.
std::vector<Call> nested(const graph::ModelGraph &graph)
{
    std::vector<Call> calls{{-1, 0, graph.size(), graph.size(), {}}};
    std::vector<int> around{0};
    for (std::size_t i = 0; i < graph.calls.size(); ++i) {
        const graph::ModuleCall &each = graph.calls[i];
        if (each.inside.valid() || each.begin >= each.end)
            continue;
        while (around.size() > 1 && calls[static_cast<std::size_t>(around.back())].end <= each.begin)
            around.pop_back();
        const auto index = static_cast<int>(calls.size());
        Call &outer = calls[static_cast<std::size_t>(around.back())];
        outer.boxes -= each.end - each.begin - 1;
        outer.calls.push_back(index);
        calls.push_back({static_cast<int>(i), each.begin, each.end, each.end - each.begin, {}});
        around.push_back(index);
    }
    return calls;
}

} // namespace

OpenBoxes startOpen(const graph::ModelGraph &graph)
{
    std::unordered_map<std::string, std::string> classOf; // by FQN
    for (const graph::ModuleInfo &module : graph.modules)
        classOf.emplace(module.fqn, module.className);
    const std::vector<Call> calls = nested(graph);
    OpenBoxes open;
    int boxes = calls[0].boxes;
    std::vector<int> closed = calls[0].calls;
    while (boxes < Enough) {
        struct Kind
        {
            int size = 0;
            int more = 0; // boxes when opened
            std::vector<int> calls;
        };
        std::map<std::string, Kind> kinds;
        for (const int index : closed) {
            const Call &call = calls[static_cast<std::size_t>(index)];
            if (call.end - call.begin < 2) // its one operator says no more than it does
                continue;
            const std::string &fqn = graph.calls[static_cast<std::size_t>(call.index)].fqn;
            const std::string &className = classOf[fqn];
            Kind &kind = kinds[className.empty() ? fqn : className];
            kind.size += call.end - call.begin;
            kind.more += call.boxes - 1;
            kind.calls.push_back(index);
        }
        const Kind *largest = nullptr;
        for (const auto &[name, kind] : kinds) {
            if (boxes + kind.more <= (boxes < Few ? MostAfterFew : Most) && (!largest || kind.size > largest->size))
                largest = &kind;
        }
        if (!largest)
            break;
        boxes += largest->more;
        for (const int index : largest->calls) {
            const Call &call = calls[static_cast<std::size_t>(index)];
            open.insert({BoxKind::Module, call.index});
            std::erase(closed, index);
            closed.insert(closed.end(), call.calls.begin(), call.calls.end());
        }
    }
    return open;
}

} // namespace pipescope::graphview
