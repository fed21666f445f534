#include "mainwindow/error_places.h"

#include "session/source_text.h"

#include <QHash>
#include <QRegularExpression>
#include <algorithm>
#include <string>

namespace pipescope::mainwindow {

namespace {

constexpr std::size_t MostDetails = 8192; // a traceback names the same lines again and again

QString text(const std::string &utf8)
{
    return QString::fromStdString(utf8);
}

/// Names and what they stand for.
QHash<QString, session::Selected> namesOf(const graph::ModelGraph &graph)
{
    QHash<QString, session::Selected> names;
    for (const graph::ModuleInfo &module : graph.modules)
        if (!module.fqn.empty())
            names.insert(text(module.fqn), session::SelectedModule{module.fqn, 0});
    for (const graph::Node &node : graph.nodes) {
        names.insert(text(node.name), node.id);
        if (const QString source = session::sourceText(node.source); !source.isEmpty() && !names.contains(source))
            names.insert(source, node.id);
    }
    return names;
}

/// As a traceback writes it, `File "code/model.py", line 12`, too.
QString normalized(QString text)
{
    static const QRegularExpression traceback(QStringLiteral("File \"(?:[^\"]*/)?([^\"/]+)\", line (\\d+)"));
    static const QRegularExpression folders(QStringLiteral("[^\\s(\"']*/([^\\s/]+\\.py:\\d+)"));
    return text.replace(traceback, QStringLiteral(" \\1:\\2 ")).replace(folders, QStringLiteral("\\1"));
}

} // namespace

std::vector<ErrorPlace> placesOf(const Error &error, const graph::ModelGraph &graph, int stages, std::size_t most)
{
    static const QRegularExpression words(QStringLiteral("\\bstage ?(\\d{1,6})\\b|[^\\s'\"`(),;<>\\[\\]]+"),
                                          QRegularExpression::CaseInsensitiveOption);
    const QHash<QString, session::Selected> names = namesOf(graph);
    const QString searched =
        normalized(text(error.where + '\n' + error.message + '\n' + error.details.substr(0, MostDetails)));
    std::vector<ErrorPlace> places;
    for (auto found = words.globalMatch(searched); found.hasNext() && places.size() < most;) {
        const QRegularExpressionMatch match = found.next();
        ErrorPlace place;
        place.text = match.captured(0);
        if (match.hasCaptured(1)) {
            if (const int stage = match.captured(1).toInt(); stage < stages)
                place.selected = StageId{stage};
        } else {
            while (!names.contains(place.text) && (place.text.endsWith('.') || place.text.endsWith(':')))
                place.text.chop(1);
            place.selected = names.value(place.text);
        }
        if (place.selected != session::Selected() && std::find(places.begin(), places.end(), place) == places.end())
            places.push_back(place);
    }
    return places;
}

} // namespace pipescope::mainwindow
