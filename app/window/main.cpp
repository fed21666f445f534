// The desktop program.

#include "first_paint.h"
#include "mainwindow/main_window.h"
#include "screenshot.h"
#include "session/process_link.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QDir>
#include <QPalette>
#include <QProcess>
#include <QSettings>
#include <cstdio>

namespace {

using namespace pipescope;
using Perspective = mainwindow::MainWindow::Perspective;

/// What starts the engine: as set by the user, else the one beside this program.
QStringList engineCommand(const QSettings &settings)
{
    const QStringList set = QProcess::splitCommand(settings.value("engine/command").toString());
    return set.isEmpty() ? QStringList{QDir(QCoreApplication::applicationDirPath()).filePath("pipescope-cli"), "serve"}
                         : set;
}

/// Qt 6.4 does not tell whether the desktop is dark, but its palette shows.
const style::Theme &desktopTheme()
{
    return QGuiApplication::palette().color(QPalette::Window).lightness() < 128 ? style::Theme::dark()
                                                                                : style::Theme::light();
}

} // namespace

int main(int argc, char **argv)
{
    QApplication app(argc, argv);
    QCoreApplication::setApplicationName("pipescope");
    QCoreApplication::setApplicationVersion(PIPESCOPE_VERSION);
    QCoreApplication::setOrganizationName("pipescope");
    QCommandLineParser parser;
    parser.setApplicationDescription("See a PyTorch model, place the splits, run them, read the bubbles.");
    parser.addPositionalArgument("FILE", "A TorchScript model or a plan", "[FILE]");
    parser.addOption({"theme", "dark or light, in place of the desktop's", "NAME"});
    parser.addOption(
        {"screenshot", "Load FILE, run it where it is a plan, save a picture of the window, and end", "PNG"});
    parser.addOption({"perspective", "Split or Timeline, for --screenshot", "NAME", "Split"});
    parser.addOption({"size", "Of the window, like 1280x800", "WxH", "1280x800"});
    QCommandLineOption firstPaint("quit-after-first-paint", "End once the window, or FILE's graph, is painted");
    firstPaint.setFlags(QCommandLineOption::HiddenFromHelp);
    parser.addOption(firstPaint);
    parser.addHelpOption();
    parser.addVersionOption();
    parser.process(app);
    QSettings settings;
    const QString theme = parser.value("theme");
    const style::Theme &chosen = theme == "dark"    ? style::Theme::dark()
                                 : theme == "light" ? style::Theme::light()
                                                    : desktopTheme();
    // The one style of Qt that takes all its colours from the palette.
    QApplication::setStyle("Fusion");
    QApplication::setPalette(chosen.palette());
    const QStringList command = engineCommand(settings);
    mainwindow::MainWindow window([command] { return std::make_unique<session::ProcessLink>(command); }, settings,
                                  chosen);
    const QSize size = app::parseSize(parser.value("size"));
    if (size.isEmpty()) {
        std::fprintf(stderr, "pipescope: error: --size: expected a size like 1280x800\n");
        return 2;
    }
    window.resize(size);
    if (parser.isSet(firstPaint))
        app::endAfterFirstPaint(window,
                                parser.positionalArguments().isEmpty() ? app::Painted::Window : app::Painted::Model);
    window.show();
    if (parser.isSet("screenshot") && parser.positionalArguments().isEmpty()) {
        std::fprintf(stderr, "pipescope: error: --screenshot needs a FILE to show\n");
        return 2;
    }
    if (parser.isSet("screenshot"))
        app::takeScreenshot(window, parser.positionalArguments().first(), parser.value("screenshot"),
                            parser.value("perspective") == "Timeline" ? Perspective::Timeline : Perspective::Split);
    else if (!parser.positionalArguments().isEmpty())
        window.open(parser.positionalArguments().first());
    return QApplication::exec();
}
