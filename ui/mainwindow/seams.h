// Where the window meets parts that may know less than it would like to ask: what they cannot do yet is done in the
// next best way, or is said not to be possible.
#pragma once

#include "base/result.h"
#include "graphview/graph_canvas.h"
#include "graphview/split_gutter.h"
#include "style/theme.h"
#include "timeline/timeline_view.h"

#include <QString>
#include <QWidget>
#include <type_traits>

namespace pipescope::mainwindow {

/// Measures the model on the plan's inputs.
template <class Controller>
void startProfile(Controller &controller)
{
    if constexpr (requires { controller.profile(); })
        controller.profile();
    else
        controller.look(Controller::Look::Profiling);
}

/// Compares the stages with the unsplit model, without timing.
template <class Controller>
void startCheck(Controller &controller)
{
    if constexpr (requires { controller.check(); })
        controller.check();
    else
        controller.run();
}

/// Shows a trace from a file. Error: as its reader's, or Unsupported.
template <class Page>
Status openTraceIn(Page &page, const QString &path)
{
    if constexpr (requires { page.openTrace(path); }) {
        using Answer = decltype(page.openTrace(path));
        if constexpr (std::is_same_v<Answer, Status>) {
            return page.openTrace(path);
        } else {
            page.openTrace(path);
            return Success{};
        }
    } else {
        return Error{ErrorCode::Unsupported, "this window cannot open traces", path.toStdString(), {}};
    }
}

/// Gives a view another theme where it can take one, and else the canvases in it.
template <class View>
void giveTheme(View &view, const style::Theme &theme)
{
    if constexpr (requires { view.setTheme(theme); }) {
        view.setTheme(theme);
    } else {
        for (auto *canvas : view.template findChildren<graphview::GraphCanvas *>())
            canvas->setTheme(theme);
        for (auto *gutter : view.template findChildren<graphview::SplitGutter *>())
            gutter->setTheme(theme);
        for (auto *timeline : view.template findChildren<timeline::TimelineView *>())
            timeline->setTheme(theme);
    }
}

} // namespace pipescope::mainwindow
