#pragma once

#include "analysis/cut/cut_graph.h"
#include "analysis/sizes.h"
#include "operators/operator_catalogue.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sunder {

/// The memory of training a part, for one micro-batch, in bytes.
struct TrainingSizes {
    std::uint64_t savedBytes = 0; ///< distinct storages that autograd saves in the forward pass, except parameters
    std::uint64_t gradientBytes = 0; ///< of parameters that the part reads and that need gradients
    std::vector<InternedString> assumed = {}; ///< targets without a rule: assumed to save all operands and results
};

/// What autograd keeps for the backward pass of parts, following `core/operators/data/saved_for_backward.txt`. A part receives
/// gradients for its results. Parameters need gradients as the file states; if it states none, all do. Program and graph must
/// outlive it.
class BackwardMemory {
public:
    /// `recompute`: paths of modules that keep only their inputs. O(nodes + arguments).
    BackwardMemory(const Program& program, const CutGraph& graph, std::span<const InternedString> recompute = {});

    /// Measures a part with the given calls. O(arguments of the calls).
    [[nodiscard]] TrainingSizes measure(const std::vector<std::int32_t>& partOf, std::int32_t part,
                                        std::span<const std::uint32_t> calls);

    /// Returns whether the backward pass computes a gradient for the result of a node.
    [[nodiscard]] bool needsGradient(NodeId id) const { return m_needs[id.index()] != 0; }

private:
    class PartSum;

    void findGradients();
    [[nodiscard]] bool passesGradient(const Node& node);
    [[nodiscard]] std::size_t recomputedModuleOf(const Node& node) const;

    const Program& m_program;
    const CutGraph& m_graph;
    std::span<const InternedString> m_recompute;
    std::vector<TensorId> m_tensors; ///< per NodeId, see tensorsOfNodes()
    MemoryTable m_table;
    std::vector<char> m_needs; ///< per NodeId: whether it needs gradients
    bool m_statesGradients = false;
    OperatorCatalog m_operators;
};

} // namespace sunder
