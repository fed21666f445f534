#include "check/part_norms.h"

#include "tensor/compare.h"

#include <ATen/Functions.h>
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace pipescope::check {

namespace {

constexpr std::int64_t BlockElements = 1 << 16;

// Squares of the smallest doubles are no doubles any more.
struct Squares
{
    long double size = 0;
    long double difference = 0;
};

// |a - b|, where NaN is 0 away from NaN and infinities are from themselves.
double distance(double a, double b)
{
    if (a == b || (std::isnan(a) && std::isnan(b)))
        return 0;
    const double error = std::abs(a - b);
    return std::isnan(error) ? std::numeric_limits<double>::infinity() : error;
}

// The dimensions that have parts, and the sums of each of their indices.
class Sums
{
public:
    Sums(at::IntArrayRef sizes, int rows)
        : m_sizes(sizes.begin(), sizes.end())
        , m_place(sizes.size())
        , m_parts(sizes.size())
    {
        for (std::size_t dim = 0; dim < m_sizes.size(); ++dim)
            if (static_cast<int>(dim) != rows && m_sizes[dim] > 1)
                m_parts[dim].resize(static_cast<std::size_t>(m_sizes[dim]));
    }

    // The next element in row-major order.
    void add(long double size, long double difference)
    {
        m_all.size += size;
        m_all.difference += difference;
        for (std::size_t dim = 0; dim < m_parts.size(); ++dim)
            if (!m_parts[dim].empty()) {
                Squares &sum = m_parts[dim][static_cast<std::size_t>(m_place[dim])];
                sum.size += size;
                sum.difference += difference;
            }
        for (std::size_t dim = m_place.size(); dim-- > 0;) {
            if (++m_place[dim] < m_sizes[dim])
                break;
            m_place[dim] = 0;
        }
    }

    std::vector<PartNorm> norms() const
    {
        std::int64_t count = 1;
        for (const std::int64_t size : m_sizes)
            count *= size;
        std::vector<PartNorm> norms{normOf({}, count, m_all)};
        for (std::size_t dim = 0; dim < m_parts.size(); ++dim)
            for (std::size_t index = 0; index < m_parts[dim].size(); ++index)
                norms.push_back(normOf({static_cast<int>(dim), static_cast<std::int64_t>(index)}, count / m_sizes[dim],
                                       m_parts[dim][index]));
        return norms;
    }

private:
    static PartNorm normOf(const Part &part, std::int64_t count, const Squares &sum)
    {
        return {part, count, static_cast<double>(std::sqrt(sum.size)), static_cast<double>(std::sqrt(sum.difference))};
    }

    std::vector<std::int64_t> m_sizes;
    std::vector<std::int64_t> m_place;
    std::vector<std::vector<Squares>> m_parts; // by dimension
    Squares m_all;
};

// Numbers one after another; of complex ones the real and the imaginary part.
at::Tensor flat(const at::Tensor &tensor)
{
    at::Tensor plain = tensor.detach().resolve_conj().resolve_neg().contiguous();
    if (plain.is_complex())
        plain = at::view_as_real(plain);
    return plain.reshape({-1});
}

} // namespace

std::string partText(const Part &part, std::int64_t dims)
{
    if (part.dim < 0)
        return {};
    if (part.dim == dims - 1)
        return fmt::format("column {}", part.index);
    return fmt::format("index {} of dimension {}", part.index, part.dim);
}

std::vector<PartNorm> partNorms(const at::Tensor &expected, const at::Tensor &actual, int rows)
{
    Sums sums(expected.sizes(), rows);
    const std::int64_t width = expected.is_complex() ? 2 : 1;
    const at::Tensor a = flat(expected);
    const at::Tensor b = flat(actual);
    for (std::int64_t first = 0; first < a.numel(); first += BlockElements) {
        const std::int64_t last = std::min(a.numel(), first + BlockElements);
        const at::Tensor x = a.slice(0, first, last).to(at::kDouble);
        const at::Tensor y = b.slice(0, first, last).to(at::kDouble);
        const double *from = x.const_data_ptr<double>();
        const double *to = y.const_data_ptr<double>();
        for (std::int64_t i = 0; i < last - first; i += width) {
            long double size = 0;
            long double difference = 0;
            for (std::int64_t part = i; part < i + width; ++part) {
                const long double value = std::isfinite(from[part]) ? from[part] : 0;
                const long double error = distance(from[part], to[part]);
                size += value * value;
                difference += error * error;
            }
            sums.add(size, difference);
        }
    }
    return sums.norms();
}

double roundingAllowance(at::ScalarType type)
{
    switch (c10::toRealValueType(type)) {
    case at::kDouble:
        return 16 * std::numeric_limits<double>::epsilon();
    case at::kFloat:
    case at::kHalf:
    case at::kBFloat16:
        return tensor::defaultTolerance(type).rtol;
    default:
        return 0;
    }
}

} // namespace pipescope::check
