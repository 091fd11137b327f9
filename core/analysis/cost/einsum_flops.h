#pragma once

#include "analysis/cost/call_shapes.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace sunder {

struct EinsumFlops {
    std::optional<std::uint64_t> count = 0; ///< nothing if it exceeds 64 bits
    bool multiplies = false; ///< whether there is a batched matrix product; otherwise elementwise products and sums suffice
};

/// Counts the operations of einsum's batched matrix products. Operands are contracted from left to right, or in the order of
/// `path`: pairs of positions in the list of the remaining operands; each result is appended to that list. Returns nothing for an
/// equation that does not fit the operands. O(operands · (labels + dimensions)).
std::optional<EinsumFlops> einsumFlops(std::string_view equation, std::span<const Shape> operands,
                                       std::span<const std::int64_t> path);

} // namespace sunder
