// Where a plan is proposed to be saved.
#pragma once

#include <QString>

namespace pipescope::session {

/// Whether the engine, and the model's file with it, may be on another machine.
enum class ModelPlace { Here, Elsewhere };

/// "mlp.pipescope.json" beside mlp.pt: the name desktops know plans by. In the home folder where nothing can be written
/// beside the model, or where the model is elsewhere. Absolute; looks at the folder.
[[nodiscard]] QString proposedPlanPath(const QString &model, ModelPlace place);

} // namespace pipescope::session
