// What a stage is made of, in a few words: the modules it runs whole, runs of numbered ones drawn together.
#pragma once

#include "graph/model_graph.h"
#include "partition/partition.h"

#include <QString>
#include <QStringList>

namespace pipescope::session {

/// The outermost modules that lie in the stage whole, in program order, each once: "embed", "blocks.0", "blocks.1". A
/// stage without any has the modules its nodes belong to, "blocks.4.attn (part)", and the operators of the model's own
/// code, "dim".
[[nodiscard]] QStringList stageModules(const graph::ModelGraph &graph, const partition::Stage &stage);

/// The same for a cell of a table: "embed, blocks.0–2". A prefix that all share is left out, and what is beyond `most`
/// parts is counted: "wte, wpe, h.0–3, 2 more". None is a number alone: "Sequential.0–3" where the model is the list.
/// Empty for a stage without nodes.
[[nodiscard]] QString stageName(const graph::ModelGraph &graph, const partition::Stage &stage, int most = 4);

} // namespace pipescope::session
