#pragma once

#include "analysis/run_order/ranked_graph.h"

#include "ir/program.h"
#include "operators/module_facts.h"
#include "support/flat_map.h"
#include "support/progress_monitor.h"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace sunder {

/// Which values of a graph may lie in the same memory: those whose storages are known to be the same; where a value has
/// no storage on file, it and what its operator may return a view of. Taking two memories for one is safe.
class MemoryClasses {
public:
    enum class Doubt : std::uint8_t {
        merge, ///< what may share memory with any of its inputs does: for orders that must be right
        ignore ///< such results, which seldom do, have memory of their own
    };
    /// Unfinished once `monitor` was cancelled.
    MemoryClasses(const Program& program, const RankedGraph& graph, Doubt doubt,
                  ProgressMonitor& monitor = ProgressMonitor::none());

    /// Equal numbers: possibly the same memory.
    [[nodiscard]] std::uint32_t of(std::uint32_t rank) const { return m_class[rank]; }
    /// The argument that a node's value surely is, as `to(float32)` of a float32 tensor is that tensor; else the node.
    [[nodiscard]] std::uint32_t itself(std::uint32_t rank) const { return m_itself[rank]; }
    /// What a node's value is, followed as far as that goes.
    [[nodiscard]] std::uint32_t origin(std::uint32_t rank) const { return m_origin[rank]; }

private:
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
    std::vector<char> m_apart; ///< per rank: a call whose results are taken to lie apart from all that went into it
    FlatMap<std::uint32_t> m_firstIn; ///< storage → first rank in it
    std::map<std::pair<std::uint32_t, std::int64_t>, std::uint32_t> m_items; ///< (tuple, index) → first rank that takes it
};

} // namespace sunder
