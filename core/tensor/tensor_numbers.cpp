#include "tensor/tensor_numbers.h"

#include "tensor/ivalue_tree.h"
#include "tensor/torch_guard.h"

#include <ATen/ATen.h>
#include <algorithm>
#include <c10/core/GradMode.h>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <functional>
#include <iterator>
#include <sstream>

namespace pipescope::tensor {

namespace {

constexpr std::int64_t PieceLimit = 1 << 18; ///< elements: 2 MiB of doubles

/// Calls `use` with pieces that together are the tensor. False once `use` is.
bool forEachPiece(const at::Tensor &tensor, const std::function<bool(const at::Tensor &)> &use)
{
    if (tensor.numel() == 0)
        return true;
    if (tensor.numel() <= PieceLimit)
        return use(tensor);
    const auto longest = std::max_element(tensor.sizes().begin(), tensor.sizes().end()) - tensor.sizes().begin();
    const std::int64_t half = tensor.size(longest) / 2;
    return forEachPiece(tensor.narrow(longest, 0, half), use) &&
           forEachPiece(tensor.narrow(longest, half, tensor.size(longest) - half), use);
}

/// The piece's numbers one after another, as doubles on the CPU.
at::Tensor asDoubles(const at::Tensor &piece)
{
    at::Tensor numbers = piece.is_quantized() ? piece.dequantize() : piece;
    if (numbers.is_complex())
        numbers = numbers.to(at::kCPU, at::kComplexDouble).abs();
    return numbers.to(at::kCPU, at::kDouble).contiguous();
}

class Numbers
{
public:
    explicit Numbers(const std::stop_token &stop)
        : m_stop(stop)
    {
    }

    /// False where it was stopped.
    bool count(const at::Tensor &tensor, report::LeafStatistics &leaf)
    {
        if (!forEachNumber(tensor, [&](double number) { first(number, leaf); }))
            return false;
        if (m_finite == 0)
            return true;
        leaf.smallest = m_smallest;
        leaf.largest = m_largest;
        m_mean = m_sum / static_cast<long double>(m_finite);
        leaf.mean = std::clamp(static_cast<double>(m_mean), m_smallest, m_largest);
        leaf.histogram.assign(m_smallest < m_largest ? HistogramBins : 1, 0);
        m_width = static_cast<long double>(m_largest) - static_cast<long double>(m_smallest);
        if (!forEachNumber(tensor, [&](double number) { second(number, leaf); }))
            return false;
        leaf.deviation = static_cast<double>(std::sqrt(m_squares / static_cast<long double>(m_finite)));
        return true;
    }

private:
    bool forEachNumber(const at::Tensor &tensor, const auto &use) const
    {
        return forEachPiece(tensor, [&](const at::Tensor &piece) {
            if (m_stop.stop_requested())
                return false;
            const at::Tensor numbers = asDoubles(piece);
            const double *const data = numbers.const_data_ptr<double>();
            std::for_each(data, data + numbers.numel(), use);
            return true;
        });
    }

    void first(double number, report::LeafStatistics &leaf)
    {
        if (std::isnan(number)) {
            ++leaf.nans;
        } else if (std::isinf(number)) {
            ++leaf.infinities;
        } else {
            leaf.zeros += number == 0 ? 1 : 0;
            m_smallest = m_finite == 0 ? number : std::min(m_smallest, number);
            m_largest = m_finite == 0 ? number : std::max(m_largest, number);
            m_sum += number;
            ++m_finite;
        }
    }

    void second(double number, report::LeafStatistics &leaf)
    {
        if (!std::isfinite(number))
            return;
        const long double off = number - m_mean;
        m_squares += off * off;
        std::size_t bin = 0;
        if (leaf.histogram.size() > 1)
            bin = static_cast<std::size_t>((number - static_cast<long double>(m_smallest)) / m_width * HistogramBins);
        ++leaf.histogram[std::min(bin, leaf.histogram.size() - 1)]; // the largest belongs to the last one
    }

    const std::stop_token &m_stop;
    std::int64_t m_finite = 0;
    double m_smallest = 0;
    double m_largest = 0;
    // Sums of doubles can leave the range of a double.
    long double m_sum = 0;
    long double m_mean = 0;
    long double m_width = 0;
    long double m_squares = 0;
};

Status checkKind(const at::Tensor &tensor)
{
    const auto refuse = [](std::string message) { return Error{ErrorCode::Unsupported, std::move(message), {}, {}}; };
    if (tensor.is_nested())
        return refuse("it is a nested tensor, whose numbers cannot be looked into");
    if (tensor.layout() != at::kStrided) {
        std::ostringstream layout;
        layout << tensor.layout();
        return refuse(fmt::format("it is a tensor of layout {}, which does not store all of its numbers; only strided "
                                  "tensors can be looked into",
                                  layout.str()));
    }
    if (tensor.is_meta())
        return refuse("it is a tensor on the meta device, which has no numbers");
    return Success{};
}

} // namespace

Result<report::LeafStatistics> numbersOf(const at::Tensor &tensor, const std::stop_token &stop)
{
    return guardTorch(ErrorCode::Unsupported, {}, [&]() -> Result<report::LeafStatistics> {
        if (Status known = checkKind(tensor); !known)
            return known.error();
        const c10::NoGradGuard noGrad;
        const graph::TensorMeta meta = describeTensor(tensor);
        report::LeafStatistics leaf;
        leaf.dtype = meta.dtype;
        leaf.sizes = meta.sizes;
        leaf.bytes = meta.bytes;
        leaf.count = tensor.numel();
        // A piece of a tensor with a scale for each channel cannot be taken.
        const bool byChannel = tensor.is_quantized() && tensor.qscheme() != at::kPerTensorAffine;
        if (!Numbers(stop).count(byChannel ? tensor.dequantize() : tensor, leaf))
            return Error{ErrorCode::Cancelled, "stopped", {}, {}};
        return leaf;
    });
}

} // namespace pipescope::tensor
