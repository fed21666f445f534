// Names of rows that stand in one list without the modules around them: as short as tells each from all others.
#pragma once

#include <QString>
#include <QStringList>
#include <vector>

namespace pipescope::graphview {

/// A module, or a node: its module, and the operator there.
struct RowName
{
    QStringList path;        ///< parts of a module's FQN
    int shown = 0;           ///< how many of its last parts are written
    QString operatorName;    ///< "add"; "" of a module
    QString end;             ///< ", call 2" of a module's second call
    QString ordinal;         ///< "#1" of a module's second node of that operator; "" of its first
    bool hasOrdinal = false; ///< whether that is written

    /// "add", "h.3/add#1", "mlp.c_fc".
    [[nodiscard]] QString text() const;
};

/// Rows of equal text get the nearest module's name in front, and the next one's, until they differ: "c_attn/linear"
/// and "c_proj/linear". Those of one module get their ordinal: "add" and "add#1". A list's item is never without its
/// list.
void tellApart(std::vector<RowName> &names);

} // namespace pipescope::graphview
