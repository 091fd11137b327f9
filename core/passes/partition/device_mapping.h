#pragma once

#include "analysis/partition_assignment.h"
#include "analysis/tag_assignment.h"
#include "ir/program.h"
#include "passes/partition/partition_problem.h"
#include "support/number_set.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <cstdint>
#include <span>
#include <unordered_map>

namespace sunder {

/// Configures the partitioner to use the tags as partitions. Tags with calls become partitions in tag order, each on the next
/// device. The forward and backward parts of a stage share a device (forwardTags()). Returns ErrorCode::refused, with the
/// numbers, if a call has no tag or if there are more tags or stages with calls than devices. O(nodes).
Result<void> putTagsOnDevices(const Graph& graph, const TagAssignment& tags, PartitionerConfig& config);

/// Returns the least memory for `count` equal devices such that filling them in order, as the size-based partitioners do, places
/// every call and no device holds the whole model. Rounded up to three digits if the model stays distributed. Returns
/// ErrorCode::refused if there is nothing to distribute: no calls, one device, an unknown size, or a call that needs as much as
/// the whole model. O(nodes + arguments) for each of at most 64 attempts.
Result<std::uint64_t> evenDeviceBytes(const Program& program, std::uint32_t count,
                                      ProgressMonitor& monitor = ProgressMonitor::none());

/// A partition that fits on no device.
struct Unmapped {
    std::uint32_t partition;
    double needed;    ///< bytes, on the device with the most memory left
    double remaining; ///< bytes left on that device
};

/// Assigns a device to every partition without one, in order. Chooses the fullest device that still has room for the bytes that
/// the partition adds to it. Like upstream, `asUpstream` requires strictly less than the memory left; by default an exact fit is
/// enough. Stops at the first partition that fits nowhere. O(members × devices).
std::optional<Unmapped> mapToDevices(const PartitionProblem& problem, std::span<UnnumberedPartition> partitions);

/// mapToDevices() for algorithms that map many partitionings of one graph; keeps its tables between calls.
class DeviceMapper {
public:
    explicit DeviceMapper(const PartitionProblem& problem);
    std::optional<Unmapped> map(std::span<UnnumberedPartition> partitions);

private:
    /// The devices of each of many items, stored as short lists.
    class Placements {
    public:
        explicit Placements(std::size_t things) : m_devices(things), m_round(things, 0) {}
        void clear() { ++m_now; }
        [[nodiscard]] bool has(std::uint32_t thing, std::uint32_t device) const;
        void put(std::uint32_t thing, std::uint32_t device);

    private:
        std::vector<std::vector<std::uint32_t>> m_devices;
        std::vector<std::uint32_t> m_round; ///< per item: the round in which its list was started; older lists count as empty
        std::uint32_t m_now = 1;
    };

    void clear();
    void take(const UnnumberedPartition& partition);
    std::optional<Unmapped> mapOne(UnnumberedPartition& partition, std::uint32_t index);
    void place(const UnnumberedPartition& partition, std::uint32_t device);
    void sinkInOrder(std::size_t place);
    std::uint64_t extraBytes(const UnnumberedPartition& partition, std::uint32_t device);

    const PartitionProblem& m_problem;
    Placements m_nodes;
    Placements m_memories;
    StampSet m_own; ///< nodes of the partition being mapped by mapOne()
    MemorySum m_ownMemories;
    std::vector<char> m_isUsed;
    std::vector<double> m_left;
    /// Devices from fullest to emptiest; ties keep their previous order, as in torch.
    std::vector<std::uint32_t> m_order;
    std::unordered_map<std::int64_t, std::uint32_t> m_indexOf; ///< logical id → device
};

/// Returns the error for a failed mapping; it names a node and the numbers.
tl::unexpected<Error> noDeviceFor(const PartitionProblem& problem, std::span<const UnnumberedPartition> partitions,
                                  const Unmapped& unmapped);

} // namespace sunder
