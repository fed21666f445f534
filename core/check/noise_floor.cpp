#include "check/noise_floor.h"

#include "exec/fresh_arguments.h"
#include "exec/model_state.h"
#include "exec/node_stepper.h"
#include "tensor/difference/compare_tensors.h"
#include "tensor/ivalue_tree.h"
#include "tensor/torch_guard.h"

#include <ATen/ATen.h>
#include <algorithm>
#include <cmath>

namespace pipescope::check {

namespace {

// One ulp up for even elements, down for odd ones: a pattern, so that the figure is the same every time.
at::Tensor moved(const at::Tensor &tensor)
{
    const at::Tensor flat = tensor.detach().contiguous().clone().reshape({-1});
    const at::Tensor even = flat.slice(0, 0, flat.numel(), 2);
    const at::Tensor odd = flat.slice(0, 1, flat.numel(), 2);
    if (flat.scalar_type() == at::kFloat || flat.scalar_type() == at::kDouble) {
        even.copy_(at::nextafter(even, at::full_like(even, HUGE_VAL)));
        odd.copy_(at::nextafter(odd, at::full_like(odd, -HUGE_VAL)));
    } else {
        const double ulp = flat.scalar_type() == at::kHalf ? 0x1p-10 : 0x1p-7;
        even.mul_(1 + ulp);
        odd.mul_(1 - ulp);
    }
    return flat.reshape(tensor.sizes());
}

bool canMove(const c10::IValue &value)
{
    return value.isTensor() && value.toTensor().defined() && value.toTensor().layout() == at::kStrided &&
           !value.toTensor().is_nested() && value.toTensor().is_floating_point() && value.toTensor().numel() > 0;
}

c10::IValue movedTree(const c10::IValue &tree, bool &any)
{
    return tensor::mapLeaves(tree, [&](const c10::IValue &leaf) {
        if (!canMove(leaf))
            return leaf;
        any = true;
        return c10::IValue(moved(leaf.toTensor()));
    });
}

double largestChange(const c10::IValue &before, const c10::IValue &after)
{
    if (!before.isTensor() || !before.toTensor().defined() || !after.isTensor() || !after.toTensor().defined())
        return 0;
    const at::Tensor a = tensor::plain(before.toTensor());
    const at::Tensor b = tensor::plain(after.toTensor());
    const bool moves = a.is_floating_point() || a.is_complex();
    if (!moves || a.scalar_type() != b.scalar_type() || a.sizes() != b.sizes() || a.numel() == 0)
        return 0;
    const at::ScalarType wide = a.is_complex() ? at::kComplexDouble : at::kDouble;
    const at::Tensor change = (a.to(wide) - b.to(wide)).abs();
    return change.masked_fill(at::isfinite(change).logical_not(), 0).max().item<double>();
}

// 0 where LibTorch cannot compute with the values: those are not compared either.
double knownChange(const c10::IValue &before, const c10::IValue &after)
{
    const auto change =
        tensor::guardTorch(ErrorCode::ModelFailed, "noise floor", [&] { return largestChange(before, after); });
    return change ? *change : 0;
}

// The outputs of the run with what goes in moved.
Result<std::vector<c10::IValue>> runMoved(const import::ImportedModel &model, const std::vector<c10::IValue> &arguments,
                                          const CheckOptions &options, std::stop_token stop)
{
    const Result<exec::NodeStepper> stepper = exec::NodeStepper::build(model);
    if (!stepper)
        return stepper.error();
    bool any = false;
    std::vector<c10::IValue> movedArguments;
    for (const c10::IValue &argument : exec::freshArguments(model.graph, arguments))
        movedArguments.push_back(movedTree(argument, any));
    exec::Environment values = stepper->begin(movedArguments);
    if (!any)
        for (const auto &[id, held] : model.held)
            if (canMove(held))
                values[id.index()] = moved(held.toTensor());
    exec::StepCall call;
    call.microbatch = MicrobatchId{0};
    call.seed = options.seed;
    call.stop = std::move(stop);
    const exec::StateGuard state(model);
    for (int position = 0; position < model.graph.size(); ++position)
        if (auto ok = stepper->runNode(position, values, call); !ok)
            return ok.error();
    std::vector<c10::IValue> outputs;
    for (const ValueId id : model.graph.outputs)
        outputs.push_back(exec::keptOutput(values[id.index()].value()));
    state.restore();
    return outputs;
}

} // namespace

Result<std::vector<double>> noiseFloors(const import::ImportedModel &model, const std::vector<c10::IValue> &arguments,
                                        const std::vector<c10::IValue> &outputs, const CheckOptions &options,
                                        std::stop_token stop)
{
    const Result<std::vector<c10::IValue>> after = runMoved(model, arguments, options, std::move(stop));
    if (!after)
        return after.error();
    PIPESCOPE_ASSERT(after->size() == outputs.size());
    std::vector<double> floors;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const auto a = tensor::leaves(outputs[i]);
        const auto b = tensor::leaves((*after)[i]);
        if (!a)
            return a.error();
        const bool alike = b && a->size() == b->size();
        for (std::size_t leaf = 0; leaf < a->size(); ++leaf)
            floors.push_back(alike ? knownChange((*a)[leaf], (*b)[leaf]) : 0);
    }
    return floors;
}

} // namespace pipescope::check
