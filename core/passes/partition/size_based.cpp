// PyTorch's current size_based mode. Calls in graph order fill the first device that has room for the current call. When devices
// run out, each remaining call becomes a separate partition and goes to a device with room left. Simple and fast. Calls that do
// not fit the last device are scattered one by one, so leave room on the last device. PyTorch's bugs: a first call of zero bytes
// takes a second device, and an exact fit of a remaining call is refused.

#include "passes/partition/device_mapping.h"
#include "passes/partition/open_partition.h"

#include <algorithm>

namespace sunder {
namespace {

class SizeBased {
public:
    explicit SizeBased(const PartitionProblem& problem)
        : m_problem(problem), m_filling(problem.graph, problem.sizes), m_isTaken(problem.config.devices.size(), 0),
          m_isPassedOver(problem.config.devices.size(), 0), m_result(1)
    {
    }

    Result<std::vector<UnnumberedPartition>> run()
    {
        for (const NodeId id : m_problem.graph.nodes()) {
            if (!m_problem.graph[id].isCall())
                continue;
            if (const NodeId missing = m_filling.unsized(id); missing)
                return unknownSize(m_problem.program, m_problem.sizes, missing);
            SUNDER_PROPAGATE(add(id));
        }
        for (std::size_t i = 0; i < m_result.size(); ++i)
            m_result[i].nodes = std::move(m_filling.members()[i]);
        return std::move(m_result);
    }

private:
    Result<void> add(NodeId call)
    {
        const std::size_t devices = m_problem.config.devices.size();
        if (m_result.size() > devices)
            return addAlone(call);
        std::uint64_t need = m_filling.need(call);
        if (isNew()) {
            if (Result<void> opened = takeDeviceFor(call, need); !opened)
                return opened;
        } else if (m_left < static_cast<double>(need)) {
            noteEnd(call, need);
            if (m_result.size() == devices)
                return addAlone(call);
            open();
            need = m_filling.need(call);
            SUNDER_PROPAGATE(takeDeviceFor(call, need));
        }
        m_result.back().usedBytes += m_filling.add(call);
        m_left -= static_cast<double>(need);
        return {};
    }

    /// PyTorch treats a partition of zero bytes as new.
    [[nodiscard]] bool isNew() const
    {
        return m_problem.asUpstream ? m_result.back().usedBytes == 0 : m_result.back().devices.empty();
    }

    void open()
    {
        m_filling.open();
        m_result.emplace_back();
    }

    Result<void> addAlone(NodeId call)
    {
        open();
        m_result.back().origin.kind = PartitionOrigin::Kind::alone;
        m_result.back().usedBytes = m_filling.add(call);
        return {};
    }

    void noteEnd(NodeId call, std::uint64_t need)
    {
        PartitionOrigin& origin = m_result.back().origin;
        origin.next = call;
        origin.nextBytes = need;
        origin.leftBytes = m_left;
    }

    void notePassedOver(std::size_t device)
    {
        const std::int64_t id = m_problem.config.devices[device].logicalId;
        PartitionOrigin& origin = m_result.back().origin;
        if (origin.tooSmallCount++ < PartitionOrigin::kMaxTooSmall)
            origin.tooSmall.push_back(id);
        if (m_isPassedOver[device] == 0)
            origin.passedOver.push_back(id);
        m_isPassedOver[device] = 1;
    }

    Result<void> takeDeviceFor(NodeId call, std::uint64_t need)
    {
        const std::vector<Device>& devices = m_problem.config.devices;
        double largest = 0;
        for (std::size_t d = 0; d < devices.size(); ++d) {
            if (m_isTaken[d] != 0)
                continue;
            largest = std::max(largest, devices[d].availableBytes);
            if (devices[d].availableBytes < static_cast<double>(need)) {
                notePassedOver(d);
                continue;
            }
            m_result.back().origin.kind = PartitionOrigin::Kind::filled;
            m_isTaken[d] = 1;
            m_left = devices[d].availableBytes;
            m_result.back().devices.push_back(devices[d].logicalId);
            return {};
        }
        const std::string name = m_problem.graph[call].name.str();
        return fail(ErrorCode::refused,
                    name + " needs " + bytesBeside(static_cast<double>(need), largest) + " with its inputs, but the largest "
                        + "empty device has only " + bytesBeside(largest, static_cast<double>(need)) + "; add a larger device",
                    {.node = name});
    }

    const PartitionProblem& m_problem;
    OpenPartition m_filling;
    std::vector<char> m_isTaken; ///< per device
    std::vector<char> m_isPassedOver; ///< per device: was too small for some partition
    std::vector<UnnumberedPartition> m_result;
    double m_left = 0; ///< on the device of the open partition
};

} // namespace

Result<Partitioning> partitionBySize(const PartitionProblem& problem)
{
    SUNDER_TRY(std::vector<UnnumberedPartition> partitions, SizeBased(problem).run());
    if (const std::optional<Unmapped> unmapped = mapToDevices(problem, partitions))
        return noDeviceFor(problem, partitions, *unmapped);
    return Partitioning{.partitions = std::move(partitions)};
}

} // namespace sunder
