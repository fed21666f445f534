#include "mainwindow/workspace.h"

#include <utility>

namespace pipescope::mainwindow {

Workspace::Workspace(session::MakeLink makeLink, QSettings &userSettings, const session::ExamplePlaces &places)
    : settings(userSettings)
    , trust(userSettings)
    , recentFiles(userSettings)
    , engine(std::move(makeLink))
    , controller(document, engine)
    , opening(document, engine)
    , saver(document, engine)
    , probe(engine)
    , example(places)
{
}

bool Workspace::isBusy() const
{
    return controller.isRunning() || controller.isLooking() || opening.isActive() || saver.isSaving() ||
           example.isMaking() || traces.isReading();
}

void Workspace::cancelWork()
{
    controller.cancel();
    opening.cancel();
    saver.cancel();
    if (example.isMaking())
        example.cancel();
    traces.cancel();
}

} // namespace pipescope::mainwindow
