// The desktop program.

#include "end_signals.h"
#include "first_paint.h"
#include "graphview/graph_canvas.h"
#include "mainwindow/desktop_theme.h"
#include "mainwindow/main_window.h"
#include "mainwindow/settings_dialog.h"
#include "platform.h"
#include "screenshot.h"
#include "session/engine_command.h"
#include "session/file_kind.h"
#include "session/settings_copy.h"
#include "style/icon.h"
#include "tell.h"
#include "widgets/window_style.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QSettings>
#include <QTemporaryDir>
#include <array>
#include <cmath>
#include <csignal>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace pipescope::app {

namespace {

using graphview::Overlay;
using mainwindow::MainWindow;

/// As the box above the graph has them.
constexpr std::array OverlayNames{std::pair("Stages", Overlay::Stage), std::pair("Time", Overlay::Time),
                                  std::pair("Memory", Overlay::Memory), std::pair("Parameters", Overlay::Parameters)};

std::optional<Overlay> overlayOf(const QString &name)
{
    for (const auto &[known, overlay] : OverlayNames)
        if (name == QLatin1String(known))
            return overlay;
    return std::nullopt;
}

/// What the command line asks for.
struct Wish
{
    QString file;  ///< "" for none
    QString theme; ///< "" for the one set
    QSize size;
    QString picture;                                    ///< "" for none
    std::optional<mainwindow::Perspective> perspective; ///< nullopt where none of that name is
    std::optional<Overlay> overlay;                     ///< nullopt where none of that name is
    bool trusts = false;                                ///< the file may run
    bool readsOnly = false;                             ///< nor may it for a picture
    bool endsOncePainted = false;
    QString problem; ///< of the command line itself, as a clause
};

/// Pixels of a screen for one of a size; 1 where there are none, as for --help.
qreal densityOfScreens()
{
    const auto *application = qobject_cast<const QGuiApplication *>(QCoreApplication::instance());
    return application ? application->devicePixelRatio() : 1;
}

QString problemOf(const QCommandLineParser &parser, const Wish &wish)
{
    if (!parser.errorText().isEmpty())
        return parser.errorText();
    if (parser.isSet("theme") && wish.theme != "dark" && wish.theme != "light")
        return QStringLiteral("--theme: expected dark or light, not '%1'").arg(wish.theme);
    if (wish.size.isEmpty())
        return QStringLiteral(
                   "--size: expected a size like 1280x800, of at most %2 each way and %3 million pixels, not "
                   "'%1'")
            .arg(parser.value("size"))
            .arg(app::MostSide)
            .arg(app::MostPixels / 1'000'000);
    const qreal density = densityOfScreens();
    if (parser.isSet("screenshot") && !app::isDrawable(wish.size * density))
        return QStringLiteral("--size: %1 is %2x%3 pixels at a scale factor of %4; a picture has at most %5 each way "
                              "and %6 million")
            .arg(parser.value("size"))
            .arg(std::lround(wish.size.width() * density))
            .arg(std::lround(wish.size.height() * density))
            .arg(density)
            .arg(app::MostSide)
            .arg(app::MostPixels / 1'000'000);
    if (!wish.perspective)
        return QStringLiteral("--perspective: expected %1, not '%2'")
            .arg(mainwindow::perspectiveNames(), parser.value("perspective"));
    if (!wish.overlay)
        return QStringLiteral("--overlay: expected Stages, Time, Memory or Parameters, not '%1'")
            .arg(parser.value("overlay"));
    if (parser.positionalArguments() == QStringList{QString()})
        return QStringLiteral("FILE: expected the name of a file, not ''");
    if (parser.positionalArguments().size() > 1)
        return QStringLiteral("one FILE at a time, not %1").arg(parser.positionalArguments().size());
    for (const char *option : {"screenshot", "trust"})
        if (parser.isSet(option) && wish.file.isEmpty())
            return QStringLiteral("--%1 needs a FILE").arg(option);
    if (parser.isSet("screenshot") && !wish.picture.endsWith(".png", Qt::CaseInsensitive))
        return QStringLiteral("--screenshot: expected a file that ends in .png, not '%1'").arg(wish.picture);
    if (parser.isSet("structure-only") && !parser.isSet("screenshot"))
        return QStringLiteral("--structure-only is for --screenshot; in the window nothing runs before it is trusted");
    return {};
}

Wish readWish()
{
    QCommandLineParser parser;
    parser.setApplicationDescription("See a PyTorch model, place the splits, run them, read the bubbles.");
    parser.addPositionalArgument("FILE", "A TorchScript model, a plan or a trace", "[FILE]");
    parser.addOption({"trust", "Load FILE, and so run code in it, without a question"});
    parser.addOption({"theme", "dark or light, in place of the one set", "NAME"});
    parser.addOption({"screenshot",
                      "Load FILE, profile and run it where it is a plan, save a picture of the window, and end",
                      "PNG"});
    parser.addOption({"structure-only", "For --screenshot: load and run nothing"});
    parser.addOption({"perspective", mainwindow::perspectiveNames() + ", for --screenshot", "NAME",
                      mainwindow::rowOf(mainwindow::Perspective::Split).name});
    parser.addOption(
        {"overlay", "Stages, Time, Memory or Parameters, on the graph, for --screenshot", "NAME", "Stages"});
    parser.addOption({"size", "Of the window, like 1280x800", "WxH", "1280x800"});
    QCommandLineOption firstPaint("quit-after-first-paint", "End once the window, or FILE's graph, is painted");
    firstPaint.setFlags(QCommandLineOption::HiddenFromHelp);
    parser.addOption(firstPaint);
    const QCommandLineOption help = parser.addHelpOption();
    const QCommandLineOption version = parser.addVersionOption();
    parser.parse(QCoreApplication::arguments()); // process() would end with 1, which means something else here
    if (parser.isSet(version))
        parser.showVersion();
    if (parser.isSet(help))
        parser.showHelp();
    Wish wish;
    wish.file = parser.positionalArguments().value(0);
    wish.theme = parser.value("theme");
    wish.size = app::parseSize(parser.value("size"));
    wish.picture = parser.value("screenshot");
    wish.perspective = mainwindow::findPerspective(parser.value("perspective"));
    wish.overlay = overlayOf(parser.value("overlay"));
    wish.trusts = parser.isSet("trust");
    wish.readsOnly = parser.isSet("structure-only");
    wish.endsOncePainted = parser.isSet(firstPaint);
    wish.problem = problemOf(parser, wish);
    return wish;
}

/// The user's; where they cannot be read, those of a first start, which are forgotten.
std::unique_ptr<QSettings> openSettings(const QTemporaryDir &nothingSet)
{
    if (const QString found = session::notAFile(session::settingsFiles()); !found.isEmpty()) {
        app::tellWarning(QStringLiteral("'%1' is not a regular file: the settings are those of a first start, and what "
                                        "is changed is not kept")
                             .arg(found)
                             .toStdString());
        return std::make_unique<QSettings>(nothingSet.filePath("none.ini"), QSettings::IniFormat);
    }
    session::keepCopyOfSettings(QSettings().fileName());
    return std::make_unique<QSettings>();
}

const style::Theme &themeFor(const Wish &wish, const QSettings &settings)
{
    const QString name = wish.theme.isEmpty() ? settings.value(mainwindow::ThemeKey).toString() : wish.theme;
    const bool isDark = name == "dark" || (name != "light" && mainwindow::isDesktopDark());
    return isDark ? style::Theme::dark() : style::Theme::light();
}

/// Of what is opened this file only, and this once.
void trust(MainWindow &window, const QString &file)
{
    const auto load = [&window, file](const QString &opened) {
        const auto model = window.document().model();
        const bool isOnlyRead = model && model->structureOnly && !model->loadRefused;
        if (isOnlyRead && !window.controller().isLooking() && session::isSameFile(opened, file))
            window.controller().look(session::RunController::Look::Loading);
    };
    const auto loadOnceRead = [&window, load](const QString &opened) {
        const auto model = window.document().model();
        if (!model || !model->hashLeftOut)
            return load(opened);
        // A large file is shown before it is read to its end.
        QObject::connect(
            &window.document(), &session::Document::modelChanged, &window, [load, opened] { load(opened); },
            Qt::SingleShotConnection);
    };
    QObject::connect(&window, &MainWindow::opened, &window, loadOnceRead, Qt::SingleShotConnection);
}

/// Until its end; its exit code.
int runWindow(const Wish &wish, bool isPicture)
{
    const QTemporaryDir nothingSet;
    const std::unique_ptr<QSettings> opened = openSettings(nothingSet);
    QSettings &settings = *opened;
    QApplication::setStyle(new widgets::WindowStyle); // the application's from then on
    const style::Theme &theme = themeFor(wish, settings);
    mainwindow::WindowPlaces places;
    places.example = session::ExamplePlaces::ofThisProgram();
    if (!isPicture) // which edits nothing
        places.recovery = session::recoveryFolder();
    const auto link = [&settings] { return session::makeEngineLink(settings); };
    // A picture shows the window as it is at first, whatever the user has made of it.
    QSettings firstSettings(nothingSet.filePath("settings.ini"), QSettings::IniFormat);
    MainWindow window(link, isPicture ? firstSettings : settings, theme, places);
    window.resize(wish.size);
    if (wish.endsOncePainted)
        app::endAfterFirstPaint(window, wish.file.isEmpty() ? app::Painted::Window
                                        : wish.trusts       ? app::Painted::Model
                                                            : app::Painted::Structure);
    window.show();
    if (isPicture) {
        window.findChild<graphview::GraphCanvas *>()->setOverlay(*wish.overlay);
        app::takeScreenshot(window, wish.file, wish.picture, wish.size, *wish.perspective,
                            wish.readsOnly ? app::Depth::Structure : app::Depth::Run);
        return QApplication::exec();
    }
    if (wish.theme.isEmpty())
        window.followTheme();
    app::endOnSignals([&window] {
        window.leave();
        window.hide(); // an engine that is saving has its time yet
    });
    window.offerRecovery();
    if (wish.trusts)
        trust(window, wish.file);
    if (!wish.file.isEmpty())
        window.open(wish.file);
    return QApplication::exec();
}

int runProgram(int argc, char **argv)
{
    QCoreApplication::setApplicationName("pipescope");
    QCoreApplication::setApplicationVersion(PIPESCOPE_VERSION);
    if (app::wantsWords(argc, argv)) {
        const QCoreApplication asked(argc, argv);
        readWish(); // answers and ends, unless the word was a value of another option
    }
    if (const std::string problem = app::problemOfBytes(argc, argv); !problem.empty()) {
        app::tellError(problem);
        return 2;
    }
    const bool isPicture = app::wantsPicture(argc, argv);
    app::choosePlatform(isPicture);
    const QApplication application(argc, argv);
    QCoreApplication::setOrganizationName("pipescope");
    QGuiApplication::setDesktopFileName("org.pipescope.Pipescope");
    QGuiApplication::setWindowIcon(style::programIcon());
    const Wish wish = readWish();
    if (!wish.problem.isEmpty()) {
        app::tellError(wish.problem.toStdString());
        return 2;
    }
    return runWindow(wish, isPicture);
}

} // namespace

} // namespace pipescope::app

int main(int argc, char **argv)
{
    std::signal(SIGXFSZ, SIG_IGN); // a file that may not grow is seen by the failed write, and tidied up after
    return pipescope::app::runProgram(argc, argv);
}
