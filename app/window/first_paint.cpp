#include "first_paint.h"

#include "graphview/graph_canvas.h"

#include <QCoreApplication>
#include <QEvent>
#include <QTimer>
#include <cstdio>

namespace pipescope::app {

namespace {

class Watch : public QObject
{
public:
    Watch(QWidget &watched, const graphview::GraphCanvas *canvas)
        : QObject(&watched)
        , m_canvas(canvas)
    {
        watched.installEventFilter(this);
    }

    bool eventFilter(QObject *watched, QEvent *event) override
    {
        if (event->type() == QEvent::Paint && (!m_canvas || m_canvas->picture())) {
            watched->removeEventFilter(this);
            // The event is handled after its filters, and what it paints is shown with it.
            QTimer::singleShot(0, this, [] {
                std::puts("painted");
                std::fflush(stdout);
                QCoreApplication::exit(0);
            });
        }
        return false;
    }

private:
    const graphview::GraphCanvas *m_canvas; // null where any picture will do
};

} // namespace

void endAfterFirstPaint(mainwindow::MainWindow &window, Painted what)
{
    auto *canvas = what == Painted::Model ? window.findChild<graphview::GraphCanvas *>() : nullptr;
    new Watch(canvas ? static_cast<QWidget &>(*canvas) : window, canvas); // owned by what it watches
    const auto fail = [&window](const Error &error) {
        std::fprintf(stderr, "pipescope: error: %s\n", error.message.c_str());
        // Late: it can fail before there is an event loop to end.
        QTimer::singleShot(0, &window, [] { QCoreApplication::exit(2); });
    };
    QObject::connect(&window, &mainwindow::MainWindow::openFailed, &window, fail);
    QObject::connect(&window.controller(), &session::RunController::failed, &window,
                     [&window, fail] { fail(*window.controller().lastError()); });
}

} // namespace pipescope::app
