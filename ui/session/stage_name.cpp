#include "session/stage_name.h"

#include "session/translate.h"

#include <algorithm>

namespace pipescope::session {

namespace {

/// "blocks.3" has the number 3 below "blocks"; -1 for any other name.
int numberOf(const QString &fqn)
{
    bool isNumber = false;
    const int number = fqn.mid(fqn.lastIndexOf('.') + 1).toInt(&isNumber);
    return isNumber && number >= 0 && fqn.contains('.') ? number : -1;
}

QString parentOf(const QString &fqn)
{
    return fqn.left(std::max<qsizetype>(fqn.lastIndexOf('.'), 0));
}

/// What may go from the front of a name: not the word before a number.
QString containerOf(const QString &fqn)
{
    return numberOf(fqn) < 0 ? parentOf(fqn) : parentOf(parentOf(fqn));
}

bool beginsWithNumber(QStringView name)
{
    bool isNumber = false;
    static_cast<void>(name.left(name.indexOf(u'.')).toInt(&isNumber)); // -1 is all of it
    return isNumber;
}

/// Of a model that is a list itself the items are named with its class.
QString withModel(const graph::ModelGraph &graph, const QString &name)
{
    const QString model = QString::fromStdString(graph.modelClass);
    return beginsWithNumber(name) && !model.isEmpty() ? model + '.' + name : name;
}

/// How many letters of the front all have in common, in whole components, and may go: what is left begins with a word.
qsizetype sharedLength(const QStringList &names)
{
    QString shared = containerOf(names.front());
    for (const QString &name : names)
        while (!shared.isEmpty() && !(containerOf(name) + '.').startsWith(shared + '.'))
            shared = parentOf(shared);
    const auto leavesNumber = [&](const QString &name) {
        return beginsWithNumber(QStringView(name).mid(shared.size() + 1));
    };
    if (numberOf(shared) >= 0 || beginsWithNumber(shared)) // which of the items is the most there is to say
        shared = containerOf(shared);
    while (!shared.isEmpty() && std::any_of(names.begin(), names.end(), leavesNumber))
        shared = parentOf(shared);
    return shared.isEmpty() ? 0 : shared.size() + 1;
}

/// "h.0", "h.1", "h.2" become "h.0–2".
QStringList drawnTogether(const QStringList &names)
{
    QStringList parts;
    for (qsizetype i = 0; i < names.size();) {
        qsizetype end = i + 1;
        const int first = numberOf(names[i]);
        while (first >= 0 && end < names.size() && parentOf(names[end]) == parentOf(names[i]) &&
               numberOf(names[end]) == first + static_cast<int>(end - i))
            ++end;
        parts += end - i > 1 ? names[i] + QChar(u'–') + QString::number(numberOf(names[end - 1])) : names[i];
        i = end;
    }
    return parts;
}

} // namespace

std::size_t beginOfName(std::string_view fqn, std::size_t begin)
{
    const auto isNumber = [&] {
        const std::string_view first = fqn.substr(begin, fqn.find('.', begin) - begin);
        return first.find_first_not_of("0123456789") == std::string_view::npos;
    };
    while (begin >= 2 && isNumber()) {
        const std::size_t dot = fqn.rfind('.', begin - 2);
        begin = dot == std::string_view::npos ? 0 : dot + 1;
    }
    return begin;
}

QString moduleName(const graph::ModelGraph &graph, std::string_view fqn)
{
    const std::size_t last = fqn.rfind('.');
    const std::size_t before = last == 0 || last == std::string_view::npos ? last : fqn.rfind('.', last - 1);
    const std::size_t begin = beginOfName(fqn, before == std::string_view::npos ? 0 : before + 1);
    const std::string_view name = fqn.substr(begin);
    return withModel(graph, QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size())));
}

QStringList stageModules(const graph::ModelGraph &graph, const partition::Stage &stage)
{
    QStringList names;
    int covered = stage.begin;
    for (const graph::ModuleCall &call : graph.calls) {
        const bool whole = call.begin >= covered && call.end <= stage.end && call.begin < call.end;
        if (!whole || call.inside.valid() || call.fqn.empty())
            continue;
        covered = call.end;
        if (const QString name = QString::fromStdString(call.fqn); !names.contains(name))
            names += name;
    }
    for (int position = stage.begin; covered == stage.begin && position < stage.end; ++position) {
        const graph::Node &node = graph.at(position);
        const QString name = node.fqn.empty() ? QString::fromStdString(node.op).section(':', -1)
                                              : tr("%1 (part)").arg(QString::fromStdString(node.fqn));
        if (!names.contains(name))
            names += name;
    }
    return names;
}

QString stageName(const graph::ModelGraph &graph, const partition::Stage &stage, int most)
{
    QStringList names = stageModules(graph, stage);
    if (names.isEmpty())
        return {};
    if (names.size() > 1)
        for (const qsizetype shared = sharedLength(names); QString & name : names)
            name.remove(0, shared);
    for (QString &name : names)
        name = withModel(graph, name);
    QStringList parts = drawnTogether(names);
    if (parts.size() <= most)
        return parts.join(QStringLiteral(", "));
    const qsizetype more = parts.size() - (most - 1);
    return parts.mid(0, most - 1).join(QStringLiteral(", ")) + tr(", %1 more").arg(more);
}

} // namespace pipescope::session
