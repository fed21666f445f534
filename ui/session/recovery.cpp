#include "session/recovery.h"

#include "plan/plan_file.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSaveFile>
#include <QStandardPaths>
#include <utility>

namespace pipescope::session {

namespace {

constexpr qint64 MostCopyBytes = qint64{32} << 20;
constexpr int FormatVersion = 1;
constexpr auto VersionKey = "pipescopeRecovery";

Error unreadable(const QString &file, const QString &why)
{
    return {ErrorCode::InvalidFile,
            QCoreApplication::translate("Recovery", "cannot recover a plan from '%1': %2").arg(file, why).toStdString(),
            file.toStdString(),
            {}};
}

} // namespace

void LeftBehind::discard() const
{
    QFile::remove(file);
    lock->unlock();
}

QString recoveryFolder()
{
    // Qt 6.7 has StateLocation; what it stands for is the same here.
    const QString state = qEnvironmentVariable("XDG_STATE_HOME", QDir::homePath() + "/.local/state");
    return state + "/pipescope/recovery";
}

Status writeRecovery(const QString &file, const RecoveredPlan &recovered)
{
    QJsonObject object;
    object[VersionKey] = FormatVersion;
    object["planPath"] = recovered.planPath;
    object["written"] = recovered.written.toString(Qt::ISODateWithMs);
    object["plan"] = QString::fromStdString(plan::toJson(recovered.plan));
    QSaveFile save(file);
    save.setDirectWriteFallback(false);
    const QByteArray bytes = QJsonDocument(object).toJson();
    // Before Qt 6.7 commit() puts an empty file there where what is buffered finds no room: it is written before.
    if (QDir().mkpath(QFileInfo(file).path()) && save.open(QIODevice::WriteOnly) && save.write(bytes) == bytes.size() &&
        save.flush() && save.commit())
        return Success{};
    return Error{ErrorCode::WriteFailed,
                 QCoreApplication::translate("Recovery", "cannot keep a copy of the plan in '%1': %2")
                     .arg(file, save.errorString())
                     .toStdString(),
                 file.toStdString(),
                 {}};
}

Result<RecoveredPlan> readRecovery(const QString &file)
{
    QFile read(file);
    if (!QFileInfo(file).isFile() || !read.open(QIODevice::ReadOnly))
        return unreadable(file, QCoreApplication::translate("Recovery", "it cannot be read"));
    const QByteArray bytes = read.read(MostCopyBytes + 1);
    if (bytes.size() > MostCopyBytes)
        return unreadable(file, QCoreApplication::translate("Recovery", "it is too long"));
    const QJsonObject object = QJsonDocument::fromJson(bytes).object();
    if (object[VersionKey].toInt() != FormatVersion || !object["plan"].isString())
        return unreadable(file, QCoreApplication::translate("Recovery", "it is no recovery file of this version"));
    const Result<plan::Plan> plan = plan::parsePlan(object["plan"].toString().toStdString());
    if (!plan)
        return unreadable(file, QString::fromStdString(plan.error().message));
    return RecoveredPlan{*plan, object["planPath"].toString(),
                         QDateTime::fromString(object["written"].toString(), Qt::ISODateWithMs)};
}

std::vector<LeftBehind> findLeftBehind(const QString &folder, QStringList *problems, std::size_t most)
{
    std::vector<LeftBehind> found;
    const QFileInfoList files = QDir(folder).entryInfoList({"*.json"}, QDir::Files, QDir::Time);
    for (const QFileInfo &file : files) {
        if (found.size() == most)
            break;
        const QString path = file.filePath();
        auto lock = std::make_shared<QLockFile>(path + ".lock");
        lock->setStaleLockTime(0); // a window may live for weeks: only one whose process is gone is left behind
        if (!lock->tryLock(0))
            continue;
        const Result<RecoveredPlan> recovered = readRecovery(path);
        if (recovered) {
            found.push_back({*recovered, path, std::move(lock)});
            continue;
        }
        QFile::remove(path + ".unreadable");
        QFile::rename(path, path + ".unreadable");
        if (problems != nullptr)
            problems->append(QString::fromStdString(recovered.error().message));
    }
    return found;
}

} // namespace pipescope::session
