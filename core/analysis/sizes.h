#pragma once

#include "ir/program.h"
#include "support/flat_map.h"
#include "support/progress_monitor.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sunder {

/// The memory behind the entries of a tensor table: entries that share a storage (or an object) have one index.
struct MemoryTable {
    std::vector<std::uint32_t> memoryOf; ///< per TensorId: dense index
    std::vector<std::uint64_t> bytes;    ///< per memory: the storage's size, else that of its largest tensor; 0 unknown
    std::vector<TensorId> firstTensor;   ///< per memory: the first entry that lies in it
};

/// O(tensors).
MemoryTable memoryTable(const TensorTable& tensors);

/// The other entries that lie in the memory of `id`, its other names among them, in the order of the table. O(tensors).
std::vector<TensorId> sharingMemory(const MemoryTable& memory, TensorId id);

/// Sizes in bytes of what the root graph computes and reads.
struct ProgramSizes {
    std::vector<std::uint64_t> outputBytes; ///< per NodeId: tensors in `val`; 0 when unknown
    /// Per NodeId of a call: parameters, buffers and constants that it reads and no earlier node did; so they add
    /// up to the bytes that are read at all.
    std::vector<std::uint64_t> parameterBytes;
    /// Per ModuleId: parameters, buffers and constants at and under its path, each memory once per module.
    std::vector<std::uint64_t> moduleBytes;
    std::uint64_t totalOutputBytes = 0;    ///< of call nodes
    std::uint64_t totalParameterBytes = 0; ///< of all memories, read or not
};

/// O(nodes + arguments + tensors × depth of their names).
ProgramSizes programSizes(const Program& program);

/// Memories that the nodes of the root graph read: a call reads the lifted placeholders and get_attr nodes in its
/// arguments and the tensors of the module that it calls or is given; a placeholder or get_attr reads its own tensor.
class MemoryReads {
public:
    /// Unfinished once `monitor` was cancelled: nothing may be asked then.
    MemoryReads(const Program& program, const MemoryTable& memory, ProgressMonitor& monitor = ProgressMonitor::none());
    /// Memory indices, repeats within one node left out.
    [[nodiscard]] std::span<const std::uint32_t> of(NodeId id) const
    {
        return std::span(m_memories).subspan(m_begin[id.index()], m_begin[id.index() + 1] - m_begin[id.index()]);
    }

private:
    std::vector<std::uint32_t> m_begin;    ///< per NodeId
    std::vector<std::uint32_t> m_memories;
};

/// The same where memories and reads are there already. Unfinished once `monitor` was cancelled.
ProgramSizes programSizes(const Program& program, const MemoryTable& memory, const MemoryReads& reads,
                          ProgressMonitor& monitor = ProgressMonitor::none());

/// The parameters, buffers, and constants that are inputs of an exported program, by name of the input. O(inputs).
FlatMap<TensorId> liftedTensors(const Program& program);

/// Per NodeId of the root graph: the tensor that a lifted placeholder or a get_attr node stands for; else invalid. Unfinished
/// once `monitor` was cancelled.
std::vector<TensorId> tensorsOfNodes(const Program& program, ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
