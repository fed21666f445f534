#include "inspector/facts_of.h"

#include "inspector/action_facts.h"
#include "inspector/module_facts.h"
#include "inspector/node_facts.h"
#include "inspector/stage_facts.h"
#include "inspector/time_facts.h"
#include "inspector/value_facts.h"

namespace pipescope::inspector {

FactSheet factsOf(const session::Selected &selected, const Known &known)
{
    if (selected.node.valid())
        return nodeFacts(selected.node, known);
    if (selected.module)
        return moduleFacts(*selected.module, known);
    if (selected.value.valid())
        return valueFacts(selected.value, known);
    if (!selected.parameter.empty())
        return parameterFacts(selected.parameter, known);
    if (selected.action)
        return actionFacts(*selected.action, known);
    if (selected.cut)
        return cutFacts(*selected.cut, known);
    if (selected.span)
        return spanFacts(*selected.span, known);
    if (selected.stage.valid())
        return stageFacts(selected.stage, known);
    if (selected.rank.valid())
        return rankFacts(selected.rank, known);
    return {};
}

} // namespace pipescope::inspector
