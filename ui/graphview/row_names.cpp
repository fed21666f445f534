#include "graphview/row_names.h"

#include <QHash>
#include <algorithm>
#include <utility>

namespace pipescope::graphview {

namespace {

bool isItem(const QString &part)
{
    return !part.isEmpty() && part.front().isDigit();
}

/// Whether there was more to say.
bool addModule(RowName &name)
{
    const auto parts = static_cast<int>(name.path.size());
    if (name.shown >= parts)
        return false;
    do {
        ++name.shown;
    } while (name.shown < parts && isItem(name.path[parts - name.shown]));
    return true;
}

bool addOrdinal(RowName &name)
{
    return !std::exchange(name.hasOrdinal, true) && !name.ordinal.isEmpty();
}

/// Of rows that read alike; whether there was more to say of any.
bool sayMore(std::vector<RowName> &names, const std::vector<std::size_t> &alike)
{
    const bool isOneModule = std::all_of(alike.begin(), alike.end(),
                                         [&](std::size_t row) { return names[row].path == names[alike.front()].path; });
    bool changed = false;
    for (const std::size_t row : alike)
        changed = (isOneModule ? addOrdinal(names[row]) : addModule(names[row])) || changed;
    return changed;
}

} // namespace

QString RowName::text() const
{
    const QString around = path.mid(path.size() - shown).join(QLatin1Char('.'));
    const QString between = around.isEmpty() || operatorName.isEmpty() ? QString() : QStringLiteral("/");
    return around + between + operatorName + (hasOrdinal ? ordinal : QString()) + end;
}

void tellApart(std::vector<RowName> &names)
{
    for (bool changed = true; changed;) {
        QHash<QString, std::vector<std::size_t>> rows;
        for (std::size_t row = 0; row < names.size(); ++row)
            rows[names[row].text()].push_back(row);
        changed = false;
        for (const std::vector<std::size_t> &alike : std::as_const(rows))
            changed = (alike.size() > 1 && sayMore(names, alike)) || changed;
    }
}

} // namespace pipescope::graphview
