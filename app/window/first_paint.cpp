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
    QObject::connect(&window.controller(), &session::RunController::failed, &window, [&window] {
        std::fprintf(stderr, "pipescope: error: %s\n", window.controller().lastError()->message.c_str());
        QCoreApplication::exit(2);
    });
}

} // namespace pipescope::app
