#include "check/noise_floor.h"

#include "exec/fresh_arguments.h"
#include "exec/model_state.h"
#include "exec/node_stepper.h"
#include "ops/flops.h"
#include "ops/operator.h"
#include "tensor/ivalue_tree.h"

#include <ATen/ATen.h>
#include <algorithm>
#include <cmath>
#include <utility>

namespace pipescope::check {

namespace {

using Arguments = std::vector<c10::IValue>;

bool canMove(const c10::IValue &value)
{
    if (!tensor::isDefinedTensor(value))
        return false;
    const at::Tensor &tensor = value.toTensor();
    const at::ScalarType type = c10::toRealValueType(tensor.scalar_type());
    return tensor.layout() == at::kStrided && !tensor.is_nested() && !tensor.is_quantized() && tensor.is_cpu() &&
           tensor.numel() > 0 && type != at::kComplexHalf &&
           (type == at::kFloat || type == at::kDouble || type == at::kHalf || type == at::kBFloat16);
}

void moveUp(const at::Tensor &elements)
{
    if (elements.scalar_type() == at::kFloat || elements.scalar_type() == at::kDouble)
        elements.copy_(at::nextafter(elements, at::full_like(elements, HUGE_VAL)));
    else
        elements.mul_(1 + (elements.scalar_type() == at::kHalf ? 0x1p-10 : 0x1p-7));
}

void moveDown(const at::Tensor &elements)
{
    if (elements.scalar_type() == at::kFloat || elements.scalar_type() == at::kDouble)
        elements.copy_(at::nextafter(elements, at::full_like(elements, -HUGE_VAL)));
    else
        elements.mul_(1 - (elements.scalar_type() == at::kHalf ? 0x1p-10 : 0x1p-7));
}

constexpr double Far = 16;

double timesOf(NoisePattern pattern)
{
    return pattern == NoisePattern::EvenUpFar ? Far : 1;
}

// How the order of their terms moves sums: in units of the last place, and of which size. Terms are as large as the
// sums of one feature are, however small one of these is by chance.
struct Reordering
{
    double ulps = 1;
    int features = -1; ///< the dimension that has them
};

constexpr std::int64_t MovedElements = 1 << 20; // even: every other element moves up

// One unit in the last place up or down.
at::Tensor neighbours(const at::Tensor &block, NoisePattern pattern)
{
    const at::Tensor after = block.clone();
    const std::int64_t up = pattern == NoisePattern::OddUp ? 1 : 0;
    moveUp(after.slice(0, up, after.numel(), 2));
    moveDown(after.slice(0, 1 - up, after.numel(), 2));
    return pattern == NoisePattern::EvenUpFar ? after.sub_(block).mul_(Far).add_(block) : after;
}

// The sums of a tensor, one after another, with how large those of each feature are.
class ReorderedSums
{
public:
    ReorderedSums(const at::Tensor &sums, NoisePattern pattern, const Reordering &by)
        : m_flat(sums.reshape({-1}))
        , m_unit(by.ulps * unitOf(sums.scalar_type()) * timesOf(pattern))
        , m_evenUp(pattern != NoisePattern::OddUp)
    {
        const std::int64_t dims = sums.dim();
        const std::int64_t dim = dims < 2 ? -1 : (by.features + dims) % dims;
        if (dims == 0)
            return; // it is as large as it is
        for (std::int64_t after = dims; after-- > dim + 1 && dim >= 0;)
            m_inner *= sums.size(after);
        m_features = dim < 0 ? 1 : sums.size(dim);
        measure();
    }

    at::Tensor reordered(std::int64_t first, std::int64_t last) const
    {
        const at::Tensor block = m_flat.slice(0, first, last);
        at::Tensor sizes = sizesOf(block);
        if (m_means.defined())
            sizes = at::maximum(sizes, m_means.index_select(0, featuresOf(first, last)));
        for (const std::int64_t odd : {0, 1})
            sizes.slice(0, odd, sizes.numel(), 2).mul_((odd == 0) == m_evenUp ? m_unit : -m_unit);
        return sizes.add_(block).to(block.scalar_type());
    }

private:
    static double unitOf(at::ScalarType type)
    {
        return type == at::kDouble ? 0x1p-52 : type == at::kFloat ? 0x1p-23 : type == at::kHalf ? 0x1p-10 : 0x1p-7;
    }

    static at::Tensor sizesOf(const at::Tensor &block)
    {
        at::Tensor sizes = block.to(block.scalar_type() == at::kDouble ? at::kDouble : at::kFloat).abs();
        return sizes.masked_fill_(at::isfinite(sizes).logical_not_(), 0);
    }

