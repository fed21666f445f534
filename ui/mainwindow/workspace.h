// What the window is about, without a widget: the document, the engine that loads and runs it, and what all views
// share.
#pragma once

#include "session/document.h"
#include "session/engine_client.h"
#include "session/example_model.h"
#include "session/opening.h"
#include "session/recent_files.h"
#include "session/run_controller.h"
#include "session/selection.h"
#include "session/stage_saver.h"
#include "session/tensor_probe.h"
#include "session/trust.h"
#include "timeline/trace_reader.h"

#include <QSettings>

namespace pipescope::mainwindow {

struct Workspace
{
    /// The settings must outlive this.
    Workspace(session::MakeLink makeLink, QSettings &userSettings, const session::ExamplePlaces &places);

    /// Something is under way that cancelWork() gives up.
    [[nodiscard]] bool isBusy() const;
    void cancelWork();

    QSettings &settings;
    session::Trust trust;
    session::RecentFiles recentFiles;
    session::Document document;
    session::EngineClient engine;
    session::RunController controller;
    session::Selection selection;
    session::Opening opening;
    session::StageSaver saver;
    session::TensorProbe probe;
    session::ExampleModel example;
    timeline::TraceReader traces;
};

} // namespace pipescope::mainwindow
