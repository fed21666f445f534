#include "runtime/pipeline_run.h"

#include "comm/rank_threads.h"
#include "exec/stage_program.h"
#include "plan/stage_feeds.h"
#include "runtime/device.h"
#include "runtime/step.h"
#include "schedule/in_flight.h"
#include "tensor/memory_watch.h"
#include "tensor/thread_width.h"
#include "tensor/torch_guard.h"

#include <algorithm>
#include <c10/core/GradMode.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <thread>
#include <torch/csrc/jit/ir/constants.h>
#include <utility>

namespace pipescope::runtime {

using namespace std::chrono_literals;

// A returned value that no stage makes: an argument handed back, a constant, something the model holds.
struct DirectOutput
{
    std::size_t position = 0;
    int argument = -1; ///< -1: `value`
    c10::IValue value;
};

namespace {

// Every cell has to be a forward: what else a schedule has is left out where the run is asked for, and nowhere later.
Status checkForwards(const schedule::Schedule &schedule)
{
    for (const schedule::Row &row : schedule.ranks)
        for (const schedule::Cell &cell : row)
            if (!cell || cell->kind != schedule::ActionKind::Forward)
                return Error{ErrorCode::InvalidArgument,
                             fmt::format("the schedule '{}' has {}, which a run of forwards does not do; give its "
                                         "forwards alone",
                                         schedule.name, cell ? schedule::toText(*cell) : "an idle step"),
                             {},
                             {}};
    return Success{};
}

Status checkFit(const partition::Partition &partition, const schedule::Schedule &schedule, const RunOptions &options)
{
    const auto refuse = [](std::string message) {
        return Error{ErrorCode::InvalidArgument, std::move(message), {}, {}};
    };
    if (auto ok = checkDevices(options.devices); !ok)
        return ok.error();
    if (partition.stages.size() != static_cast<std::size_t>(schedule.stages))
        return refuse(fmt::format("the model is split into {} stages, the schedule '{}' is for {}",
                                  partition.stages.size(), schedule.name, schedule.stages));
    if (auto ok = checkForwards(schedule); !ok)
        return ok.error();
    if (options.devices.size() != schedule.ranks.size())
        return refuse(fmt::format("the schedule '{}' is for {} ranks, {} devices are given", schedule.name,
                                  schedule.ranks.size(), options.devices.size()));
    if (options.threadsPerRank < 1)
        return refuse(fmt::format("{} threads per rank; a rank needs at least one", options.threadsPerRank));
    if (options.maxInFlight < 0)
        return refuse(fmt::format("at most {} microbatches in flight; give a number above 0, or 0 for the default",
                                  options.maxInFlight));
    return Success{};
}

std::vector<DirectOutput> directOutputs(const import::ImportedModel &model, const exec::HeldValues &held)
{
    std::vector<DirectOutput> outputs;
    for (std::size_t i = 0; i < model.graph.outputs.size(); ++i) {
        const graph::Value &value = model.graph.value(model.graph.outputs[i]);
        if (value.kind == graph::ValueKind::Result)
            continue;
        DirectOutput output{i, -1, {}};
        if (value.kind == graph::ValueKind::Input) {
            const auto argument = std::find_if(model.graph.arguments.begin(), model.graph.arguments.end(),
                                               [&value](const graph::Argument &a) { return a.value == value.id; });
            output.argument = static_cast<int>(argument - model.graph.arguments.begin());
        } else if (const auto found = held.find(value.id); found != held.end()) {
            output.value = found->second;
        } else {
            output.value = torch::jit::toIValue(model.values[value.id.index()]).value_or(c10::IValue());
        }
        outputs.push_back(std::move(output));
    }
    return outputs;
}

} // namespace

class PipelineRun::Impl
{
public:
    Impl(const import::ImportedModel &model, std::string title, RunOptions options, StepPlan plan,
         std::vector<exec::StageProgram> programs, const exec::HeldValues &held)
        : m_graph(model.graph)
        , m_title(std::move(title))
        , m_options(std::move(options))
        , m_plan(std::move(plan))
        , m_programs(std::move(programs))
        , m_direct(directOutputs(model, held))
        , m_memory(m_plan.ranks())
        , m_threads(m_plan.ranks(), [this](RankId) { tensor::setThreadWidth(m_options.threadsPerRank); })
    {
    }

