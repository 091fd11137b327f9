#include "parts/strided_window.h"

#include <algorithm>
#include <numeric>

namespace sunder {
namespace {

std::optional<std::uint64_t> number(const Argument& value)
{
    if (!value.is(ArgumentKind::integer) || value.asInteger() < 0)
        return std::nullopt;
    return static_cast<std::uint64_t>(value.asInteger());
}

} // namespace

std::optional<StridedWindow> StridedWindow::of(const TensorMeta& meta)
{
    StridedWindow window;
    const std::optional<std::uint64_t> size = sunder::elementSize(meta.dtype.view());
    const bool isStrided = meta.layout.empty() || meta.layout.view() == "strided";
    const std::optional<std::uint64_t> offset = meta.offset ? number(*meta.offset) : 0;
    if (!size || *size == 0 || !isStrided || !offset || (meta.stride && meta.stride->size() != meta.shape.size()))
        return std::nullopt;
    window.m_elementSize = *size;
    for (const Argument& given : meta.shape) {
        const std::optional<std::uint64_t> known = number(given);
        if (!known || __builtin_mul_overflow(window.m_count, *known, &window.m_count))
            return std::nullopt;
        window.m_sizes.push_back(*known);
    }
    window.m_strides.resize(window.m_sizes.size());
    std::uint64_t contiguous = 1;
    std::uint64_t last = 0;
    for (std::size_t d = window.m_sizes.size(); d-- > 0;) {
        const std::optional<std::uint64_t> stride = meta.stride ? number((*meta.stride)[d]) : contiguous;
        if (!stride)
            return std::nullopt;
        contiguous *= std::max<std::uint64_t>(window.m_sizes[d], 1);
        if (window.m_sizes[d] < 2)
            continue;
        window.m_strides[d] = *stride;
        std::uint64_t reach = 0;
        if (__builtin_mul_overflow(*stride, window.m_sizes[d] - 1, &reach) || __builtin_add_overflow(last, reach, &last))
            return std::nullopt;
    }
    std::uint64_t end = 0;
    if (__builtin_mul_overflow(*offset, *size, &window.m_begin) || __builtin_mul_overflow(last + 1, *size, &window.m_length)
        || __builtin_add_overflow(window.m_begin, window.m_length, &end) || end >> 62U != 0)
        return std::nullopt;
    if (window.m_count == 0)
        window.m_length = 0;
    return window;
}

bool StridedWindow::isContiguous() const
{
    std::uint64_t expected = 1;
    for (std::size_t d = m_sizes.size(); d-- > 0;) {
        if (m_sizes[d] > 1 && m_strides[d] != expected)
            return false;
        expected *= m_sizes[d];
    }
    return true;
}

StridedWindow StridedWindow::inMemoryOrder() const
{
    std::vector<std::size_t> order;
    for (std::size_t d = 0; d < m_sizes.size(); ++d)
        if (m_strides[d] != 0)
            order.push_back(d);
    std::ranges::stable_sort(order, std::ranges::greater(), [this](std::size_t d) { return m_strides[d]; });
    StridedWindow ordered = *this;
    ordered.m_sizes.clear();
    ordered.m_strides.clear();
    ordered.m_count = m_count == 0 ? 0 : 1;
    for (const std::size_t d : order) {
        ordered.m_sizes.push_back(m_sizes[d]);
        ordered.m_strides.push_back(m_strides[d]);
        ordered.m_count *= m_sizes[d];
    }
    return ordered;
}

bool StridedWindow::liesAs(const StridedWindow& other) const
{
    return m_elementSize == other.m_elementSize && m_sizes == other.m_sizes && m_strides == other.m_strides;
}

std::vector<std::uint64_t> StridedWindow::indexOf(std::uint64_t number) const
{
    std::vector<std::uint64_t> index(m_sizes.size());
    for (std::size_t d = m_sizes.size(); d-- > 0;) {
        index[d] = number % m_sizes[d];
        number /= m_sizes[d];
    }
    return index;
}

std::optional<std::vector<std::uint64_t>> StridedWindow::indexAt(std::uint64_t place) const
{
    // Widest strides first: the rest must be in reach of the narrower ones.
    std::vector<std::size_t> order;
    for (std::size_t d = 0; d < m_sizes.size(); ++d)
        if (m_strides[d] != 0)
            order.push_back(d);
    std::ranges::stable_sort(order, std::ranges::greater(), [this](std::size_t d) { return m_strides[d]; });
    std::vector<std::uint64_t> reach(order.size() + 1, 0);
    for (std::size_t i = order.size(); i-- > 0;)
        reach[i] = reach[i + 1] + m_strides[order[i]] * (m_sizes[order[i]] - 1);
    std::vector<std::uint64_t> index(m_sizes.size(), 0);
    const auto search = [&](const auto& self, std::size_t i, std::uint64_t rest) -> bool {
        if (i == order.size())
            return rest == 0;
        const std::uint64_t stride = m_strides[order[i]];
        const std::uint64_t lowest = rest > reach[i + 1] ? (rest - reach[i + 1] + stride - 1) / stride : 0;
        const std::uint64_t highest = std::min(rest / stride, m_sizes[order[i]] - 1);
        for (std::uint64_t at = lowest; at <= highest; ++at) {
            index[order[i]] = at;
            if (self(self, i + 1, rest - at * stride))
                return true;
        }
        return false;
    };
    return m_count != 0 && search(search, 0, place) ? std::optional(index) : std::nullopt;
}

} // namespace sunder
