#include "session/file_kind.h"

#include "plan/plan_file.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

namespace pipescope::session {

FileKind fileKind(const QString &path)
{
    QFile file(path);
    if (!QFileInfo(path).isFile() || !file.open(QIODevice::ReadOnly))
        return FileKind::Missing;
    if (plan::looksLikePlan(path.toStdString()))
        return FileKind::Plan;
    QByteArray head = file.read(4096);
    if (head.startsWith("\xef\xbb\xbf"))
        head.remove(0, 3);
    head = head.trimmed();
    // TorchScript is a zip archive or a pickle: neither begins like JSON, and the one other JSON there is are traces,
    // an object or a bare list of events.
    return head.startsWith('{') || head.startsWith('[') ? FileKind::Trace : FileKind::Model;
}

bool isSameFile(const QString &a, const QString &b)
{
    const QFileInfo first(a);
    const QFileInfo second(b);
    if (first.exists() && second.exists())
        return first == second;
    return QDir::cleanPath(first.absoluteFilePath()) == QDir::cleanPath(second.absoluteFilePath());
}

QString fileName(const std::string &path)
{
    return QFileInfo(QString::fromStdString(path)).fileName();
}

} // namespace pipescope::session