    Status checkArguments(const MicrobatchValues &microbatches) const;
    Result<RunResult> run(const MicrobatchValues &microbatches, const std::stop_token &stop, const Progress &progress,
                          const Traced &traced);

private:
    Result<std::vector<c10::IValue>> runStage(StageId stage, MicrobatchId microbatch, std::vector<c10::IValue> inputs,
                                              const std::stop_token &stop) const;
    void supervise(Step &step, const Progress &progress, const Traced &traced);
    trace::Trace makeTrace(Step &step);
    void tellTrace(Step &step, const Traced &traced);

    const graph::ModelGraph &m_graph;
    const std::string m_title;
    const RunOptions m_options;
    const StepPlan m_plan;
    const std::vector<exec::StageProgram> m_programs;
    const std::vector<DirectOutput> m_direct;
    tensor::MemoryLedger m_memory;
    std::vector<trace::MemorySample> m_toldMemory; // what was told while running
    comm::RankThreads m_threads;
};

Status PipelineRun::Impl::checkArguments(const MicrobatchValues &microbatches) const
{
    if (microbatches.size() != static_cast<std::size_t>(m_plan.microbatches))
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("Expecting {} arg_mbs but got {}", m_plan.microbatches, microbatches.size()),
                     {},
                     {}};
    std::vector<std::string> names;
    for (const graph::Argument &argument : m_graph.arguments)
        names.push_back(argument.name);
    for (std::size_t i = 0; i < microbatches.size(); ++i) {
        if (microbatches[i].size() != names.size())
            return Error{ErrorCode::InvalidArgument,
                         fmt::format("microbatch {} has {} arguments, {} takes {} ({})", i, microbatches[i].size(),
                                     m_graph.method, names.size(), fmt::join(names, ", ")),
                         fmt::format("microbatch {}", i),
                         {}};
    }
    return Success{};
}

Result<RunResult> PipelineRun::Impl::run(const MicrobatchValues &microbatches, const std::stop_token &stop,
                                         const Progress &progress, const Traced &traced)
{
    if (auto ok = checkArguments(microbatches); !ok)
        return ok.error();
    // A rank that spins on a core another one computes on would slow that one down.
    const unsigned wanted = static_cast<unsigned>(m_plan.ranks() * m_options.threadsPerRank);
    const auto spin = wanted <= std::thread::hardware_concurrency() ? 50us : 0us;
    Step step(
        m_plan, microbatches,
        [this](StageId stage, MicrobatchId microbatch, std::vector<c10::IValue> inputs,
               const std::stop_token &stopped) { return runStage(stage, microbatch, std::move(inputs), stopped); },
        spin);
    {
        const std::stop_callback onStop(stop, [&step] {
            step.fail({ErrorCode::Cancelled, "the run was cancelled", {}, {}});
        });
        m_memory.forget();
        m_toldMemory.clear();
        m_threads.start({[&step] { step.start(); },
                         [this, &step](RankId rank) {
                             const tensor::MemoryWatch watch(m_memory, rank);
                             step.runRank(rank);
                         }});
        try {
            supervise(step, progress, traced);
        } catch (...) { // what the caller gave to call threw; the ranks still use `step`
            step.fail({ErrorCode::Internal, "the run's observer failed", {}, {}});
            while (!m_threads.waitFor(1000ms)) {
            }
            throw;
        }
    }
    if (auto error = step.error())
        return *std::move(error);
    RunResult result{step.takeOutputs(), makeTrace(step)};
    for (const DirectOutput &direct : m_direct) {
        for (std::size_t i = 0; i < microbatches.size(); ++i)
            result.outputs[i][direct.position] =
                direct.argument < 0 ? direct.value : microbatches[i][static_cast<std::size_t>(direct.argument)];
    }
    return result;
}

Result<std::vector<c10::IValue>> PipelineRun::Impl::runStage(StageId stage, MicrobatchId microbatch,
                                                             std::vector<c10::IValue> inputs,
                                                             const std::stop_token &stop) const
{
    const c10::AutoGradMode mode(m_options.grad);
    exec::StageCall call;
    call.microbatch = microbatch;
    call.seed = m_options.seed;
    call.stop = stop;
    return m_programs[stage.index()].run(std::move(inputs), call);
}

