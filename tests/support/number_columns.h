// Which columns of a table stand as numbers do.
#pragma once

#include <QAbstractItemModel>
#include <QStringList>

namespace pipescope::tests {

/// The titles of those aligned to the right, header and first row alike: "nodes|memory".
inline QString numberColumns(const QAbstractItemModel &model)
{
    const auto isRight = [](const QVariant &alignment) { return (alignment.toInt() & Qt::AlignRight) != 0; };
    QStringList titles;
    for (int column = 0; column < model.columnCount(); ++column) {
        const bool header = isRight(model.headerData(column, Qt::Horizontal, Qt::TextAlignmentRole));
        const bool cells = isRight(model.index(0, column).data(Qt::TextAlignmentRole));
        if (header || cells)
            titles << model.headerData(column, Qt::Horizontal).toString() +
                          (header == cells ? QString() : QStringLiteral(" (in part)"));
    }
    return titles.join('|');
}

} // namespace pipescope::tests
