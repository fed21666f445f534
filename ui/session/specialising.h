// The graph of the numbers, bools, texts and None that a plan's inputs give: which those are, how they are written, and
// what of the plan still holds where one graph takes another's place.
#pragma once

#include "plan/plan.h"
#include "report/inspection.h"

#include <QString>
#include <string>
#include <vector>

namespace pipescope::session {

/// The plan's inputs with every positional one under its argument's name.
[[nodiscard]] std::vector<plan::InputSpec> namedInputs(const plan::Plan &plan,
                                                       const std::vector<graph::Argument> &arguments);
/// Those of them that a graph may be specialised for (plan::isPlain).
[[nodiscard]] std::vector<plan::InputSpec> plainInputs(const plan::Plan &plan,
                                                       const std::vector<graph::Argument> &arguments);

/// As they are written: a NaN is not equal to itself, and would count as changed again and again.
[[nodiscard]] bool isSame(const std::vector<plan::InputSpec> &a, const std::vector<plan::InputSpec> &b);
/// "sr=16000, mode='mean'".
[[nodiscard]] QString inputsText(const std::vector<plan::InputSpec> &inputs);

/// Of `given`, by name, what is another value than the plan's graph is specialised for: a run with it is refused.
[[nodiscard]] std::vector<plan::InputSpec> unlikeSpecialised(const plan::Plan &plan,
                                                             const std::vector<plan::InputSpec> &given);
/// After an edit of plan.inputs, which have names: what is specialised for follows the values; what has none any more,
/// or no plain one, is left out.
void followInputs(plan::Plan &plan);
/// For Document::edit: what follows of an edit of plan.specialised, once the engine has made that graph, is one undo
/// step with it.
[[nodiscard]] QString specialisedKey(const plan::Plan &plan);

/// Places where the model can be cut.
[[nodiscard]] int legalPlaces(const report::Inspection &model);
/// Of words for places of `from`, those that mean a place of `to` where it can be cut, and the same one for certain: a
/// node's name may be another node's in another graph of the same method.
[[nodiscard]] std::vector<std::string> keptSplits(const std::vector<std::string> &words, const graph::ModelGraph &from,
                                                  const graph::ModelGraph &to);

} // namespace pipescope::session
