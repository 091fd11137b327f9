#pragma once

#include "ir/program.h"
#include "support/flat_map.h"
#include "support/number_set.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace sunder {

/// The memories behind the entries of a tensor table. Entries that share a storage (or an object) have the same memory index.
struct MemoryTable {
    std::vector<std::uint32_t> memoryOf; ///< per TensorId: dense memory index
    std::vector<std::uint64_t> bytes;    ///< per memory: size of the storage, otherwise of its largest tensor; 0 if unknown
    std::vector<char> isUnknown;         ///< per memory: neither its storage nor a tensor in it has a size
    std::vector<TensorId> firstTensor;   ///< per memory: its first tensor
};

/// Builds the table. O(tensors).
MemoryTable memoryTable(const TensorTable& tensors);

/// Adds up memories. Counts each memory only once until clear().
class MemorySum {
public:
    /// `bytes` per memory must outlive it.
    explicit MemorySum(std::span<const std::uint64_t> bytes) : m_bytes(bytes), m_counted(bytes.size()) {}
    void clear() { m_counted.clear(); }
    /// Counts a memory, and returns its bytes if it was not counted yet; otherwise 0.
    std::uint64_t add(std::uint32_t memory) { return m_counted.insert(memory) ? m_bytes[memory] : 0; }
    std::uint64_t add(std::span<const std::uint32_t> memories)
    {
        std::uint64_t bytes = 0;
        for (const std::uint32_t memory : memories)
            bytes += add(memory);
        return bytes;
    }
    [[nodiscard]] bool contains(std::uint32_t memory) const { return m_counted.contains(memory); }
    /// Returns what add() would return for distinct memories.
    [[nodiscard]] std::uint64_t missing(std::span<const std::uint32_t> memories) const
    {
        std::uint64_t bytes = 0;
        for (const std::uint32_t memory : memories)
            bytes += contains(memory) ? 0 : m_bytes[memory];
        return bytes;
    }

private:
    std::span<const std::uint64_t> m_bytes;
    StampSet m_counted;
};

/// Returns the other entries in the memory of `id`, including aliases of the same tensor, in table order. O(tensors).
std::vector<TensorId> sharingMemory(const MemoryTable& memory, TensorId id);

/// The sizes of the values of a graph in bytes, based on `val` and hints for symbolic sizes.
class ValueBytes {
public:
    ValueBytes(const Program& program, GraphId graph) : m_program(program), m_graph(graph) {}

    /// Returns the size of a value, or nothing if it is unknown. The size is 0 for a graph passed to an operator, an unused call
    /// without a value (prints, guards), a result used only by assertions (deadAndAssertNodes()), and an input that is not a tensor
    /// according to the signature (files may omit its value). O(value); the first unknown value costs O(nodes + arguments).
    [[nodiscard]] std::optional<std::uint64_t> of(NodeId id);
    /// Returns whether the `val` of a node contains a tensor.
    [[nodiscard]] bool holdsTensor(NodeId id) const;

private:
    [[nodiscard]] std::optional<std::uint64_t> described(const Node& node) const;

    const Program& m_program;
    GraphId m_graph;
    std::optional<std::vector<char>> m_isNothing; ///< per NodeId; computed when the first unknown size occurs
};

/// Sizes in bytes of the values and weights of the root graph.
struct ProgramSizes {
    std::vector<std::uint64_t> outputBytes; ///< per NodeId, see ValueBytes; 0 if unknown
    /// Per NodeId of a call: parameters, buffers and constants that no earlier node reads. The sum is the size of all weights
    /// that are read.
    std::vector<std::uint64_t> parameterBytes;
    std::uint64_t totalOutputBytes = 0; ///< of call nodes
    std::uint64_t totalParameterBytes = 0; ///< of all memories, including unused ones
};

/// Computes all sizes. O(nodes + arguments + tensors).
ProgramSizes programSizes(const Program& program);

/// The memories that each node of the root graph reads. A call reads the lifted placeholders and get_attr nodes in its arguments,
/// and the tensors of modules that it calls or receives. A placeholder or get_attr node reads its own tensor.
class MemoryReads {
public:
    MemoryReads() = default; ///< no node reads a memory
    MemoryReads(const Program& program, const MemoryTable& memory);
    /// Same; fails with ErrorCode::cancelled.
    static Result<MemoryReads> build(const Program& program, const MemoryTable& memory, ProgressMonitor& monitor);
    /// Returns distinct memory indices.
    [[nodiscard]] std::span<const std::uint32_t> of(NodeId id) const
    {
        if (m_begin.empty())
            return {};
        return std::span(m_memories).subspan(m_begin[id.index()], m_begin[id.index() + 1] - m_begin[id.index()]);
    }

private:
    std::vector<std::uint32_t> m_begin; ///< per NodeId
    std::vector<std::uint32_t> m_memories;
};

/// As above, with existing memories and reads. Fails with ErrorCode::cancelled.
Result<ProgramSizes> programSizes(const Program& program, const MemoryTable& memory, const MemoryReads& reads,
                                  ProgressMonitor& monitor);

/// Returns the parameters, buffers, and constants that are inputs of an exported program, by input name. O(inputs).
FlatMap<TensorId> liftedTensors(const Program& program);

/// Returns per NodeId of the root graph the tensor of a lifted placeholder or get_attr node; invalid for other nodes.
std::vector<TensorId> tensorsOfNodes(const Program& program);

/// Same; fails with ErrorCode::cancelled.
Result<std::vector<TensorId>> tensorsOfNodes(const Program& program, ProgressMonitor& monitor);

} // namespace sunder
