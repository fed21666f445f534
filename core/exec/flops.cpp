#include "exec/flops.h"

#include <iterator>
#include <string>
#include <unordered_map>

namespace pipescope::exec {

namespace {

enum class Rule {
    None,          // moves or describes data only
    PerOutput,     // `factor` per element of the first output
    PerInput,      // `factor` per element of operand `at`
    Dense,         // operand `at` [..., in] to output [..., out]
    MatMul,        // operand `at` [..., n, k] times the next, output [..., n, m]
    SumMatMul,     // as MatMul, the batch summed: every row of operand `at` meets every column of the next
    Conv,          // input, weight [out, in / groups, ...]
    ConvTranspose, // input, weight [in, out / groups, ...]
    Convolution,   // either of the two, by the flag `transposed`
    Attention,     // query [..., l, e], key [..., s, e], value [..., s, v]
    Recurrent,     // input [steps, batch, ...], weights of input and hidden state
};

struct Entry
{
    std::string_view op;
    Rule rule = Rule::None;
    double factor = 1;
    std::size_t at = 0;
};

// To teach one more operator: a row here and a case in tst_flops.cpp.
constexpr Entry Products[] = {
    {"aten::linear", Rule::Dense},
    {"quantized::linear", Rule::Dense},
    {"quantized::linear_relu", Rule::Dense},
    {"quantized::linear_dynamic", Rule::Dense},
    {"quantized::linear_relu_dynamic", Rule::Dense},
    {"aten::matmul", Rule::MatMul},
    {"aten::mm", Rule::MatMul},
    {"aten::bmm", Rule::MatMul},
    {"aten::mv", Rule::MatMul},
    {"aten::dot", Rule::MatMul},
    {"aten::addmm", Rule::MatMul, 1, 1},
    {"aten::addmv", Rule::MatMul, 1, 1},
    {"aten::baddbmm", Rule::MatMul, 1, 1},
    {"aten::addbmm", Rule::SumMatMul, 1, 1},
    {"aten::conv1d", Rule::Conv},
    {"aten::conv2d", Rule::Conv},
    {"aten::conv3d", Rule::Conv},
    {"aten::mkldnn_convolution", Rule::Conv},
    {"aten::conv_transpose1d", Rule::ConvTranspose},
    {"aten::conv_transpose2d", Rule::ConvTranspose},
    {"aten::conv_transpose3d", Rule::ConvTranspose},
    {"aten::convolution", Rule::Convolution},
    {"aten::_convolution", Rule::Convolution},
    {"aten::scaled_dot_product_attention", Rule::Attention},
    {"aten::mkldnn_rnn_layer", Rule::Recurrent},
};

constexpr Entry PerElement[] = {
    {"aten::layer_norm", Rule::PerInput, 5},
    {"aten::native_layer_norm", Rule::PerInput, 5},
    {"aten::rms_norm", Rule::PerInput, 4},
    {"aten::group_norm", Rule::PerInput, 5},
    {"aten::instance_norm", Rule::PerInput, 5},
    {"aten::batch_norm", Rule::PerInput, 4},
    {"aten::softmax", Rule::PerInput, 4},
    {"aten::_softmax", Rule::PerInput, 4},
    {"aten::log_softmax", Rule::PerInput, 4},
    {"aten::gelu", Rule::PerOutput, 8},
    {"aten::silu", Rule::PerOutput, 4},
    {"aten::sigmoid", Rule::PerOutput, 3},
    {"aten::tanh", Rule::PerOutput, 4},
    {"aten::hardswish", Rule::PerOutput, 4},
    {"aten::hardsigmoid", Rule::PerOutput, 3},
    {"aten::elu", Rule::PerOutput, 2},
    {"aten::dropout", Rule::PerOutput, 1},
    {"aten::lerp", Rule::PerOutput, 3},
    {"aten::addcmul", Rule::PerOutput, 3},
    {"aten::addcdiv", Rule::PerOutput, 3},
    {"aten::sum", Rule::PerInput},
    {"aten::mean", Rule::PerInput},
    {"aten::prod", Rule::PerInput},
    {"aten::amax", Rule::PerInput},
    {"aten::amin", Rule::PerInput},
    {"aten::argmax", Rule::PerInput},
    {"aten::argmin", Rule::PerInput},
    {"aten::norm", Rule::PerInput, 2},
    {"aten::linalg_vector_norm", Rule::PerInput, 2},
    {"aten::var", Rule::PerInput, 3},
    {"aten::std", Rule::PerInput, 3},
    {"aten::cumsum", Rule::PerInput},
    {"aten::cumprod", Rule::PerInput},
    {"aten::adaptive_avg_pool1d", Rule::PerInput},
    {"aten::adaptive_avg_pool2d", Rule::PerInput},
    {"aten::adaptive_avg_pool3d", Rule::PerInput},
    {"aten::adaptive_max_pool2d", Rule::PerInput},
};

constexpr std::string_view OnePerElement[] = {
    "add",        "sub",    "rsub",  "mul",       "div",       "neg",          "abs",         "sqrt",     "rsqrt",
    "reciprocal", "square", "pow",   "exp",       "expm1",     "log",          "log1p",       "log2",     "log10",
    "sin",        "cos",    "tan",   "atan",      "atan2",     "erf",          "relu",        "relu6",    "leaky_relu",
    "hardtanh",   "prelu",  "clamp", "clamp_min", "clamp_max", "maximum",      "minimum",     "floor",    "ceil",
    "round",      "trunc",  "sign",  "remainder", "fmod",      "floor_divide", "true_divide", "softplus", "threshold",
};

// Comparisons and integer logic included: they are no floating-point operations.
constexpr std::string_view Free[] = {
    "view",
    "reshape",
    "view_as",
    "reshape_as",
    "flatten",
    "unflatten",
    "permute",
    "transpose",
    "t",
    "numpy_T",
    "movedim",
    "swapaxes",
    "swapdims",
    "squeeze",
    "unsqueeze",
    "expand",
    "expand_as",
    "repeat",
    "repeat_interleave",
    "tile",
    "select",
    "slice",
    "narrow",
    "index",
    "index_select",
    "index_put",
    "gather",
    "scatter",
    "take",
    "masked_fill",
    "masked_select",
    "where",
    "chunk",
    "split",
    "split_with_sizes",
    "unsafe_chunk",
    "unsafe_split",
    "unsafe_split_with_sizes",
    "tensor_split",
    "unbind",
    "cat",
    "concat",
    "stack",
    "contiguous",
    "clone",
    "copy",
    "detach",
    "alias",
    "to",
    "_to_copy",
    "type_as",
    "float",
    "half",
    "double",
    "long",
    "int",
    "bool",
    "pad",
    "constant_pad_nd",
    "reflection_pad1d",
    "reflection_pad2d",
    "replication_pad1d",
    "replication_pad2d",
    "roll",
    "flip",
    "tril",
    "triu",
    "embedding",
    "one_hot",
    "zeros",
    "ones",
    "full",
    "empty",
    "zeros_like",
    "ones_like",
    "full_like",
    "empty_like",
    "new_zeros",
    "new_ones",
    "new_full",
    "new_empty",
    "zero",
    "fill",
    "arange",
    "linspace",
    "eye",
    "rand",
    "randn",
    "randint",
    "rand_like",
    "randn_like",
    "bernoulli",
    "uniform",
    "normal",
    "eq",
    "ne",
    "lt",
    "le",
    "gt",
    "ge",
    "logical_and",
    "logical_or",
    "logical_not",
    "logical_xor",
    "bitwise_and",
    "bitwise_or",
    "bitwise_not",
    "__and__",
    "__or__",
    "isnan",
    "isinf",
    "isfinite",
    "any",
    "all",
    "item",
    "_local_scalar_dense",
    "is_nonzero",
    "size",
    "numel",
    "pixel_shuffle",
    "pixel_unshuffle",
    "channel_shuffle",
    "max_pool1d",
    "max_pool2d",
    "max_pool3d",
    "unfold",
    "as_strided",
    "diagonal",
    "lift_fresh",
    "resolve_conj",
    "resolve_neg",
    "set",
    "resize",
    "sort",
    "topk",
    "argsort",
    "nonzero",
    "broadcast_tensors",
    "broadcast_to",
    "meshgrid",
    "view_as_real",
    "view_as_complex",
    "real",
    "imag",
    "requires_grad",
    "feature_dropout",
    "scalar_tensor",
    "tensor",
    "rot90",
    "atleast_1d",
    "atleast_2d",
    "atleast_3d",
    "ravel",
    "hstack",
    "vstack",
    "dstack",
    "bucketize",
    "unique_consecutive",
    "mT",
    "mH",
    "adjoint",
    "conj",
};

const Entry *find(std::string_view op)
{
    static const std::unordered_map<std::string_view, Entry> table = [] {
        static std::vector<std::string> names; // what the keys of short names point into
        std::unordered_map<std::string_view, Entry> entries;
        for (const Entry &entry : Products)
            entries.emplace(entry.op, entry);
        for (const Entry &entry : PerElement)
            entries.emplace(entry.op, entry);
        names.reserve(std::size(OnePerElement) + std::size(Free));
        for (const std::string_view name : OnePerElement)
            entries.emplace(names.emplace_back("aten::" + std::string(name)), Entry{{}, Rule::PerOutput});
        for (const std::string_view name : Free)
            entries.emplace(names.emplace_back("aten::" + std::string(name)), Entry{});
        return entries;
    }();
    auto entry = table.find(op);
    if (entry == table.end() && op.ends_with('_') && !op.ends_with("__"))
        entry = table.find(op.substr(0, op.size() - 1));
    return entry == table.end() ? nullptr : &entry->second;
}

double count(const Sizes &sizes)
{
    double product = 1;
    for (const std::int64_t size : sizes)
        product *= static_cast<double>(size);
    return product;
}

double last(const Sizes &sizes, std::size_t back = 1)
{
    return sizes.size() < back ? 1 : static_cast<double>(sizes[sizes.size() - back]);
}

double perOutputChannel(const Sizes &weight)
{
    return weight.empty() || weight[0] == 0 ? 0 : count(weight) / static_cast<double>(weight[0]);
}

// Operands by position, with empty sizes where there is no tensor; `complete` says whether one that was asked for
// lacked.
class Shapes
{
public:
    Shapes(const std::vector<Operand> &inputs, const std::vector<Operand> &outputs)
        : m_inputs(inputs)
        , m_outputs(outputs)
    {
    }

