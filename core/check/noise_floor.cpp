#include "check/noise_floor.h"

#include "exec/fresh_arguments.h"
#include "exec/model_state.h"
#include "exec/node_stepper.h"
#include "tensor/ivalue_tree.h"

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
    return value.isTensor() && value.toTensor().defined() && value.toTensor().is_floating_point() &&
           value.toTensor().numel() > 0;
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
    const std::vector<at::Tensor> a = tensor::tensorsIn(before);
    const std::vector<at::Tensor> b = tensor::tensorsIn(after);
    double largest = 0;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
        if (a[i].sizes() != b[i].sizes() || a[i].numel() == 0 || a[i].is_quantized())
            continue;
        const double change =
            (a[i].detach().to(at::kDouble) - b[i].detach().to(at::kDouble)).abs().max().item<double>();
        if (std::isfinite(change))
            largest = std::max(largest, change);
    }
    return largest;
}

} // namespace

Result<double> noiseFloor(const import::ImportedModel &model, const std::vector<c10::IValue> &arguments,
                          const std::vector<c10::IValue> &outputs, const CheckOptions &options, std::stop_token stop)
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
    const exec::ModelState state = exec::ModelState::capture(model);
    Status ok = Success{};
    for (int position = 0; position < model.graph.size() && ok; ++position)
        ok = stepper->runNode(position, values, call);
    state.restore();
    if (!ok)
        return ok.error();
    double largest = 0;
    for (std::size_t i = 0; i < outputs.size(); ++i)
        if (const auto &value = values[model.graph.outputs[i].index()])
            largest = std::max(largest, largestChange(outputs[i], *value));
    return largest;
}

} // namespace pipescope::check