void PipelineRun::Impl::supervise(Step &step, const Progress &progress, const Traced &traced)
{
    const double tasks = static_cast<double>(m_plan.tasks());
    const auto longest = traced ? 33ms : progress ? 50ms : 1000ms;
    const auto tick = std::clamp<std::chrono::milliseconds>(m_options.stallReport / 4, 1ms, longest);
    std::size_t seen = 0;
    auto lastChange = std::chrono::steady_clock::now();
    while (!m_threads.waitFor(tick)) {
        const std::size_t finished = step.finishedTasks();
        const auto now = std::chrono::steady_clock::now();
        if (finished != seen) {
            lastChange = now;
            if (progress)
                progress("running", static_cast<double>(finished) / tasks);
        } else if (m_options.report && now - lastChange >= m_options.stallReport) {
            lastChange = now;
            m_options.report(step.stallReport());
        }
        seen = finished;
        if (traced)
            tellTrace(step, traced);
    }
    if (progress && step.finishedTasks() == m_plan.tasks())
        progress("running", 1.0);
    if (traced)
        tellTrace(step, traced);
}

void PipelineRun::Impl::tellTrace(Step &step, const Traced &traced)
{
    trace::Trace part;
    part.title = m_title;
    part = step.newTrace(std::move(part));
    part.memory = m_memory.drain(step.origin());
    m_toldMemory.insert(m_toldMemory.end(), part.memory.begin(), part.memory.end());
    if (!part.events.empty() || !part.memory.empty())
        traced(std::move(part));
}

trace::Trace PipelineRun::Impl::makeTrace(Step &step)
{
    trace::Trace trace;
    trace.title = m_title;
    trace.memory = std::move(m_toldMemory);
    const std::vector<trace::MemorySample> rest = m_memory.drain(step.origin());
    trace.memory.insert(trace.memory.end(), rest.begin(), rest.end());
    return step.takeTrace(std::move(trace));
}

PipelineRun::PipelineRun(std::unique_ptr<Impl> impl)
    : m_impl(std::move(impl))
{
}

PipelineRun::~PipelineRun() = default;

Result<std::unique_ptr<PipelineRun>> PipelineRun::create(const import::ImportedModel &model,
                                                         const partition::Partition &partition,
                                                         const schedule::Schedule &schedule, RunOptions options)
{
    if (auto ok = checkFit(partition, schedule, options); !ok)
        return ok.error();
    schedule::Feeds feeds = plan::feedsOf(partition);
    const Result<int> maxInFlight = schedule::inFlightLimit(schedule, feeds, options.maxInFlight);
    if (!maxInFlight)
        return maxInFlight.error();

    const exec::HeldValues held = exec::heldBy(model);
    std::vector<exec::StageProgram> programs;
    std::vector<StageEnds> ends;
    for (const partition::Stage &stage : partition.stages) {
        auto program = exec::StageProgram::build(model, stage, held);
        if (!program)
            return program.error();
        ends.push_back({program->inputs(), program->outputs()});
        programs.push_back(*std::move(program));
    }
    auto routes = makeStageRoutes(model.graph, ends);
    if (!routes)
        return routes.error();
    std::vector<std::string> rankNames;
    for (std::size_t rank = 0; rank < options.devices.size(); ++rank)
        rankNames.push_back(fmt::format("rank {} ({})", rank, options.devices[rank]));
    StepPlan plan = makeStepPlan(schedule, std::move(feeds), *std::move(routes), std::move(rankNames),
                                 model.graph.outputs.size(), *maxInFlight);

    const tensor::CallersWidth width;
    std::string title = fmt::format("{}, {}", model.graph.modelClass, schedule.name);
    return tensor::guardTorch(ErrorCode::Internal, {}, [&] {
        auto impl = std::make_unique<Impl>(model, std::move(title), std::move(options), std::move(plan),
                                           std::move(programs), held);
        return std::unique_ptr<PipelineRun>(new PipelineRun(std::move(impl)));
    });
}

Result<RunResult> PipelineRun::run(const std::vector<std::vector<c10::IValue>> &microbatches,
                                   const std::stop_token &stop, const Progress &progress, const Traced &traced)
{
    return m_impl->run(microbatches, stop, progress, traced);
}

} // namespace pipescope::runtime
