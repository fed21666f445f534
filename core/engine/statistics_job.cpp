#include "engine/statistics_job.h"

#include "check/run_scope.h"
#include "engine/chunking.h"
#include "engine/kept_model.h"
#include "engine/model_inputs.h"
#include "engine/open_model.h"
#include "exec/fresh_arguments.h"
#include "exec/model_state.h"
#include "exec/node_stepper.h"
#include "import/attribute_path.h"
#include "import/meta_tensors.h"
#include "tensor/ivalue_tree.h"
#include "tensor/tensor_numbers.h"
#include "tensor/torch_guard.h"

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <torch/csrc/jit/ir/constants.h>

namespace pipescope::engine {

namespace {

using report::StatisticsReport;
using report::StatisticsRequest;

constexpr std::size_t MostLeaves = 64;

Error refused(ErrorCode code, std::string message)
{
    return {code, std::move(message), {}, {}};
}

Status checkRequest(const StatisticsRequest &request)
{
    if (request.value.valid() == !request.parameter.empty())
        return refused(ErrorCode::InvalidArgument, "name either a value of the graph or a parameter, not both");
    return Success{};
}

/// The value with its tensors, or without any in words.
Result<StatisticsReport> describe(std::string name, std::string type, const c10::IValue &value,
                                  const JobContext &context)
{
    StatisticsReport report;
    report.name = std::move(name);
    report.type = std::move(type);
    Result<std::vector<c10::IValue>> leaves = tensor::leaves(value);
    if (!leaves)
        return leaves.error();
    const std::vector<std::string> paths = tensor::leafPaths(value);
    for (std::size_t i = 0; i < leaves->size(); ++i) {
        const c10::IValue &leaf = (*leaves)[i];
        if (!leaf.isTensor() || !leaf.toTensor().defined())
            continue;
        if (report.leaves.size() == MostLeaves) {
            ++report.moreLeaves;
            continue;
        }
        tell(context, "counting", static_cast<double>(i) / static_cast<double>(leaves->size()));
        Result<report::LeafStatistics> numbers = tensor::numbersOf(leaf.toTensor(), context.stop);
        if (!numbers)
            return Error{numbers.error().code,
                         fmt::format("'{}{}': {}", report.name, paths[i], numbers.error().message),
                         report.name + paths[i], numbers.error().details};
        report.leaves.push_back(*std::move(numbers));
        report.leaves.back().path = paths[i];
    }
    if (report.leaves.empty())
        report.text = tensor::describeValue(value);
    return report;
}

/// By its dotted name, whether the method uses it or not.
Result<at::Tensor> heldTensor(const import::ImportedModel &model, const std::string &fqn)
{
    const std::vector<graph::Parameter> &parameters = model.graph.parameters;
    const auto known = std::find_if(parameters.begin(), parameters.end(),
                                    [&](const graph::Parameter &parameter) { return parameter.fqn == fqn; });
    if (known == parameters.end())
        return refused(ErrorCode::NotFound, fmt::format("the model holds no tensor '{}'", fqn));
    const auto path = import::attributePath(model.module, fqn);
    if (path && !path->empty()) {
        c10::IValue value = model.module._ivalue();
        for (const std::string &name : *path)
            value = value.toObjectRef().getAttr(name);
        if (value.isTensor())
            return value.toTensor();
    }
    if (const auto held = model.held.find(known->value); held != model.held.end() && held->second.isTensor())
        return held->second.toTensor();
    if (!path && path.error().code == ErrorCode::Unsupported)
        return path.error();
    return refused(ErrorCode::Unsupported,
                   fmt::format("'{}' is packed inside an object of the model, and cannot be looked into", fqn));
}

check::CheckOptions runOptions(const plan::Plan &plan)
{
    check::CheckOptions options;
    options.threads = std::max(plan.threadsPerRank, 1);
    options.seed = plan.seed;
    options.grad = plan.grad;
    return options;
}

/// One value on the way through the model.
class Probe
{
public:
    Probe(const import::ImportedModel &model, const StatisticsRequest &request, const JobContext &context)
        : m_model(model)
        , m_plan(request.plan)
        , m_value(model.graph.value(request.value))
        , m_microbatch(request.microbatch)
        , m_context(context)
    {
    }

    Result<StatisticsReport> look() const
    {
        switch (m_value.kind) {
        case graph::ValueKind::Inner:
            return refused(ErrorCode::Unsupported, insideText());
        case graph::ValueKind::Constant:
            return told(torch::jit::toIValue(m_model.values[m_value.id.index()]).value_or(c10::IValue()));
        case graph::ValueKind::Parameter:
        case graph::ValueKind::Buffer:
        case graph::ValueKind::Attribute:
            return lookAtHeld();
        case graph::ValueKind::Input:
        case graph::ValueKind::Result:
            break;
        }
        return lookAtRun();
    }

private:
    std::string insideText() const
    {
        const graph::Node *holder = &m_model.graph.node(m_value.producer);
        while (holder->parent.valid())
            holder = &m_model.graph.node(holder->parent);
        return fmt::format(
            "'{}' is made inside {}, as often as that runs or not at all; only values outside of ifs and "
            "loops can be looked into",
            m_value.name, graph::describe(*holder));
    }

    Result<StatisticsReport> told(const c10::IValue &value) const
    {
        return describe(m_value.name, m_value.type, value, m_context);
    }

