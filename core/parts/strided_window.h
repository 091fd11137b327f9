#pragma once

#include "ir/tensor_meta.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace sunder {

/// Where the elements of a tensor lie in its storage: in a stretch of it that begins with the first element.
class StridedWindow final {
public:
    /// Nothing when sizes, strides or offset are symbolic, negative or too large, the layout has none, or the size of an
    /// element is not known.
    static std::optional<StridedWindow> of(const TensorMeta& meta);

    [[nodiscard]] std::uint64_t elementSize() const { return m_elementSize; }
    /// Bytes before the first element.
    [[nodiscard]] std::uint64_t begin() const { return m_begin; }
    /// Bytes from the first element to the end of the last.
    [[nodiscard]] std::uint64_t length() const { return m_length; }
    [[nodiscard]] std::uint64_t elementCount() const { return m_count; }

    /// Whether the elements lie one behind the other in order of their indices.
    [[nodiscard]] bool isContiguous() const;
    /// The same elements in order of their places, where no two of them overlap: dimensions by falling strides. Dimensions of stride 0,
    /// which repeat all the others, are left out, so it may have fewer elements.
    [[nodiscard]] StridedWindow inMemoryOrder() const;
    /// Whether elements of equal index lie at equal places in both, seen from their beginnings.
    [[nodiscard]] bool liesAs(const StridedWindow& other) const;
    /// Index, a number a dimension, of the first element that lies so many elements behind the beginning; nothing when
    /// none does.
    [[nodiscard]] std::optional<std::vector<std::uint64_t>> indexAt(std::uint64_t place) const;
    /// Calls `visit` with the place in the window, in elements, of every element in order of their indices, until it
    /// returns false.
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
    /// Index of the element of this number, in order of indices.
    [[nodiscard]] std::vector<std::uint64_t> indexOf(std::uint64_t number) const;

private:
    std::vector<std::uint64_t> m_sizes;
    std::vector<std::uint64_t> m_strides; ///< in elements; 0 where a dimension has one index
    std::uint64_t m_elementSize = 0;
    std::uint64_t m_begin = 0;
    std::uint64_t m_length = 0;
    std::uint64_t m_count = 1;
};

} // namespace sunder
