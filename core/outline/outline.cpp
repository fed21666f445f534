#include "outline/outline.h"

#include "outline/walker.h"

#include <fmt/format.h>

namespace pipescope::outline {

namespace {

bool isIn(const std::string &fqn, const std::string &around)
{
    return around.empty() || (fqn.size() > around.size() && fqn.starts_with(around) && fqn[around.size()] == '.');
}

/// Every module without others inside is one node.
void outlineModules(graph::ModelGraph &graph, const OutlineLimits &limits)
{
    GraphWriter writer(graph, limits);
    std::vector<std::string> around{""};
    const std::vector<graph::ModuleInfo> &modules = graph.modules;
    for (std::size_t i = 0; i < modules.size() && !writer.isFull(); ++i) {
        const graph::ModuleInfo &module = modules[i];
        for (; around.size() > 1 && !isIn(module.fqn, around.back()); around.pop_back())
            writer.endCall();
        const int call = i > 0 ? writer.beginCall(module.fqn) : 0;
        if (i > 0)
            around.push_back(module.fqn);
        const bool hasOthers = i + 1 < modules.size() && isIn(modules[i + 1].fqn, module.fqn);
        if (!hasOthers)
            writer.addNode(module.className.empty() ? "module" : module.className,
                           {module.fqn, module.className, call, {}, 0, {}}, {});
    }
    for (; around.size() > 1; around.pop_back())
        writer.endCall();
}

} // namespace

std::vector<std::string> outlineMethod(const OutlineSource &source, const std::string &method, graph::ModelGraph &graph,
                                       const std::stop_token &stop, const OutlineLimits &limits)
{
    std::vector<std::string> notes;
    Walker walker(source, graph, limits, stop);
    const bool isWalked = walker.walk(method);
    const bool isCut = isWalked && walker.isCut();
    if (graph.order.empty() && !graph.modules.empty()) {
        outlineModules(graph, limits);
        const std::string why = !isWalked ? fmt::format("the file has no code of {}", method)
                                : isCut   ? fmt::format("the code of {} calls more than can be followed", method)
                                          : fmt::format("the code of {} calls no operator", method);
        notes.push_back(why + ": its modules are shown in the order they are registered in");
    } else if (isCut) {
        notes.push_back(fmt::format("the code of {} calls more than is shown: the picture is not whole", method));
    }
    return notes;
}

} // namespace pipescope::outline
