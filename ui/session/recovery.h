// What an autosaved plan looks like on disk, and finding those that a window left behind when it ended without saying
// goodbye. A file stands beside a lock; the lock is held as long as its window lives, so that no other takes it for
// left behind.
#pragma once

#include "base/result.h"
#include "plan/plan.h"

#include <QDateTime>
#include <QLockFile>
#include <QString>
#include <memory>
#include <vector>

namespace pipescope::session {

struct RecoveredPlan
{
    plan::Plan plan;
    QString planPath;  ///< of the user's own file; "" for a plan that was never saved
    QDateTime written; ///< when

    friend bool operator==(const RecoveredPlan &, const RecoveredPlan &) = default;
};

/// One that was found. Nobody else finds it while this lives.
struct LeftBehind
{
    RecoveredPlan recovered;
    QString file;
    std::shared_ptr<QLockFile> lock;

    /// Deletes the file: it was restored, or is not wanted.
    void discard() const;
};

/// "<folder>/recovery" of the user's state; made when something is written.
[[nodiscard]] QString recoveryFolder();

/// Writes it whole or not at all. Error: WriteFailed.
Status writeRecovery(const QString &file, const RecoveredPlan &recovered);
/// Bounded and checked, as any file. Error: InvalidFile.
Result<RecoveredPlan> readRecovery(const QString &file);

/// Newest first, and so many; older ones stay for another time. Files that cannot be read are set aside under the name
/// "<file>.unreadable" and told in `problems`.
inline constexpr std::size_t MostLeftBehind = 20;
[[nodiscard]] std::vector<LeftBehind> findLeftBehind(const QString &folder, QStringList *problems = nullptr,
                                                     std::size_t most = MostLeftBehind);

} // namespace pipescope::session
