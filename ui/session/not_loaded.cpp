#include "session/not_loaded.h"

#include "ops/mobile.h"
#include "ops/operator.h"
#include "session/translate.h"

#include <QStringList>
#include <algorithm>
#include <string>
#include <utility>

namespace pipescope::session {

namespace {

constexpr std::size_t MostNamed = 5;
constexpr qsizetype LongestName = 80;

} // namespace

QString unknownOperators(const report::Inspection &model)
{
    const std::vector<std::string> &unknown = model.unknownOperators;
    QStringList names;
    for (std::size_t i = 0; i < std::min(unknown.size(), MostNamed); ++i) {
        const QString name = QString::fromStdString(unknown[i]);
        names << (name.size() > LongestName ? name.left(LongestName) + QChar(0x2026) : name);
    }
    const QString listed = names.join(QStringLiteral(", "));
    return unknown.size() > MostNamed ? tr("%1 and %2 more").arg(listed).arg(unknown.size() - MostNamed) : listed;
}

bool needsOtherTorch(const report::Inspection &model)
{
    const std::vector<std::string> &unknown = model.unknownOperators;
    return std::any_of(unknown.begin(), unknown.end(), ops::isTorchsOwn);
}

bool isForMobile(const report::Inspection &model)
{
    const std::vector<std::string> &unknown = model.unknownOperators;
    return std::any_of(unknown.begin(), unknown.end(), ops::isForMobile);
}

QString whyNotRun(const report::Inspection &model)
{
    if (!model.structureOnly)
        return {};
    if (!model.loadRefused)
        return tr("Only the structure was read: trust and load the model first.");
    if (model.unknownOperators.empty())
        return tr("LibTorch cannot load this file: only its structure can be seen.");
    if (needsOtherTorch(model))
        return tr("LibTorch does not know %1: another version of PyTorch wrote this file.")
            .arg(unknownOperators(model));
    if (isForMobile(model))
        return tr("LibTorch does not know %1: the model was made for phones; save it again without "
                  "optimize_for_mobile.")
            .arg(unknownOperators(model));
    return tr("LibTorch does not know %1: load the library that registers it with the model first.")
        .arg(unknownOperators(model));
}

QString whyNotSplit(const report::Inspection &model)
{
    if (!model.structureOnly)
        return {};
    return model.loadRefused ? tr("LibTorch cannot load this file: it can be looked at, and not be split.")
                             : tr("Not loaded: trust and load it to place splits.");
}

std::shared_ptr<const std::vector<partition::SplitPoint>>
splitPointsOf(const std::shared_ptr<const report::Inspection> &model)
{
    if (!model->structureOnly)
        return {model, &model->splitPoints};
    const std::string reason = whyNotSplit(*model).toStdString();
    auto refused = std::make_shared<std::vector<partition::SplitPoint>>();
    for (int position = 1; position < model->graph.size(); ++position) {
        const graph::Node &node = model->graph.at(position);
        refused->push_back({node.name, node.fqn, {position, false, reason, {}}});
    }
    return refused;
}

} // namespace pipescope::session
