#include "outline/outline.h"

#include "graph/module_names.h"
#include "outline/walker.h"

#include <fmt/format.h>
#include <string_view>
#include <unordered_map>

namespace pipescope::outline {

namespace {

bool isIn(const std::string &fqn, const std::string &around)
{
    return around.empty() || (fqn.size() > around.size() && fqn.starts_with(around) && fqn[around.size()] == '.');
}

/// Positions of parameters and buffers by the module that holds them.
std::unordered_map<std::string_view, std::vector<int>> tensorsOf(const graph::ModelGraph &graph)
{
    const graph::ModuleNames modules(graph);
    std::unordered_map<std::string_view, std::vector<int>> tensors;
    for (std::size_t i = 0; i < graph.parameters.size(); ++i)
        tensors[modules.around(graph.parameters[i].fqn)].push_back(static_cast<int>(i));
    return tensors;
}

/// Every module without others inside, and every one with tensors of its own, is one node, which reads these.
void outlineModules(graph::ModelGraph &graph, const OutlineLimits &limits)
{
    GraphWriter writer(graph, limits);
    const auto tensors = tensorsOf(graph);
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
        const auto own = tensors.find(module.fqn);
        std::vector<ValueId> read;
        for (const int tensor : own == tensors.end() ? std::vector<int>() : own->second)
            if (const ValueId value = writer.parameter(tensor); value.valid())
                read.push_back(value);
        if (!hasOthers || !read.empty())
            writer.addNode(module.className.empty() ? "module" : module.className,
                           {module.fqn, module.className, call, {}, 0, {}}, read);
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
