#pragma once

#include "analysis/run_order/call_effects.h"
#include "analysis/run_order/memory_classes.h"
#include "analysis/run_order/memory_dependencies.h"
#include "analysis/run_order/ranked_graph.h"
#include "analysis/sizes.h"
#include "ir/program.h"
#include "support/progress_monitor.h"

#include <cstdint>
#include <vector>

namespace sunder {

/// The reasons why an access may touch other memory or have other effects than assumed.
struct AccessDoubts {
    bool isUnknownCall = false;    ///< the operator or module has no schema: assumed to have all effects
    bool isUnknownStorage = false; ///< the file has no storage for some tensors: assumed to be the same memory
    bool isUnlisted = false;       ///< the file lists no tensors for the called modules: assumed to be the same
    [[nodiscard]] bool isNone() const { return !isUnknownCall && !isUnknownStorage && !isUnlisted; }
    AccessDoubts& operator|=(const AccessDoubts& other)
    {
        isUnknownCall = isUnknownCall || other.isUnknownCall;
        isUnknownStorage = isUnknownStorage || other.isUnknownStorage;
        isUnlisted = isUnlisted || other.isUnlisted;
        return *this;
    }
    friend bool operator==(const AccessDoubts&, const AccessDoubts&) = default;
};

/// The locations that the nodes of the root graph access: memory classes of values (by the rank of one of them), then global state,
/// random numbers, side effects, and tensors of called modules in general, then memories of tensors without a node.
class MemoryLocations {
public:
    MemoryLocations(const Program& program, const RankedGraph& graph, const MemoryClasses& classes, MemoryTable table,
                    MemoryReads reads);

    [[nodiscard]] std::size_t count() const { return modules + 1 + m_ofMemory.size(); }
    [[nodiscard]] std::uint32_t ofValue(std::uint32_t rank) const { return m_ofValue[rank]; }
    [[nodiscard]] std::uint32_t ofTensor(TensorId tensor) const { return m_ofMemory[m_table.memoryOf[tensor.index()]]; }
    /// Returns the reasons why it is uncertain whether the tensors in a location share memory.
    [[nodiscard]] AccessDoubts doubts(std::uint32_t location) const
    {
        return {.isUnknownStorage = location == m_joined, .isUnlisted = location == modules};
    }
    /// Returns whether a node reads parameters, buffers, or constants.
    [[nodiscard]] bool readsAny(NodeId id) const { return !m_reads.of(id).empty(); }
    /// Calls `visit(location)` for each parameter, buffer, and constant that a node reads.
    template <typename Visit>
    void forEachHeld(NodeId id, const Visit& visit) const
    {
        for (const std::uint32_t memory : m_reads.of(id))
            visit(m_ofMemory[memory]);
    }

    const std::uint32_t state;
    const std::uint32_t random;
    const std::uint32_t effects;
    const std::uint32_t modules; ///< tensors of called modules; the file may omit them

private:
    void joinWhatMayShare(const Program& program);

    MemoryTable m_table;
    MemoryReads m_reads;
    std::vector<std::uint32_t> m_ofValue; ///< per rank
    std::vector<std::uint32_t> m_ofMemory; ///< per memory
    std::uint32_t m_joined = NodeId::kInvalid; ///< location of several tensors without a storage in the file
};

/// The effects of all nodes of the root graph, and their accesses to locations where these may conflict: memory that some node
/// writes to, random numbers, side effects, and global state, if a node sets it. Unknown operators are assumed to access all of
/// their inputs, random numbers, and side effects.
class MemoryAccesses {
public:
    /// O(nodes + arguments + tensors of called modules), plus one lookup in the operator table per target.
    MemoryAccesses(const Program& program, const RankedGraph& graph, const MemoryClasses& classes);
    /// Same; fails with ErrorCode::cancelled.
    static Result<MemoryAccesses> build(const Program& program, const RankedGraph& graph, const MemoryClasses& classes,
                                        ProgressMonitor& monitor);

    [[nodiscard]] const MemoryLocations& locations() const { return m_locations; }
    [[nodiscard]] const CallEffects& effects(std::uint32_t rank) const { return m_effects[rank]; }
    /// Returns whether a node may write to tensors of the modules or graphs that it calls.
    [[nodiscard]] bool writesHeld(std::uint32_t rank) const { return m_writesHeld[rank] != 0; }
    /// Returns whether a call only uses address and shape of its inputs: a view or a query.
    [[nodiscard]] bool usesFormOnly(std::uint32_t rank) const { return m_usesFormOnly[rank] != 0; }
    [[nodiscard]] bool isWritten(std::uint32_t location) const { return m_isWritten[location] != 0; }
    /// Returns whether a location is written by a call that may change the shape of the memory.
    [[nodiscard]] bool isReshaped(std::uint32_t location) const { return m_isReshaped[location] != 0; }
    /// Returns all accesses: to memory first, then to state, random numbers, side effects, and tensors of modules.
    [[nodiscard]] const AccessLists& lists() const { return m_lists; }

private:
    MemoryAccesses(const RankedGraph& graph, MemoryLocations locations);

    Result<void> findEffects(const Program& program, ProgressMonitor& monitor);
    bool noteForm(OperatorCatalog& catalogue, std::uint32_t rank);
    void noteWrites(std::uint32_t rank, bool mayReshape);
    void listAccesses(std::uint32_t rank);

    const RankedGraph& m_graph;
    MemoryLocations m_locations;
    std::vector<CallEffects> m_effects; ///< per rank
    std::vector<std::uint8_t> m_writesHeld; ///< per rank
    std::vector<std::uint8_t> m_usesFormOnly; ///< per rank
    std::vector<std::uint8_t> m_isWritten; ///< per location
    std::vector<std::uint8_t> m_isReshaped; ///< per location
    AccessLists m_lists;
};

} // namespace sunder
