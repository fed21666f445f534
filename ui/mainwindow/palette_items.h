// What the command palette finds in the model, the stages and the last run.
#pragma once

#include "actions/action_table.h"
#include "actions/palette_model.h"
#include "report/inspection.h"
#include "report/stage_report.h"
#include "session/selection.h"
#include "trace/event.h"

#include <functional>
#include <memory>
#include <vector>

namespace pipescope::mainwindow {

/// Every row of the table, with why it cannot be done.
[[nodiscard]] actions::PaletteItems commandItems(const actions::ActionTable &table);

/// The model's modules, nodes and split points; choosing one selects it after `before`, which shows the graph.
[[nodiscard]] actions::PaletteItems modelItems(const report::Inspection &model, session::Selection &selection,
                                               const std::function<void()> &before);
[[nodiscard]] actions::PaletteItems stageItems(const std::vector<report::StageReport> &stages,
                                               session::Selection &selection, const std::function<void()> &before);
/// What ranks computed.
[[nodiscard]] actions::PaletteItems actionItems(const trace::Trace &trace, session::RunId run,
                                                session::Selection &selection, const std::function<void()> &before);

} // namespace pipescope::mainwindow
