#pragma once

#include "passes/partition/partition_problem.h"

#include "support/stamp_set.h"

#include <span>
#include <unordered_map>

namespace sunder {

/// The partition that no device has room for.
struct Unmapped {
    std::uint32_t partition;
    double needed;    ///< bytes, on the roomiest device
    double remaining; ///< bytes that are left there
};

/// Finds a device for every partition that has none, in order: of the devices by the bytes that they have left, the
/// fullest that still holds what the partition adds to its nodes. As upstream it must add less than what is left; by
/// default an exact fit will do. Stops at the first partition that fits nowhere. O(members × devices).
std::optional<Unmapped> mapToDevices(const PartitionProblem& problem, std::span<UnnumberedPartition> partitions);

/// The same for methods that map many cuts of one graph: keeps its tables from one time to the next.
class DeviceMapper {
public:
    explicit DeviceMapper(const PartitionProblem& problem);
    std::optional<Unmapped> map(std::span<UnnumberedPartition> partitions);

private:
    /// For each of many things the devices that it is on: few, so a list.
    class Placements {
    public:
        explicit Placements(std::size_t things) : m_devices(things), m_round(things, 0) {}
        void clear() { ++m_now; }
        [[nodiscard]] bool has(std::uint32_t thing, std::uint32_t device) const;
        void put(std::uint32_t thing, std::uint32_t device);

    private:
        std::vector<std::vector<std::uint32_t>> m_devices;
        std::vector<std::uint32_t> m_round; ///< per thing: when its list was begun; an older one is empty
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
    StampSet m_own; ///< nodes of the partition that mapOne() has in hand
    StampSet m_ownMemories;
    std::vector<char> m_isUsed;
    std::vector<double> m_left;
    /// Devices from the fullest to the emptiest; ties keep the order that they had the time before, as torch's do.
    std::vector<std::uint32_t> m_order;
    std::unordered_map<std::int64_t, std::uint32_t> m_indexOf; ///< logical id → device
};

/// Why the mapping failed, as an error that names a node and the numbers.
tl::unexpected<Error> noDeviceFor(const PartitionProblem& problem, std::span<const UnnumberedPartition> partitions,
                                  const Unmapped& unmapped);

} // namespace sunder
