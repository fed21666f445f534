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
    return std::visit(session::Overloaded{
                          [](std::monostate) { return FactSheet(); },
                          [&](NodeId node) { return nodeFacts(node, known); },
                          [&](ValueId value) { return valueFacts(value, known); },
                          [&](StageId stage) { return stageFacts(stage, known); },
                          [&](RankId rank) { return rankFacts(rank, known); },
                          [&](const session::SelectedModule &module) { return moduleFacts(module, known); },
                          [&](const session::SelectedAction &action) { return actionFacts(action.key, known); },
                          [&](const session::SelectedCut &cut) { return cutFacts(cut.position, known); },
                          [&](const session::SelectedSpan &span) { return spanFacts(span, known); },
                          [&](const session::SelectedParameter &held) { return parameterFacts(held.fqn, known); },
                      },
                      selected);
}

} // namespace pipescope::inspector
