#include "platform.h"

#include "base/shown_text.h"
#include "base/spec_reader.h"

#include <QByteArray>
#include <QLoggingCategory>
#include <QString>
#include <algorithm>
#include <array>
#include <cstdio>
#include <fmt/format.h>
#include <string>
#include <string_view>

namespace pipescope::app {

namespace {

void tellOwn(QtMsgType type, const QMessageLogContext &, const QString &text)
{
    // Remarks of the platform, under no category of their own: on every window, and on a session without a desktop.
    const bool isRemark =
        text.startsWith("This plugin does not support") || text.startsWith("QStandardPaths: XDG_RUNTIME_DIR");
    if (isRemark && type != QtFatalMsg)
        return;
    std::fprintf(stderr, "%s\n", shownLines(text.toStdString()).c_str());
}

} // namespace

bool wantsPicture(int argc, char **argv)
{
    return std::any_of(argv, argv + argc, [](const char *word) {
        const std::string_view text(word);
        return text == "--screenshot" || text.substr(0, 13) == "--screenshot=";
    });
}

bool wantsWords(int argc, char **argv)
{
    constexpr std::array<std::string_view, 6> words{"--help", "--help-all", "-h", "-?", "--version", "-v"};
    return std::any_of(argv, argv + argc, [&](const char *word) {
        return std::find(words.begin(), words.end(), std::string_view(word)) != words.end();
    });
}

void choosePlatform(bool isPicture)
{
    if (!isPicture)
        return;
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QLoggingCategory::setFilterRules(QStringLiteral("qt.qpa.*=false"));
    qInstallMessageHandler(tellOwn);
}

std::string problemOfBytes(int argc, char **argv)
{
    const auto *const found = std::find_if(argv, argv + argc, [](const char *word) { return !isUtf8(word); });
    if (found == argv + argc)
        return {};
    return fmt::format("{} is not UTF-8, which a plan cannot hold; give the file another name", quotedText(*found));
}

} // namespace pipescope::app
