#pragma once

#include "analysis/cost/call_shapes.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace sunder {

/// Returns the sum; nothing if one is unknown or it exceeds 64 bits.
std::optional<std::uint64_t> sumOf(std::optional<std::uint64_t> a, std::optional<std::uint64_t> b);

/// Floating-point operations under one operator that torch.utils.flop_counter lists.
struct OperatorFlops {
    std::string_view packet;            ///< "aten::mm"; a literal
    std::optional<std::uint64_t> count; ///< nothing if unknown
};

/// Returns the operations of a call of an ATen operator by its formula: those of the matrix products, convolutions, or attention
/// that PyTorch 2.13 replaces it by. Empty for an operator without a formula. O(arguments), for a chain of matrices O(matrices³).
std::vector<OperatorFlops> flopsOf(const CallShapes& call, std::string_view packet);

} // namespace sunder
