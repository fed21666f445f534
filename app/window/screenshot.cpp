#include "screenshot.h"

#include "session/file_kind.h"

#include <QCoreApplication>
#include <QPixmap>
#include <QRegularExpression>
#include <QTimer>
#include <cstdio>
#include <string>

namespace pipescope::app {

namespace {

void end(const std::string &problem)
{
    if (!problem.empty())
        std::fprintf(stderr, "pipescope: error: %s\n", problem.c_str());
    QCoreApplication::exit(problem.empty() ? 0 : 2);
}

} // namespace

QSize parseSize(const QString &text)
{
    static const QRegularExpression form(QStringLiteral("^([1-9][0-9]{0,4})x([1-9][0-9]{0,4})$"));
    const QRegularExpressionMatch match = form.match(text);
    return match.hasMatch() ? QSize(match.captured(1).toInt(), match.captured(2).toInt()) : QSize();
}

void takeScreenshot(mainwindow::MainWindow &window, const QString &file, const QString &picture,
                    mainwindow::MainWindow::Perspective perspective, Depth depth)
{
    using mainwindow::MainWindow;
    using session::RunController;
    RunController &controller = window.controller();
    const session::FileKind kind = session::fileKind(file);
    // A trace has nothing to show but its timeline.
    const auto shown = kind == session::FileKind::Trace ? MainWindow::Perspective::Timeline : perspective;
    const auto save = [&window, picture, shown] {
        window.show(shown);
        // What has just changed is laid out first, the graph in its own thread.
        QTimer::singleShot(500, &window, [&window, picture] {
            const bool saved = window.grab().save(picture);
            end(saved ? "" : "cannot write '" + picture.toStdString() + "'");
        });
    };
    QObject::connect(&controller, &RunController::failed, &window,
                     [&controller] { end(controller.lastError()->message); });
    QObject::connect(&controller, &RunController::finished, &window, save);
    QObject::connect(&window, &MainWindow::openFailed, &window, [&window](const Error &error) {
        // Late: it can fail before there is an event loop to end.
        QTimer::singleShot(0, &window, [message = error.message] { end(message); });
    });
    QObject::connect(
        &window.document(), &session::Document::modelChanged, &window, [&window, &controller, kind, depth, save] {
            const auto model = window.document().model();
            if (!model)
                return;
            if (depth == Depth::Structure)
                save();
            else if (model->structureOnly && !model->loadRefused)
                controller.look(RunController::Look::Loading);
            else if (kind == session::FileKind::Plan && !model->profiled && !window.document().plan().inputs.empty())
                controller.profile();
            else if (kind == session::FileKind::Plan)
                QTimer::singleShot(0, &controller, &RunController::run);
            else
                save();
        });
    if (kind == session::FileKind::Trace) // which is read beside, however long that takes
        QObject::connect(&window, &MainWindow::opened, &window, save);
    window.open(file);
}

} // namespace pipescope::app
