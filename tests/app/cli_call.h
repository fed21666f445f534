// A call of the program from outside, and what came back.
#pragma once

#include <QFloat16>
#include <QProcess>
#include <QString>
#include <QStringList>
#include <linux/capability.h>
#include <nlohmann/json.hpp>
#include <string>
#include <sys/prctl.h>

namespace pipescope::tests {

struct CliOutcome
{
    int exitCode = -1;
    QString out;
    QString err;

    /// The one JSON object on standard output.
    [[nodiscard]] nlohmann::json object() const { return nlohmann::json::parse(out.toStdString(), nullptr, false); }
    [[nodiscard]] std::string errorMessage() const { return object().at("error").at("message").get<std::string>(); }
    /// What a failing test shows.
    [[nodiscard]] QByteArray shown() const { return (out + err).toUtf8(); }
};

/// Root's for one who is root, or those that everybody has: whom the permissions of files bind.
enum class Rights { Ours, Everybodys };

/// Waits for the program, which runs in `folder`. A crash gives a negative exit code.
inline CliOutcome callCli(const QString &folder, const QStringList &arguments, Rights rights = Rights::Ours)
{
    QProcess process;
    if (rights == Rights::Everybodys)
        process.setChildProcessModifier([] {
            // Of the bounding set, so that root does not get them back with the program. Who is not root has none.
            ::prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE);
            ::prctl(PR_CAPBSET_DROP, CAP_DAC_READ_SEARCH);
        });
    process.setWorkingDirectory(folder);
    process.start(QStringLiteral(PIPESCOPE_CLI), arguments);
    CliOutcome outcome;
    if (!process.waitForFinished(120'000))
        return outcome;
    outcome.exitCode = process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -process.exitCode();
    outcome.out = QString::fromUtf8(process.readAllStandardOutput());
    outcome.err = QString::fromUtf8(process.readAllStandardError());
    return outcome;
}

} // namespace pipescope::tests
