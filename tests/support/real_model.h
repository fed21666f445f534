// Model files that others made, which the repository does not hold.
#pragma once

#include <QString>
#include <filesystem>
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

} // namespace pipescope::tests