    at::Tensor featuresOf(std::int64_t first, std::int64_t last) const
    {
        return at::arange(first, last, at::kLong).floor_divide_(m_inner).remainder_(m_features);
    }

    // The root of the mean square of each feature's sums.
    void measure()
    {
        m_means = at::zeros({m_features}, at::kDouble);
        for (std::int64_t first = 0; first < m_flat.numel(); first += MovedElements) {
            const std::int64_t last = std::min(m_flat.numel(), first + MovedElements);
            m_means.index_add_(0, featuresOf(first, last),
                               sizesOf(m_flat.slice(0, first, last)).to(at::kDouble).square_());
        }
        m_means.mul_(static_cast<double>(m_features) / static_cast<double>(m_flat.numel())).sqrt_();
        m_means = m_means.to(m_flat.scalar_type() == at::kDouble ? at::kDouble : at::kFloat);
    }

    const at::Tensor m_flat;
    const double m_unit;
    const bool m_evenUp;
    std::int64_t m_inner = 1; // elements of one feature that stand together
    std::int64_t m_features = 1;
    at::Tensor m_means; // by feature
};

// A block at a time: what is moved may be the largest value there is, and nothing else of that size is made.
at::Tensor moved(const at::Tensor &tensor, NoisePattern pattern, const std::optional<Reordering> &sums)
{
    if (tensor.is_complex())
        return at::view_as_complex(moved(at::view_as_real(tensor.detach().resolve_conj().contiguous()), pattern, {}));
    const at::Tensor before = tensor.detach().resolve_neg().contiguous();
    at::Tensor result = at::empty_like(before);
    const at::Tensor from = before.reshape({-1});
    const at::Tensor to = result.view({-1});
    const std::optional<ReorderedSums> known =
        sums ? std::optional(ReorderedSums(before, pattern, *sums)) : std::nullopt;
    for (std::int64_t first = 0; first < from.numel(); first += MovedElements) {
        const std::int64_t last = std::min(from.numel(), first + MovedElements);
        const at::Tensor block = from.slice(0, first, last);
        const at::Tensor after = known ? known->reordered(first, last) : neighbours(block, pattern);
        to.slice(0, first, last).copy_(at::where(block.eq(block.trunc()), block, after));
    }
    result = result.reshape(tensor.sizes());
    // Of the sum autograd knows where it comes from, and it is exact.
    return tensor.requires_grad() ? tensor + (result - tensor.detach()) : result;
}

// Whether there was anything to move.
bool move(c10::IValue &tree, NoisePattern pattern, const std::optional<Reordering> &sums = {})
{
    const std::vector<at::Tensor> tensors = tensor::tensorsIn(tree);
    if (std::none_of(tensors.begin(), tensors.end(), canMove))
        return false;
    tree = tensor::mapLeaves(tree, [&](const c10::IValue &leaf) {
        return canMove(leaf) ? c10::IValue(moved(leaf.toTensor(), pattern, sums)) : leaf;
    });
    return true;
}

// Whether the operator sums products, in an order that depends on how many rows there are.
bool sumsProducts(const graph::Node &node)
{
    const std::optional<ops::Flops> &flops = ops::of(node).flops;
    return flops && flops->rule != ops::FlopRule::None && flops->rule != ops::FlopRule::PerOutput &&
           flops->rule != ops::FlopRule::PerInput;
}

// How many such there are in the node, itself or inside.
int productsIn(const graph::ModelGraph &graph, const graph::Node &node)
{
    int count = sumsProducts(node) ? 1 : 0;
    for (const NodeId child : node.children)
        count += productsIn(graph, graph.node(child));
    return count;
}

ops::Operand operandOf(const std::optional<c10::IValue> &value)
{
    if (value && tensor::isDefinedTensor(*value) && !value->toTensor().is_nested())
        return {value->toTensor().sizes().vec(), {}};
    if (value && value->isInt())
        return {{}, value->toInt()};
    return {};
}

// By an eighth of the root of their number, which is what is seen of float32 (algorithms.md 6.1). Of the products
// inside an if or a loop each is taken to have 1000.
Reordering reorderingOf(const graph::Node &node, int products, const std::vector<ops::Operand> &operands,
                        const ops::Operand &result)
{
    Reordering by;
    if (!sumsProducts(node)) {
        by.ulps = 4 * std::sqrt(products);
        return by;
    }
    const ops::FlopRule rule = ops::of(node).flops->rule;
    if (rule == ops::FlopRule::Conv || rule == ops::FlopRule::ConvTranspose || rule == ops::FlopRule::Convolution)
        by.features = 1;
    double sums = result.sizes ? 1 : 0;
    for (const std::int64_t size : result.sizes.value_or(ops::Sizes{}))
        sums *= static_cast<double>(size);
    const auto flops = ops::operatorFlops(node.op, operands, {result}); // two a term
    if (flops && sums > 0)
        by.ulps = std::max(1.0, std::sqrt(*flops / 2 / sums) / 8);
    return by;
}

// One run, in which values move when they are made.
class MovedRun
{
public:
    MovedRun(const import::ImportedModel &model, const exec::NodeStepper &stepper, NoisePattern pattern,
             const exec::StepCall &call)
        : m_graph(model.graph)
        , m_stepper(stepper)
        , m_pattern(pattern)
        , m_call(call)
        , m_moves(model.graph.values.size())
    {
    }

