// A call of the program from outside, and what came back.
#pragma once

#include <QProcess>
#include <QString>
#include <QStringList>
#include <nlohmann/json.hpp>
#include <string>

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

/// Waits for the program, which runs in `folder`. A crash gives a negative exit code.
inline CliOutcome callCli(const QString &folder, const QStringList &arguments)
{
    QProcess process;
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
