// Where in the model's code something comes from, as every view writes it.
#pragma once

#include "graph/model_graph.h"

#include <QString>

namespace pipescope::session {

/// "model.py:12", without the folders; "" where file or line is not known.
[[nodiscard]] QString sourceText(const graph::SourceLocation &source);

} // namespace pipescope::session
