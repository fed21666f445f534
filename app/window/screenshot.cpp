#include "screenshot.h"

#include "plan/plan_file.h"

#include <QCoreApplication>
#include <QPixmap>
#include <QRegularExpression>
#include <QTimer>
#include <cstdio>

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
                    mainwindow::MainWindow::Perspective perspective)
{
    session::RunController &controller = window.controller();
    const bool runs = plan::looksLikePlan(file.toStdString());
    const auto save = [&window, picture, perspective] {
        window.show(perspective);
        // What has just changed is laid out first, the graph in its own thread.
        QTimer::singleShot(500, &window, [&window, picture] {
            const bool saved = window.grab().save(picture);
            end(saved ? "" : "cannot write '" + picture.toStdString() + "'");
        });
    };
    QObject::connect(&controller, &session::RunController::failed, &window,
                     [&controller] { end(controller.lastError()->message); });
    QObject::connect(&controller, &session::RunController::finished, &window, save);
    QObject::connect(&window.document(), &session::Document::modelChanged, &window, [&window, &controller, runs, save] {
        const auto model = window.document().model();
        if (!model)
            return;
        if (model->structureOnly && !model->loadRefused)
            controller.look(session::RunController::Look::Loading);
        else if (runs)
            QTimer::singleShot(0, &controller, &session::RunController::run);
        else
            save();
    });
    if (!window.open(file))
        QTimer::singleShot(0, &window, [file] { end("cannot open '" + file.toStdString() + "'"); });
}

} // namespace pipescope::app
