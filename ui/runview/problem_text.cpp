#include "runview/problem_text.h"

#include "runview/translate.h"

#include <QFileInfo>
#include <QRegularExpression>
#include <algorithm>

namespace pipescope::runview {

namespace {

/// Runs say "stage 2, microbatch 3, layers.0/aten::linear: ..." or "stage2, ...".
int numberAfter(const QString &message, const QString &word)
{
    const QRegularExpressionMatch match =
        QRegularExpression(QStringLiteral("\\b%1 ?(\\d{1,9})\\b").arg(word)).match(message);
    return match.hasMatch() ? match.captured(1).toInt() : -1;
}

const graph::Node *nodeNamed(const graph::ModelGraph *graph, const std::string &name)
{
    if (graph == nullptr || name.empty())
        return nullptr;
    const auto found = std::find_if(graph->nodes.begin(), graph->nodes.end(),
                                    [&](const graph::Node &node) { return node.name == name; });
    return found == graph->nodes.end() ? nullptr : &*found;
}

int inputNamed(const graph::ModelGraph *graph, const std::string &name)
{
    if (graph == nullptr)
        return -1;
    const auto &arguments = graph->arguments;
    const auto found = std::find_if(arguments.begin(), arguments.end(),
                                    [&](const graph::Argument &argument) { return argument.name == name; });
    return found == arguments.end() ? -1 : static_cast<int>(std::distance(arguments.begin(), found));
}

} // namespace

Problem problemOf(const Error &error, const graph::ModelGraph *graph, session::RunId run)
{
    Problem problem;
    problem.sentence = QString::fromStdString(error.message);
    problem.details = QString::fromStdString(error.details);
    if (const graph::Node *node = nodeNamed(graph, error.where)) {
        problem.places.push_back({QString::fromStdString(node->name), node->id, -1});
        if (!node->source.file.empty())
            problem.source = QStringLiteral("%1:%2: %3")
                                 .arg(QFileInfo(QString::fromStdString(node->source.file)).fileName())
                                 .arg(node->source.line)
                                 .arg(QString::fromStdString(node->source.text).section(QLatin1Char('\n'), 0, 0));
    }
    if (const int input = inputNamed(graph, error.where); input >= 0)
        problem.places.push_back({tr("input %1").arg(QString::fromStdString(error.where)), {}, input});
    const StageId stage{numberAfter(problem.sentence, QStringLiteral("stage"))};
    if (!stage.valid())
        return problem;
    problem.places.push_back({tr("stage %1").arg(stage.value), stage, -1});
    if (const MicrobatchId microbatch{numberAfter(problem.sentence, QStringLiteral("microbatch"))};
        microbatch.valid()) {
        // An error says no kind of action. Runs do forwards only.
        const session::SelectedAction action{run, {schedule::ActionKind::Forward, stage, microbatch}};
        problem.places.push_back({tr("microbatch %1").arg(microbatch.value), action, -1});
    }
    return problem;
}

} // namespace pipescope::runview
