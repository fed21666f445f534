#include "exec/flop_counter.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>

namespace pipescope::exec {

namespace {

thread_local FlopCounter *activeCounter = nullptr;

ops::Operand operandOf(const c10::IValue &value)
{
    ops::Operand operand;
    if (value.isTensor() && value.toTensor().defined() && !value.toTensor().is_nested())
        operand.sizes = value.toTensor().sizes().vec();
    else if (value.isBool())
        operand.number = value.toBool() ? 1 : 0;
    else if (value.isInt())
        operand.number = value.toInt();
    return operand;
}

// LibTorch reports the whole stack of a boxed call; below the call's own values lies what a loop around it carries.
template <class Stack>
std::vector<ops::Operand> operandsOf(const Stack &stack, std::size_t own)
{
    own = std::min(own, static_cast<std::size_t>(stack.size()));
    std::vector<ops::Operand> operands;
    operands.reserve(own);
    std::transform(stack.end() - static_cast<std::ptrdiff_t>(own), stack.end(), std::back_inserter(operands),
                   &operandOf);
    return operands;
}

} // namespace

FlopCounter::FlopCounter(const graph::ModelGraph &graph)
    : m_graph(graph)
    , m_counts(graph.nodes.size())
    , m_unknown(graph.nodes.size())
{
    PIPESCOPE_ASSERT(!activeCounter);
    activeCounter = this;
    m_handle = at::addThreadLocalCallback(at::RecordFunctionCallback(&FlopCounter::start, &FlopCounter::end)
                                              .needsInputs(true)
                                              .needsOutputs(true)
                                              .scopes({at::RecordScope::FUNCTION}));
}

FlopCounter::~FlopCounter()
{
    at::removeCallback(m_handle);
    activeCounter = nullptr;
}

std::unique_ptr<at::ObserverContext> FlopCounter::start(const at::RecordFunction &function)
{
    if (activeCounter)
        activeCounter->begins(function);
    return nullptr;
}

void FlopCounter::end(const at::RecordFunction &function, at::ObserverContext *)
{
    if (activeCounter)
        activeCounter->ends(function);
}

void FlopCounter::begins(const at::RecordFunction &function)
{
    if (!m_open.empty() && m_open.back().hasRule) {
        ++m_covered;
        return;
    }
    Call call;
    call.op = function.name();
    call.hasRule = ops::hasFlopRule(call.op);
    if (call.hasRule)
        call.inputs = operandsOf(function.inputs(), function.num_inputs());
    m_open.push_back(std::move(call));
}

void FlopCounter::ends(const at::RecordFunction &function)
{
    if (m_covered > 0) {
        --m_covered;
        return;
    }
    if (m_open.empty())
        return; // begun before counting
    const Call call = std::move(m_open.back());
    m_open.pop_back();
    if (call.hasRule)
        add(ops::operatorFlops(call.op, call.inputs, operandsOf(function.outputs(), function.num_outputs())));
    else
        add(call.known && call.inner > 0 ? std::optional(call.inner) : std::nullopt);
}

void FlopCounter::add(std::optional<double> flops)
{
    if (!m_open.empty()) {
        m_open.back().inner += flops.value_or(0);
        m_open.back().known = m_open.back().known && flops.has_value();
    } else if (m_current.valid()) {
        m_counts[m_current.index()] += flops.value_or(0);
        m_unknown[m_current.index()] = m_unknown[m_current.index()] || !flops;
    }
}

std::vector<std::optional<double>> FlopCounter::flops() const
{
    std::vector<double> counts(m_counts.size());
    std::vector<bool> unknown(m_counts.size());
    for (const graph::Node &node : m_graph.nodes) {
        for (NodeId holder = node.id; holder.valid(); holder = m_graph.node(holder).parent) {
            counts[holder.index()] += m_counts[node.id.index()];
            unknown[holder.index()] = unknown[holder.index()] || m_unknown[node.id.index()];
        }
    }
    std::vector<std::optional<double>> result(counts.size());
    for (std::size_t i = 0; i < counts.size(); ++i)
        if (!unknown[i])
            result[i] = counts[i];
    return result;
}

} // namespace pipescope::exec
