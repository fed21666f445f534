#include "exec/profile.h"

#include "exec/flop_counter.h"
#include "exec/fresh_arguments.h"
#include "exec/model_state.h"
#include "exec/node_clock.h"
#include "exec/node_stepper.h"
#include "tensor/ivalue_tree.h"
#include "tensor/torch_guard.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <algorithm>
#include <optional>
#include <torch/csrc/jit/ir/constants.h>

namespace pipescope::exec {

namespace {

// Intra-op threads of this thread, put back at the end.
class ThreadWidth
{
public:
    explicit ThreadWidth(int threads)
        : m_before(at::get_num_threads())
    {
        at::set_num_threads(std::max(threads, 1));
    }
    ~ThreadWidth() { at::set_num_threads(m_before); }
    ThreadWidth(const ThreadWidth &) = delete;
    ThreadWidth &operator=(const ThreadWidth &) = delete;

private:
    int m_before;
};

class Profiler
{
public:
    Profiler(import::ImportedModel &model, const std::vector<c10::IValue> &arguments, const ProfileOptions &options,
             std::stop_token stop, const Progress &progress)
        : m_model(model)
        , m_graph(model.graph)
        , m_arguments(arguments)
        , m_options(options)
        , m_stop(std::move(stop))
        , m_progress(progress)
        , m_state(ModelState::capture(model))
    {
    }

    Status run()
    {
        const at::AutoGradMode grad(m_options.grad);
        const ThreadWidth width(m_options.threads);
        Status status = tensor::guardTorch(ErrorCode::ModelFailed, m_model.methodName, [&]() -> Status {
            if (auto ok = recordShapes(); !ok)
                return ok;
            return measureTimes();
        });
        m_state.restore();
        return status;
    }

private:
    void report(double fraction) const
    {
        if (m_progress)
            m_progress("profiling", fraction);
    }

    // One run of the whole kind is a unit of progress; the run that records is one too.
    double share() const { return 1.0 / (m_options.repeats > 0 ? m_options.repeats + 2 : 1); }

    Status recordShapes()
    {
        const auto stepper = NodeStepper::build(m_model);
        if (!stepper)
            return stepper.error();
        const std::vector<c10::IValue> arguments = freshArguments(m_graph, m_arguments);
        const Environment first = stepper->begin(arguments);
        for (graph::Value &value : m_graph.values) {
            if (first[value.id.index()])
                describe(value, *first[value.id.index()]);
            else if (value.kind == graph::ValueKind::Constant)
                describe(value, torch::jit::toIValue(m_model.values[value.id.index()]).value_or(c10::IValue()));
        }
        FlopCounter counter(m_graph);
        StepCall call{m_options.microbatch, m_options.seed, m_stop, {}, true, &counter};
        call.after = [&](int position, double, const Environment &values) {
            for (const ValueId id : m_graph.at(position).outputs)
                describe(m_graph.values[id.index()], values[id.index()].value());
            report(share() * (position + 1) / m_graph.size());
        };
        if (const auto outputs = stepper->run(arguments, call); !outputs)
            return outputs.error();
        const std::vector<std::optional<double>> flops = counter.flops();
        for (std::size_t i = 0; i < flops.size(); ++i)
            m_graph.nodes[i].flops = flops[i];
        return Success{};
    }

    void describe(graph::Value &value, const c10::IValue &content) const
    {
        if (content.isTensor() && content.toTensor().defined())
            value.tensor = tensor::describeTensor(content.toTensor());
        value.bytes = tensor::tensorBytes(content);
        if (!m_options.grad)
            return;
        const std::vector<at::Tensor> tensors = tensor::tensorsIn(content);
        value.requiresGrad =
            std::any_of(tensors.begin(), tensors.end(), [](const at::Tensor &t) { return t.requires_grad(); });
    }

    Status measureTimes()
    {
        if (m_options.repeats <= 0)
            return Success{};
        const auto program = StageProgram::buildWhole(m_model, heldBy(m_model));
        if (!program)
            return program.error();
        std::vector<std::vector<double>> runs;
        for (int i = 0; i <= m_options.repeats; ++i) {
            m_state.restore();
            NodeClock clock(m_graph);
            if (const auto outputs = program->run(freshArguments(m_graph, m_arguments),
                                                  {m_options.microbatch, m_options.seed, m_stop, &clock});
                !outputs)
                return outputs.error();
            clock.stop();
            if (i > 0)
                runs.push_back(clock.seconds());
            report(share() * (i + 2));
        }
        keepMedians(runs);
        return Success{};
    }

    void keepMedians(const std::vector<std::vector<double>> &runs)
    {
        std::vector<double> times(runs.size());
        for (graph::Node &node : m_graph.nodes) {
            for (std::size_t i = 0; i < runs.size(); ++i)
                times[i] = runs[i][node.id.index()];
            std::sort(times.begin(), times.end());
            node.seconds = (times[(times.size() - 1) / 2] + times[times.size() / 2]) / 2;
        }
    }

    import::ImportedModel &m_model;
    graph::ModelGraph &m_graph;
    const std::vector<c10::IValue> &m_arguments;
    const ProfileOptions &m_options;
    std::stop_token m_stop;
    const Progress &m_progress;
    ModelState m_state;
};

} // namespace

Status profile(import::ImportedModel &model, const std::vector<c10::IValue> &arguments, const ProfileOptions &options,
               std::stop_token stop, const Progress &progress)
{
    return tensor::guardTorch(ErrorCode::ModelFailed, model.methodName,
                              [&] { return Profiler(model, arguments, options, std::move(stop), progress).run(); });
}

} // namespace pipescope::exec
