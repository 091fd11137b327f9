#pragma once

#include "ir/tensor_meta.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace sunder {

/// The positions of a tensor's elements in its storage, relative to its first element.
class StridedWindow final {
public:
    /// Returns nothing if sizes, strides, or offset are symbolic, negative, or too large, if the layout has no strides, or if the
    /// element size is unknown.
    static std::optional<StridedWindow> of(const TensorMeta& meta);

    [[nodiscard]] std::uint64_t elementSize() const { return m_elementSize; }
    /// Returns the offset of the first element in bytes.
    [[nodiscard]] std::uint64_t begin() const { return m_begin; }
    /// Returns the bytes from the first element to the end of the last.
    [[nodiscard]] std::uint64_t length() const { return m_length; }
    [[nodiscard]] std::uint64_t elementCount() const { return m_count; }

    /// Whether the elements are contiguous in index order.
    [[nodiscard]] bool isContiguous() const;
    /// Returns the same elements in memory order, if no two of them overlap: dimensions sorted by descending stride. Omits
    /// dimensions of stride 0, which repeat the other elements, so it may have fewer elements.
    [[nodiscard]] StridedWindow inMemoryOrder() const;
    /// Whether elements with equal indices have equal positions in both windows.
    [[nodiscard]] bool liesAs(const StridedWindow& other) const;
    /// Returns the index, one number per dimension, of the first element at this position (in elements); nothing if there is
    /// none.
    [[nodiscard]] std::optional<std::vector<std::uint64_t>> indexAt(std::uint64_t place) const;
    /// Calls `visit` with the position in the window, in elements, of every element in index order, until it returns false.
    template <typename Visit>
    void forEach(const Visit& visit) const
    {
        std::vector<std::uint64_t> index(m_sizes.size(), 0);
        std::uint64_t place = 0;
        for (std::uint64_t i = 0; i < m_count; ++i) {
            if (!visit(place))
                return;
            for (std::size_t d = m_sizes.size(); d-- > 0;) {
                place += m_strides[d];
                if (++index[d] < m_sizes[d])
                    break;
                place -= m_strides[d] * m_sizes[d];
                index[d] = 0;
            }
        }
    }
    /// Returns the multidimensional index of the element with this number in index order.
    [[nodiscard]] std::vector<std::uint64_t> indexOf(std::uint64_t number) const;

private:
    std::vector<std::uint64_t> m_sizes;
    std::vector<std::uint64_t> m_strides; ///< in elements; 0 for dimensions of size one
    std::uint64_t m_elementSize = 0;
    std::uint64_t m_begin = 0;
    std::uint64_t m_length = 0;
    std::uint64_t m_count = 1;
};

} // namespace sunder
