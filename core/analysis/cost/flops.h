#pragma once

#include "ir/program.h"
#include "operators/operator_catalogue.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
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

/// Returns the graphs that a call executes, as far as costs count them: that of a module or a region, and both branches of a `cond`.
std::vector<GraphId> executedGraphs(const Program& program, OperatorCatalog& operators, GraphId in, const Node& call);

/// Counts the floating-point operations of calls as `torch.utils.flop_counter` of PyTorch 2.13 does for one node at a time: it has
/// formulas for matrix products, convolutions, and fused attention. Composite operators (linear, matmul, einsum, LSTM …) count
/// as the matrix products that PyTorch replaces them by. Sizes are those of `val`, with hints for symbolic sizes.
class FlopCounter {
public:
    /// Both must outlive the counter.
    FlopCounter(const Program& program, OperatorCatalog& operators) : m_program(program), m_operators(operators) {}
    /// Counts a call with the graphs that it executes: of a `cond`, per operator the larger count of the two branches.
    /// O(arguments), and O(nodes) for the first call of a graph.
    NodeFlops of(GraphId graph, NodeId node);

private:
    /// Counts so far.
    struct Tally {
        /// PyTorch keeps the larger count of the branches of a `cond` only before it has counted anything else.
        bool isAfterOthers = false;
        bool hasFormula = false;
        bool isKnown = true;
        std::vector<std::pair<std::string_view, std::uint64_t>> counts = {}; ///< per operator packet ("aten::mm")

        void add(std::string_view packet, std::optional<std::uint64_t> count);
        [[nodiscard]] bool hasCounted() const { return isAfterOthers || !counts.empty(); }
    };

    void add(GraphId in, const Node& node, Tally& tally);
    /// Adds the calls of a graph; nothing for an invalid id.
    void addBody(GraphId body, Tally& tally);
    void addBranches(GraphId in, const Node& cond, Tally& tally);

    const Program& m_program;
    OperatorCatalog& m_operators;
    std::unordered_map<std::uint64_t, Tally> m_bodies; ///< by graph and isAfterOthers
    int m_depth = 0; ///< of nested graphs
};

} // namespace sunder