    Result<StatisticsReport> lookAtHeld() const
    {
        const auto held = m_model.held.find(m_value.id);
        if (held == m_model.held.end())
            return refused(ErrorCode::Unsupported, fmt::format("'{}' cannot be looked into", m_value.name));
        return told(held->second);
    }

    Result<StatisticsReport> lookAtRun() const
    {
        if (Status runnable = import::checkHasValues(m_model); !runnable)
            return runnable.error();
        Result<std::vector<c10::IValue>> arguments = makeModelInputs(m_model, m_plan.inputs, m_plan.seed);
        if (!arguments)
            return arguments.error();
        if (!m_microbatch.valid())
            return lookAtBatches({*std::move(arguments)});
        Result<tensor::ChunkedArguments> chunks =
            cutArguments(m_model.graph.arguments, *arguments, m_plan.inputChunks, m_plan.microbatches);
        if (!chunks)
            return chunks.error();
        if (m_microbatch.index() >= chunks->args.size())
            return refused(ErrorCode::InvalidArgument,
                           fmt::format("there is no microbatch {}; the batch is cut into {}", m_microbatch.value,
                                       chunks->args.size()));
        chunks->args.resize(m_microbatch.index() + 1);
        return lookAtBatches(std::move(chunks->args));
    }

    /// At the last one; those before it only where they leave something behind.
    Result<StatisticsReport> lookAtBatches(std::vector<std::vector<c10::IValue>> batches) const
    {
        if (m_value.kind == graph::ValueKind::Input)
            return told(argument(batches.back()));
        const check::RunScope modes(runOptions(m_plan));
        const exec::StateGuard state(m_model);
        const Result<exec::NodeStepper> stepper = exec::NodeStepper::build(m_model);
        if (!stepper)
            return stepper.error();
        const std::size_t first = exec::keepsState(m_model) ? 0 : batches.size() - 1;
        for (std::size_t i = first; i + 1 < batches.size(); ++i) {
            const exec::StepCall call = stepCall(MicrobatchId{static_cast<int>(i)});
            if (const auto outputs = stepper->run(exec::freshArguments(m_model.graph, batches[i]), call); !outputs)
                return outputs.error();
        }
        return lookAtRunOf(*stepper, exec::freshArguments(m_model.graph, batches.back()));
    }

    const c10::IValue &argument(const std::vector<c10::IValue> &values) const
    {
        const std::vector<graph::Argument> &arguments = m_model.graph.arguments;
        const auto found = std::find_if(arguments.begin(), arguments.end(),
                                        [&](const graph::Argument &a) { return a.value == m_value.id; });
        PIPESCOPE_ASSERT(found != arguments.end());
        return values[static_cast<std::size_t>(found - arguments.begin())];
    }

    exec::StepCall stepCall(MicrobatchId microbatch) const
    {
        exec::StepCall call;
        call.microbatch = microbatch;
        call.seed = m_plan.seed;
        call.stop = m_context.stop;
        return call;
    }

    Result<StatisticsReport> lookAtRunOf(const exec::NodeStepper &stepper,
                                         const std::vector<c10::IValue> &arguments) const
    {
        const int last = graph::positionOf(m_model.graph, m_value.producer);
        std::optional<c10::IValue> value;
        exec::StepCall call = stepCall(m_microbatch);
        call.after = [&](int position, double, const exec::Environment &values) {
            if (position == last)
                value = values[m_value.id.index()];
            tell(m_context, "running", static_cast<double>(position + 1) / (last + 1));
        };
        exec::Environment values = stepper.begin(arguments);
        for (int position = 0; position <= last; ++position)
            if (Status ran = stepper.runNode(position, values, call); !ran)
                return ran.error();
        if (!value)
            return refused(ErrorCode::Unsupported, fmt::format("'{}' was not made in this run", m_value.name));
        values.clear();
        return told(*value);
    }

    const import::ImportedModel &m_model;
    const plan::Plan &m_plan;
    const graph::Value &m_value;
    const MicrobatchId m_microbatch;
    const JobContext &m_context;
};

Result<StatisticsReport> statisticsJob(const StatisticsRequest &request, const JobContext &context)
{
    if (Status valid = checkRequest(request); !valid)
        return valid.error();
    Warnings warnings(context);
    const plan::Plan &plan = request.plan;
    const ModelSource source{plan.model, plan.method, plan.opLibraries, request.expectedSha256, plan.specialised, true};
    const Result<std::shared_ptr<const OpenedModel>> opened = openToLook(source, context, warnings);
    if (!opened)
        return opened.error();
    const import::ImportedModel &model = (*opened)->imported;
    if (!request.parameter.empty()) {
        const Result<at::Tensor> tensor = heldTensor(model, request.parameter);
        if (!tensor)
            return tensor.error();
        return describe(request.parameter, "Tensor", *tensor, context);
    }
    if (request.value.index() >= model.graph.values.size())
        return refused(ErrorCode::NotFound, fmt::format("the graph of '{}' has no value {}; it has {}", plan.method,
                                                        request.value.value, model.graph.values.size()));
    return Probe(model, request, context).look();
}

} // namespace

Result<StatisticsReport> statistics(const StatisticsRequest &request, const JobContext &context)
{
    Result<StatisticsReport> report =
        tensor::guardTorch(ErrorCode::Internal, request.plan.model, [&] { return statisticsJob(request, context); });
    if (!report && context.kept != nullptr) // a run that failed may have left state behind
        context.kept->forget();
    return report;
}

} // namespace pipescope::engine
