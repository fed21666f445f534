// What a stage is made of, in a few words: the modules it runs whole, runs of numbered ones drawn together; and how
// much of a module's name is written where there is little room.
#pragma once

#include "graph/model_graph.h"
#include "partition/partition.h"

#include <QString>
#include <QStringList>
#include <cstddef>
#include <string_view>

namespace pipescope::session {

/// Where in a module's whole name the part that is shown of it begins: at `begin`, or before it where that part would
/// begin with a number, which says little: "features.0" rather than "0".
[[nodiscard]] std::size_t beginOfName(std::string_view fqn, std::size_t begin);

/// The last two components of a module's name, or more: "h.3", "layers.1.net2". None begins with a number:
/// "Sequential.0" where the model is the list.
[[nodiscard]] QString moduleName(const graph::ModelGraph &graph, std::string_view fqn);

/// The outermost modules that lie in the stage whole, in program order, each once: "embed", "blocks.0", "blocks.1". A
/// stage without any has the modules its nodes belong to, "blocks.4.attn (part)", and the operators of the model's own
/// code, "dim".
[[nodiscard]] QStringList stageModules(const graph::ModelGraph &graph, const partition::Stage &stage);

/// The same for a cell of a table: "embed, blocks.0–2". A prefix that all share is left out, and what is beyond `most`
/// parts is counted: "wte, wpe, h.0–3, 2 more". None is a number alone: "Sequential.0–3" where the model is the list.
/// Empty for a stage without nodes.
[[nodiscard]] QString stageName(const graph::ModelGraph &graph, const partition::Stage &stage, int most = 4);

} // namespace pipescope::session
