#pragma once

#include "analysis/run_order/ranked_graph.h"
#include "ir/graph.h"
#include "ir/program.h"
#include "operators/module_facts.h"
#include "support/flat_map.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace sunder {

/// Returns whether a call is Python's `getattr(x, "shape")` or a query for similar attributes: a number, shape, dtype or device.
/// The result shares no memory with the tensor and does not depend on its contents, autocast, or grad mode. O(1).
bool usesFormOnly(const Node& node);

/// Groups values of a graph that may share memory. Values with equal storages in the file are one group. A value without a
/// storage joins the inputs that its operator may return a view of. Merging separate memories is always safe.
class MemoryClasses {
public:
    enum class Doubt : std::uint8_t {
        merge, ///< results that may share memory with inputs do: for orders that must be right
        ignore ///< such results, which rarely do, have separate memory
    };
    MemoryClasses(const Program& program, const RankedGraph& graph, Doubt doubt);
    /// Same; fails with ErrorCode::cancelled.
    static Result<MemoryClasses> build(const Program& program, const RankedGraph& graph, Doubt doubt, ProgressMonitor& monitor);

    /// Returns the class of a value. Equal classes: possibly the same memory.
    [[nodiscard]] std::uint32_t of(std::uint32_t rank) const { return m_class[rank]; }
    /// Returns the argument that a node certainly returns unchanged, such as the float32 input of `to(float32)`; otherwise the
    /// node.
    [[nodiscard]] std::uint32_t itself(std::uint32_t rank) const { return m_itself[rank]; }
    /// Follows itself() to its end.
    [[nodiscard]] std::uint32_t origin(std::uint32_t rank) const { return m_origin[rank]; }

private:
    explicit MemoryClasses(const RankedGraph& graph);

    Result<void> mergeAll(const Program& program, Doubt doubt, ProgressMonitor& monitor);
    std::uint32_t find(std::uint32_t rank);
    [[nodiscard]] CallFacts factsOf(std::uint32_t rank, const OperatorFacts& facts) const;
    void mergeCall(std::uint32_t rank, const OperatorFacts& facts, const CallFacts& does, Doubt doubt);
    void noteItself(std::uint32_t rank, const OperatorFacts& facts, const CallFacts& does);
    void mergeModule(std::uint32_t rank, const ModuleCallFacts& does, Doubt doubt);
    void mergeInputs(std::uint32_t rank);
    bool mergeStorages(std::uint32_t rank, Doubt doubt);
    bool mergeItem(std::uint32_t rank);
    void merge(std::uint32_t a, std::uint32_t b) { m_class[find(a)] = find(b); }
    void mergeTensors(const Program& program);

    const RankedGraph& m_graph;
    std::vector<std::uint32_t> m_class;
    std::vector<std::uint32_t> m_itself;
    std::vector<std::uint32_t> m_origin;
    std::vector<char> m_apart; ///< per rank: a call whose results are assumed to share no memory with its inputs
    FlatMap<std::uint32_t> m_firstIn; ///< storage → first rank with it
    std::map<std::pair<std::uint32_t, std::int64_t>, std::uint32_t> m_items; ///< (tuple, index) → first rank that takes it
};

} // namespace sunder
