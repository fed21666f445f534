#include "session/plan_place.h"

#include <QDir>
#include <QFileInfo>

namespace pipescope::session {

QString proposedPlanPath(const QString &model, ModelPlace place)
{
    const QFileInfo file(model);
    const QFileInfo beside(file.absolutePath());
    const bool isBeside = place == ModelPlace::Here && !model.isEmpty() && beside.isDir() && beside.isWritable();
    const QString name = file.completeBaseName().isEmpty() ? QStringLiteral("plan") : file.completeBaseName();
    return QDir(isBeside ? beside.filePath() : QDir::homePath()).filePath(name + QStringLiteral(".pipescope.json"));
}

} // namespace pipescope::session
