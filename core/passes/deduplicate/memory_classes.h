#pragma once

#include "passes/regions/ranked_graph.h"

#include "ir/program.h"
#include "operators/module_facts.h"

#include <cstdint>
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
    MemoryClasses(const Program& program, const RankedGraph& graph, Doubt doubt);

    /// Equal numbers: possibly the same memory.
    [[nodiscard]] std::uint32_t of(std::uint32_t rank) const { return m_class[rank]; }

private:
    std::uint32_t find(std::uint32_t rank);
    void mergeCall(std::uint32_t rank, const OperatorFacts& facts, Doubt doubt);
    void mergeModule(std::uint32_t rank, const ModuleCallFacts& does, Doubt doubt);
    void mergeInputs(std::uint32_t rank);
    void merge(std::uint32_t a, std::uint32_t b) { m_class[find(a)] = find(b); }
    void mergeTensors(const Program& program);

    const RankedGraph& m_graph;
    std::vector<std::uint32_t> m_class;
};

} // namespace sunder
