// Model files that others made, which the repository does not hold.
#pragma once

#include <QString>
#include <QTest>
#include <filesystem>
#include <initializer_list>
#include <string>

namespace pipescope::tests {

/// The path of a file in $PIPESCOPE_MODELS or else in shared/models beside the checkout; "" where it is in neither.
inline std::string realModel(const char *name)
{
    const std::string folder = qEnvironmentVariable("PIPESCOPE_MODELS").toStdString();
    for (const std::filesystem::path &place :
         {std::filesystem::path(folder), std::filesystem::path(PIPESCOPE_SOURCE_DIR) / ".." / "shared" / "models"}) {
        if (!place.empty() && std::filesystem::exists(place / name))
            return (place / name).string();
    }
    return {};
}

/// For initTestCase() of a class that needs these files: skips the whole class where one is missing. Such a class holds
/// nothing else, so that what is skipped is never taken for tested.
inline void needRealModels(std::initializer_list<const char *> names)
{
    for (const char *name : names)
        if (realModel(name).empty())
            QSKIP(qPrintable(QStringLiteral("%1 is not here: put it into $PIPESCOPE_MODELS").arg(name)));
}

} // namespace pipescope::tests
