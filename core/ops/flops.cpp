#include "ops/flops.h"

#include "ops/operator.h"

#include <cstddef>
#include <cstdint>

namespace pipescope::ops {

namespace {

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
class CallSizes
{
public:
    CallSizes(const std::vector<Operand> &inputs, const std::vector<Operand> &outputs)
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

double apply(const Flops &flops, CallSizes &call)
{
    constexpr std::size_t TransposedAt =
        6; // convolution(input, weight, bias, stride, padding, dilation, transposed, ...)
    switch (flops.rule) {
    case FlopRule::None:
        return 0;
    case FlopRule::PerOutput:
        return flops.factor * count(call.out());
    case FlopRule::PerInput:
        return flops.factor * count(call.in(flops.at));
    case FlopRule::Dense:
        return 2 * count(call.in(flops.at)) * last(call.out());
    case FlopRule::MatMul:
        return 2 * count(call.out()) * last(call.in(flops.at));
    case FlopRule::SumMatMul:
        return 2 * count(call.in(flops.at)) * last(call.in(flops.at + 1));
    case FlopRule::Conv:
        return 2 * count(call.out()) * perOutputChannel(call.in(1));
    case FlopRule::ConvTranspose:
        return 2 * count(call.in(0)) * perOutputChannel(call.in(1));
    case FlopRule::Convolution:
        return 2 * count(call.flag(TransposedAt) ? call.in(0) : call.out()) * perOutputChannel(call.in(1));
    case FlopRule::Attention:
        return 2 * count(call.in(0)) * last(call.in(1), 2) + 2 * count(call.out()) * last(call.in(1), 2);
    case FlopRule::Recurrent:
        return 2 * last(call.in(0), 3) * last(call.in(0), 2) * (count(call.in(1)) + count(call.in(2)));
    }
    return 0;
}

} // namespace

bool hasFlopRule(std::string_view op)
{
    return of(op).flops.has_value();
}

std::optional<double> operatorFlops(std::string_view op, const std::vector<Operand> &inputs,
                                    const std::vector<Operand> &outputs)
{
    const std::optional<Flops> &flops = of(op).flops;
    if (!flops)
        return std::nullopt;
    CallSizes call(inputs, outputs);
    const double counted = apply(*flops, call);
    return call.complete ? std::optional(counted) : std::nullopt;
}

} // namespace pipescope::ops
