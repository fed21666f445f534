#include "engine/tell_needs.h"

#include "engine/kept_model.h"
#include "tensor/ivalue_tree.h"

#include <cstdint>
#include <thread>

namespace pipescope::engine {

report::Machine machineBefore(const JobContext &context)
{
    if (context.kept != nullptr)
        context.kept->forget();
    if (context.machine)
        return context.machine();
    return {availableMemory(), static_cast<int>(std::thread::hardware_concurrency())};
}

void tellNeeds(const PipelineSetup &setup, const report::RunRequest &request, const report::Machine &machine,
               const JobContext &context, Warnings &warnings)
{
    std::int64_t inputs = 0;
    for (const c10::IValue &argument : setup.arguments)
        inputs += tensor::tensorBytes(argument);
    report::RunWay way;
    way.microbatches = static_cast<int>(setup.chunks.args.size());
    way.threadsPerRank = setup.plan.threadsPerRank;
    way.maxInFlight = setup.plan.maxInFlight;
    way.grad = setup.plan.grad;
    way.check = request.check;
    way.profiled = report::Profiled::Microbatch; // as stages are balanced; not at all where they are named
    way.inputBytes = inputs;
    const report::RunNeeds needs = report::runNeeds(setup.model.graph, setup.partition, setup.schedule, way, machine);
    if (context.needs)
        context.needs(needs);
    if (const std::string warning = report::memoryWarning(needs); !warning.empty())
        warnings.add(warning);
}

} // namespace pipescope::engine