    const Sizes &in(std::size_t at) { return sizes(m_inputs, at); }
    const Sizes &out() { return sizes(m_outputs, 0); }
    bool flag(std::size_t at)
    {
        if (at < m_inputs.size() && m_inputs[at].number)
            return *m_inputs[at].number != 0;
        complete = false;
        return false;
    }

    bool complete = true;

private:
    const Sizes &sizes(const std::vector<Operand> &operands, std::size_t at)
    {
        static const Sizes none;
        if (at < operands.size() && operands[at].sizes)
            return *operands[at].sizes;
        complete = false;
        return none;
    }

    const std::vector<Operand> &m_inputs;
    const std::vector<Operand> &m_outputs;
};

double apply(const Entry &entry, Shapes &shapes)
{
    constexpr std::size_t TransposedAt =
        6; // convolution(input, weight, bias, stride, padding, dilation, transposed, ...)
    switch (entry.rule) {
    case Rule::None:
        return 0;
    case Rule::PerOutput:
        return entry.factor * count(shapes.out());
    case Rule::PerInput:
        return entry.factor * count(shapes.in(entry.at));
    case Rule::Dense:
        return 2 * count(shapes.in(entry.at)) * last(shapes.out());
    case Rule::MatMul:
        return 2 * count(shapes.out()) * last(shapes.in(entry.at));
    case Rule::SumMatMul:
        return 2 * count(shapes.in(entry.at)) * last(shapes.in(entry.at + 1));
    case Rule::Conv:
        return 2 * count(shapes.out()) * perOutputChannel(shapes.in(1));
    case Rule::ConvTranspose:
        return 2 * count(shapes.in(0)) * perOutputChannel(shapes.in(1));
    case Rule::Convolution:
        return 2 * count(shapes.flag(TransposedAt) ? shapes.in(0) : shapes.out()) * perOutputChannel(shapes.in(1));
    case Rule::Attention:
        return 2 * count(shapes.in(0)) * last(shapes.in(1), 2) + 2 * count(shapes.out()) * last(shapes.in(1), 2);
    case Rule::Recurrent:
        return 2 * last(shapes.in(0), 3) * last(shapes.in(0), 2) * (count(shapes.in(1)) + count(shapes.in(2)));
    }
    return 0;
}

} // namespace

bool hasFlopRule(std::string_view op)
{
    return find(op) != nullptr;
}

std::optional<double> operatorFlops(std::string_view op, const std::vector<Operand> &inputs,
                                    const std::vector<Operand> &outputs)
{
    const Entry *const entry = find(op);
    if (!entry)
        return std::nullopt;
    Shapes shapes(inputs, outputs);
    const double flops = apply(*entry, shapes);
    return shapes.complete ? std::optional(flops) : std::nullopt;
}

} // namespace pipescope::exec
