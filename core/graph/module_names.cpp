#include "graph/module_names.h"

namespace pipescope::graph {

ModuleNames::ModuleNames(const ModelGraph &graph)
{
    for (const ModuleInfo &module : graph.modules)
        m_names.insert(module.fqn);
    for (const ModuleCall &call : graph.calls)
        m_names.insert(call.fqn);
}

std::string_view ModuleNames::around(std::string_view fqn) const
{
    while (!fqn.empty()) {
        const std::size_t dot = fqn.rfind('.');
        fqn = dot == std::string_view::npos ? std::string_view() : fqn.substr(0, dot);
        if (has(fqn))
            return fqn;
    }
    return fqn;
}

} // namespace pipescope::graph
