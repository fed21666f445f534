#include "screenshot.h"

#include "base/file.h"
#include "graphview/graph_canvas.h"
#include "session/file_kind.h"
#include "tell.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QPixmap>
#include <QRegularExpression>
#include <QTimer>
#include <algorithm>
#include <functional>
#include <string>
#include <string_view>

namespace pipescope::app {

namespace {

void end(const std::string &problem)
{
    if (!problem.empty())
        tellError(problem);
    QCoreApplication::exit(problem.empty() ? 0 : 2);
}

/// Why the window is not of the size that was asked for; "" where it is. Known once all it shows is there.
std::string otherSize(const QWidget &window, QSize asked)
{
    const QSize least = window.minimumSizeHint().expandedTo(window.minimumSize());
    if (window.size() == asked)
        return {};
    const bool isTooSmall = least.width() > asked.width() || least.height() > asked.height();
    const QSize told = isTooSmall ? least : window.size();
    return (isTooSmall ? QStringLiteral("--size: the window needs at least %1x%2 here, not %3x%4")
                       : QStringLiteral("--size: on this screen the window is %1x%2 and not %3x%4, as a window manager "
                                        "may have it; with QT_QPA_PLATFORM=offscreen it is as asked"))
        .arg(told.width())
        .arg(told.height())
        .arg(asked.width())
        .arg(asked.height())
        .toStdString();
}

/// Whole or not at all. Why not; "" where it is there.
std::string savePicture(QWidget &window, QSize asked, const QString &path)
{
    if (std::string problem = otherSize(window, asked); !problem.empty())
        return problem;
    QByteArray bytes;
    QBuffer buffer(&bytes);
    if (!window.grab().save(&buffer, "PNG"))
        return "there is no memory for a picture of this size";
    const Status written = writeFile(path.toStdString(), std::string_view(bytes.constData(), bytes.size()));
    return written ? std::string() : written.error().message;
}

/// What has just changed is laid out first, the graph in its own thread: that takes as long as it takes.
void whenSettled(mainwindow::MainWindow &window, const std::function<void()> &then)
{
    constexpr int Milliseconds = 500;
    QTimer::singleShot(Milliseconds, &window, [&window, then] {
        if (window.findChild<graphview::GraphCanvas *>()->isLayingOut())
            whenSettled(window, then);
        else
            then();
    });
}

/// Ends the program with the picture, or without.
void drawOnceSettled(mainwindow::MainWindow &window, QSize size, const QString &picture)
{
    whenSettled(window, [&window, size, picture] {
        const auto draw = [&window, size, picture] { end(savePicture(window, size, picture)); };
        if (window.size() == size)
            return draw();
        window.resize(size); // it may have grown for what is not shown any more
        whenSettled(window, draw);
    });
}

} // namespace

QSize parseSize(const QString &text)
{
    static const QRegularExpression form(QStringLiteral("^([1-9][0-9]{0,4})x([1-9][0-9]{0,4})$"));
    const QRegularExpressionMatch match = form.match(text);
    const QSize size(match.captured(1).toInt(), match.captured(2).toInt());
    return match.hasMatch() && isDrawable(size) ? size : QSize();
}

bool isDrawable(QSizeF pixels)
{
    return std::max(pixels.width(), pixels.height()) <= MostSide && pixels.width() * pixels.height() <= MostPixels;
}

void takeScreenshot(mainwindow::MainWindow &window, const QString &file, const QString &picture, QSize size,
                    mainwindow::MainWindow::Perspective perspective, Depth depth)
{
    using mainwindow::MainWindow;
    using session::RunController;
    RunController &controller = window.controller();
    const session::FileKind kind = session::fileKind(file);
    // A trace has nothing to show but its timeline.
    const auto shown = kind == session::FileKind::Trace ? MainWindow::Perspective::Timeline : perspective;
    const auto save = [&window, size, picture, shown] {
        // After all who hear of the same change: some show a perspective of their own.
        QTimer::singleShot(0, &window, [&window, shown] { window.show(shown); });
        drawOnceSettled(window, size, picture);
    };
    QObject::connect(&controller, &RunController::failed, &window,
                     [&controller] { end(controller.lastError()->message); });
    QObject::connect(&controller, &RunController::finished, &window, save);
    QObject::connect(&window, &MainWindow::openFailed, &window, [&window](const Error &error) {
        // Late: it can fail before there is an event loop to end.
        QTimer::singleShot(0, &window, [message = error.message] { end(message); });
    });
    QObject::connect(&window.document(), &session::Document::modelChanged, &window,
                     [&window, &controller, kind, depth, save] {
                         const auto model = window.document().model();
                         if (!model)
                             return;
                         const bool goesOn = depth != Depth::Structure;
                         const bool isPlan = goesOn && kind == session::FileKind::Plan;
                         if (goesOn && model->structureOnly && !model->loadRefused)
                             controller.look(RunController::Look::Loading);
                         else if (isPlan && !model->profiled && !window.document().plan().inputs.empty())
                             controller.profile();
                         else if (isPlan)
                             QTimer::singleShot(0, &controller, &RunController::run);
                         else
                             save();
                     });
    if (kind == session::FileKind::Trace) // which is read beside, however long that takes
        QObject::connect(&window, &MainWindow::opened, &window, save);
    window.open(file);
}

} // namespace pipescope::app
