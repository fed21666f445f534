// What a file is that the user opens or drops, told by its content and not by its name; and how it is called.
#pragma once

#include <QString>
#include <string>

namespace pipescope::session {

enum class FileKind {
    Missing, ///< no file, or one that may not be read
    Plan,
    Trace, ///< Chrome JSON
    Model, ///< anything else: whether it is one, the engine says
};

/// Reads its beginning only.
[[nodiscard]] FileKind fileKind(const QString &path);

/// Whether two paths lead to one file. Of two that lead nowhere, whether they are the same path: QFileInfo calls all
/// such equal.
[[nodiscard]] bool isSameFile(const QString &a, const QString &b);

/// "mlp.pt", without its folders.
[[nodiscard]] QString fileName(const std::string &path);

} // namespace pipescope::session