    Result<Arguments> run(Arguments arguments)
    {
        for (std::size_t i = 0; i < arguments.size(); ++i) {
            const bool moves = move(arguments[i], m_pattern);
            m_moves[m_graph.arguments[i].value.index()] = moves;
            m_argumentsMove = m_argumentsMove || moves;
        }
        m_values = m_stepper.begin(arguments);
        arguments.clear();
        for (int position = 0; position < m_graph.size(); ++position)
            if (auto ok = runNode(position); !ok)
                return ok.error();
        Arguments outputs;
        for (const ValueId id : m_graph.outputs)
            outputs.push_back(exec::keptOutput(m_values[id.index()].value()));
        return outputs;
    }

private:
    Status runNode(int position)
    {
        const graph::Node &node = m_graph.at(position);
        const bool follows =
            std::any_of(node.uses.begin(), node.uses.end(), [this](ValueId id) { return m_moves[id.index()]; });
        const int products = productsIn(m_graph, node);
        const bool moves = products > 0 || (!m_argumentsMove && !follows);
        const std::vector<const void *> before = moves ? memoryOf(node.uses) : std::vector<const void *>{};
        std::vector<ops::Operand> operands;
        for (const ValueId id : node.operands)
            operands.push_back(products > 0 && id.valid() ? operandOf(m_values[id.index()]) : ops::Operand{});
        if (auto ok = m_stepper.runNode(position, m_values, m_call); !ok)
            return ok;
        for (const ValueId output : node.outputs) {
            m_moves[output.index()] = follows;
            if (moves)
                moveResult(output, before, products, node, operands);
        }
        return Success{};
    }

    // What is new: a view of something else would no longer be one.
    void moveResult(ValueId id, const std::vector<const void *> &before, int products, const graph::Node &node,
                    const std::vector<ops::Operand> &operands)
    {
        std::optional<c10::IValue> &value = m_values[id.index()];
        if (!value)
            return;
        for (const void *memory : memoryOf({id}))
            if (std::find(before.begin(), before.end(), memory) != before.end())
                return;
        std::optional<Reordering> by;
        if (products > 0)
            by = reorderingOf(node, products, operands, operandOf(value));
        if (move(*value, m_pattern, by))
            m_moves[id.index()] = true;
    }

    std::vector<const void *> memoryOf(const std::vector<ValueId> &ids) const
    {
        std::vector<const void *> memory;
        for (const ValueId id : ids)
            if (const auto &value = m_values[id.index()])
                for (const at::Tensor &tensor : tensor::tensorsIn(*value))
                    if (tensor.has_storage())
                        memory.push_back(tensor.storage().unsafeGetStorageImpl());
        return memory;
    }

    const graph::ModelGraph &m_graph;
    const exec::NodeStepper &m_stepper;
    const NoisePattern m_pattern;
    const exec::StepCall &m_call;
    exec::Environment m_values;
    std::vector<bool> m_moves; // by value: whether it moved, or came of what did
    bool m_argumentsMove = false;
};

} // namespace

Result<std::vector<c10::IValue>> movedOutputs(const import::ImportedModel &model,
                                              const std::vector<c10::IValue> &arguments, NoisePattern pattern,
                                              const CheckOptions &options, std::stop_token stop)
{
    const Result<exec::NodeStepper> stepper = exec::NodeStepper::build(model);
    if (!stepper)
        return stepper.error();
    exec::StepCall call;
    call.microbatch = MicrobatchId{0};
    call.seed = options.seed;
    call.stop = std::move(stop);
    const exec::StateGuard state(model);
    auto outputs = MovedRun(model, *stepper, pattern, call).run(exec::freshArguments(model.graph, arguments));
    state.restore();
    return outputs;
}

} // namespace pipescope::check
