#include "session/run_model.h"

#include "session/specialising.h"

namespace pipescope::session {

bool isOfModel(const plan::Plan &run, const std::string &sha256, const Document &document)
{
    if (run.model != document.plan().model || run.method != document.plan().method)
        return false;
    const auto model = document.model();
    if (!isSame(run.specialised, document.plan().specialised) &&
        !(model && !model->structureOnly && isSame(run.specialised, model->specialised)))
        return false;
    return !model || sha256.empty() || model->sha256.empty() || sha256 == model->sha256;
}

NodeId nodeOf(const plan::Plan &run, NodeId node, const std::string &name, const Document &document)
{
    if (!node.valid() || !isOfModel(run, run.modelSha256, document))
        return {};
    const auto model = document.model();
    if (!model)
        return node;
    if (model->structureOnly || node.index() >= model->graph.nodes.size())
        return {};
    return name.empty() || model->graph.node(node).name == name ? node : NodeId();
}

} // namespace pipescope::session
