#include "mainwindow/user_guide.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

namespace pipescope::mainwindow {

QString userGuidePath()
{
    const QDir here(QCoreApplication::applicationDirPath());
    for (const char *folder : {"../share/doc/pipescope/guide", "../../docs/guide"})
        for (const char *page : {"index.html", "README.md", "index.md"})
            if (const QString path = here.absoluteFilePath(QString(folder) + '/' + page); QFileInfo::exists(path))
                return QDir::cleanPath(path);
    return {};
}

} // namespace pipescope::mainwindow
