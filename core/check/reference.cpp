#include "check/equivalence.h"
#include "check/run_scope.h"
#include "exec/fresh_arguments.h"
#include "exec/model_state.h"
#include "exec/stage_program.h"
#include "tensor/opened_value.h"
#include "tensor/torch_guard.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <utility>

namespace pipescope::check {

namespace {

using Arguments = std::vector<c10::IValue>;

bool drawsRandomNumbers(const graph::ModelGraph &graph)
{
    return std::any_of(graph.order.begin(), graph.order.end(), [&](NodeId id) { return graph.node(id).random; });
}

Arguments runMethod(const import::ImportedModel &model, const Arguments &arguments)
{
    torch::jit::Module module = model.module;
    return {module.get_method(model.methodName)(arguments)};
}

// The unsplit model, made ready to be run for one microbatch after another.
class Reference
{
public:
    Reference(const import::ImportedModel &model, const CheckOptions &options, std::stop_token stop)
        : m_model(model)
        , m_options(options)
        , m_stop(std::move(stop))
        , m_keepsState(exec::keepsState(model))
    {
    }

    Status build()
    {
        if (!referenceIsLowered(m_model))
            return Success{};
        Result<exec::StageProgram> program = exec::StageProgram::buildWhole(m_model, exec::heldBy(m_model));
        if (!program)
            return program.error();
        m_program.emplace(std::move(*program));
        return Success{};
    }

    // What is still computed is waited for before the next one begins.
    Result<Arguments> run(const Arguments &given, MicrobatchId microbatch) const
    {
        const std::string where = fmt::format("unsplit model, microbatch {}", microbatch.value);
        return tensor::guardTorch(ErrorCode::ModelFailed, where, [&]() -> Result<Arguments> {
            Result<Arguments> outputs = runOnce(exec::freshArguments(m_model.graph, given), microbatch);
            if (outputs)
                std::transform(outputs->begin(), outputs->end(), outputs->begin(), tensor::opened);
            if (outputs && m_keepsState && !m_program) // the program copies them itself
                std::transform(outputs->begin(), outputs->end(), outputs->begin(), exec::keptOutput);
            return outputs;
        });
    }

private:
    Result<Arguments> runOnce(Arguments arguments, MicrobatchId microbatch) const
    {
        if (m_program)
            return m_program->run(std::move(arguments), {microbatch, m_options.seed, m_stop, nullptr});
        return runMethod(m_model, arguments);
    }

    const import::ImportedModel &m_model;
    const CheckOptions &m_options;
    std::stop_token m_stop;
    bool m_keepsState;
    std::optional<exec::StageProgram> m_program; // absent: the module's own method
};

Result<std::vector<Arguments>> runAll(const import::ImportedModel &model, const std::vector<Arguments> &microbatches,
                                      const CheckOptions &options, const std::stop_token &stop,
                                      const Progress &progress)
{
    Reference reference(model, options, stop);
    if (auto ok = reference.build(); !ok)
        return ok.error();
    const exec::StateGuard state(model);
    std::vector<Arguments> outputs(microbatches.size());
    std::size_t done = 0;
    for (const MicrobatchId microbatch : orderOf(options, microbatches.size())) {
        if (stop.stop_requested())
            return Error{ErrorCode::Cancelled, "cancelled while running the unsplit model", {}, {}};
        if (progress)
            progress(fmt::format("unsplit model: microbatch {} of {}", done + 1, microbatches.size()),
                     static_cast<double>(done) / static_cast<double>(microbatches.size()));
        Result<Arguments> out = reference.run(microbatches[microbatch.index()], microbatch);
        if (!out)
            return out.error();
        outputs[microbatch.index()] = std::move(*out);
        ++done;
    }
    state.restore();
    return outputs;
}

} // namespace

std::vector<MicrobatchId> orderOf(const CheckOptions &options, std::size_t count)
{
    if (!options.order.empty())
        return options.order;
    std::vector<MicrobatchId> order;
    for (std::size_t i = 0; i < count; ++i)
        order.push_back(MicrobatchId{static_cast<int>(i)});
    return order;
}

bool referenceIsLowered(const import::ImportedModel &model)
{
    return drawsRandomNumbers(model.graph) || !model.notes.empty();
}

Result<std::vector<Arguments>> runReference(const import::ImportedModel &model,
                                            const std::vector<Arguments> &microbatches, const CheckOptions &options,
                                            std::stop_token stop, const Progress &progress)
{
    const RunScope modes(options);
    return tensor::guardTorch(ErrorCode::ModelFailed, "unsplit model",
                              [&] { return runAll(model, microbatches, options, stop, progress); });
}

} // namespace pipescope::check
