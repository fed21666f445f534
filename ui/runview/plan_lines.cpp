#include "runview/plan_lines.h"

#include "plan/devices.h"
#include "runview/translate.h"

#include <QLocale>
#include <QStringList>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pipescope::runview {

namespace {

Error refused(const QString &why)
{
    return {ErrorCode::InvalidArgument, why.toStdString(), {}, {}};
}

/// The shortest that reads back the same, with a dot whatever the locale.
QString numberText(const std::optional<double> &number)
{
    return number ? QString::number(*number, 'g', QLocale::FloatingPointShortest) : QString();
}

QString devicesText(const plan::Plan &plan)
{
    return plan.devices.empty() ? QString() : QString::fromStdString(plan::devicesText(plan.devices));
}

Status takeDevices(plan::Plan &plan, const std::string &typed)
{
    Result<std::vector<std::string>> devices = plan::parseDevices(typed.empty() ? "cpu" : typed);
    if (!devices)
        return devices.error();
    plan.devices = *std::move(devices);
    return Success{};
}

QString tolerancesText(const plan::Plan &plan)
{
    return plan.rtol || plan.atol ? numberText(plan.rtol) + QStringLiteral(", ") + numberText(plan.atol) : QString();
}

Status takeTolerances(plan::Plan &plan, const std::string &typed)
{
    if (typed.empty()) {
        plan.rtol.reset();
        plan.atol.reset();
        return Success{};
    }
    const QStringList parts = QString::fromStdString(typed).split(',');
    bool rtolRead = false;
    bool atolRead = false;
    const double rtol = parts.front().trimmed().toDouble(&rtolRead);
    const double atol = parts.back().trimmed().toDouble(&atolRead);
    if (parts.size() != 2 || !rtolRead || !atolRead)
        return refused(tr("'%1' is not two numbers, relative and absolute, as \"1e-5, 1e-8\" is; leave it empty to "
                          "compare bit by bit")
                           .arg(QString::fromStdString(typed)));
    plan.rtol = rtol;
    plan.atol = atol;
    return Success{};
}

QString outputChunksText(const plan::Plan &plan)
{
    return plan.outputChunks ? QString::fromStdString(toText(*plan.outputChunks)) : QString();
}

Status takeOutputChunks(plan::Plan &plan, const std::string &typed)
{
    if (typed.empty()) {
        plan.outputChunks.reset();
        return Success{};
    }
    Result<microbatch::ChunkSpec> parsed = microbatch::parseChunkSpec(typed);
    if (!parsed)
        return parsed.error();
    plan.outputChunks = *std::move(parsed);
    return Success{};
}

QString seedText(const plan::Plan &plan)
{
    return plan.seed == 0 ? QString() : QString::number(plan.seed);
}

Status takeSeed(plan::Plan &plan, const std::string &typed)
{
    bool isNumber = false;
    const std::uint64_t seed = QString::fromStdString(typed.empty() ? "0" : typed).toULongLong(&isNumber);
    if (!isNumber)
        return refused(tr("'%1' is not a whole number from 0 to 2^64 - 1; leave it empty for 0")
                           .arg(QString::fromStdString(typed)));
    plan.seed = seed;
    return Success{};
}

} // namespace

PlanLine devicesLine()
{
    return {devicesText, takeDevices};
}

PlanLine tolerancesLine()
{
    return {tolerancesText, takeTolerances};
}

PlanLine outputChunksLine()
{
    return {outputChunksText, takeOutputChunks};
}

PlanLine seedLine()
{
    return {seedText, takeSeed};
}

} // namespace pipescope::runview
