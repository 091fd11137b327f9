#pragma once

#include "ir/tensor_table.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace sunder {

/// Keys of tensors, equal for those that torch treats as one: same storage, offset, shape and stride.
class TensorKeys {
public:
    explicit TensorKeys(const TensorTable& tensors);

    /// Returns the key of a tensor. O(1), plus comparisons with tensors of the same storage.
    std::uint32_t of(TensorId id);
    /// Returns an upper bound of all keys.
    [[nodiscard]] std::size_t bound() const { return m_keyOf.size(); }

private:
    static constexpr std::uint32_t kNone = 0xffffffffU;

    std::uint32_t keyOf(TensorId object);
    [[nodiscard]] bool areOne(TensorId a, TensorId b) const;

    const TensorTable& m_tensors;
    std::vector<std::uint32_t> m_keyOf;  ///< per tensor object
    std::vector<TensorId> m_first;       ///< per storage: the first tensor in it
    std::unordered_map<std::uint32_t, std::vector<TensorId>> m_others; ///< storage → further distinct tensors
    std::uint32_t m_count = 0;
};

} // namespace sunder
