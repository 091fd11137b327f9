#pragma once

#include "ir/program.h"
#include "operators/operator_catalogue.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace sunder {

/// The floating-point operations of one call.
struct NodeFlops {
    /// A multiply-add counts as two; biases, softmax, normalization, and elementwise work count as none. Nothing if a size is
    /// unknown or the number exceeds 64 bits.
    std::optional<std::uint64_t> count = 0;
    /// Whether a formula covers the call. If not, the count is 0 although the call may compute.
    bool hasFormula = false;
};

/// Counts the floating-point operations of calls as `torch.utils.flop_counter` of PyTorch 2.13 does for one node at a time: it has
/// formulas for matrix products, convolutions, and fused attention. Composite operators (linear, matmul, einsum, LSTM …) count
/// as the products to which PyTorch decomposes them. Sizes are those of `val`, with hints for symbolic sizes.
class FlopCounter {
public:
    explicit FlopCounter(const Program& program) : m_program(program), m_operators(program) {}
    /// Counts a call with the graphs that it executes: of a `cond`, per operator the larger count of the two branches.
    /// O(arguments + nodes of those graphs).
    NodeFlops of(GraphId graph, NodeId node);

private:
    /// Counts per operator packet ("aten::mm").
    using Counts = std::vector<std::pair<std::string_view, std::uint64_t>>;

    void add(GraphId in, const Node& node, Counts& counts);
    /// Adds the calls of a graph; nothing for an invalid id.
    void addBody(GraphId body, Counts& counts);
    void addBranches(GraphId in, const Node& cond, Counts& counts);
    void addProduct(Counts& counts, std::string_view packet, std::optional<std::uint64_t> count);

    const Program& m_program;
    OperatorCatalog m_operators;
    bool m_hasFormula = false;
    bool m_isKnown = true;
    int m_depth = 0; ///< of nested graphs
};

} // namespace sunder
