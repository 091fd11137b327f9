#include "passes/partition/partition_problem.h"

#include <algorithm>
#include <unordered_map>

namespace sunder {
namespace {

struct Loads {
    std::vector<std::vector<std::uint32_t>> partitionsOn; ///< per device, including repeats
    std::vector<double> bytesOn;
};

Result<Loads> loadsOf(const PartitionProblem& problem, const Partitioning& partitioning)
{
    const std::vector<Device>& devices = problem.config.devices;
    std::unordered_map<std::int64_t, std::uint32_t> indexOf;
    for (std::uint32_t d = 0; d < devices.size(); ++d)
        indexOf.emplace(devices[d].logicalId, d);
    Loads loads{.partitionsOn = std::vector<std::vector<std::uint32_t>>(devices.size()),
                .bytesOn = std::vector<double>(devices.size(), 0)};
    for (std::uint32_t p = 0; p < partitioning.partitions.size(); ++p) {
        const UnnumberedPartition& partition = partitioning.partitions[p];
        if (partition.devices.empty())
            return fail(ErrorCode::refused,
                        "partition " + std::to_string(p) + " has no device, so there is nothing to replicate");
        for (const std::int64_t id : partition.devices) {
            const auto found = indexOf.find(id);
            if (found == indexOf.end())
                return fail(ErrorCode::refused,
                            "partition " + std::to_string(p) + " is assigned to the unknown device " + std::to_string(id));
            loads.partitionsOn[found->second].push_back(p);
            loads.bytesOn[found->second] += static_cast<double>(partition.usedBytes);
        }
    }
    return loads;
}

/// Returns an idle replacement for each used device, as (idle, used); empty if one has none.
std::vector<std::pair<std::uint32_t, std::uint32_t>> replicateOnce(const PartitionProblem& problem, const Loads& loads,
                                                                   const std::vector<std::uint32_t>& used,
                                                                   std::vector<char> isBusy)
{
    const std::vector<Device>& devices = problem.config.devices;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> replicas;
    for (const std::uint32_t original : used) {
        std::optional<std::uint32_t> best;
        for (std::uint32_t d = 0; d < devices.size(); ++d)
            if (isBusy[d] == 0 && devices[d].availableBytes >= loads.bytesOn[original]
                && (!best || devices[d].availableBytes < devices[*best].availableBytes))
                best = d;
        if (!best)
            return {};
        isBusy[*best] = 1;
        replicas.emplace_back(*best, original);
    }
    return replicas;
}

} // namespace

Result<void> saturateHost(const PartitionProblem& problem, Partitioning& partitioning)
{
    const std::vector<Device>& devices = problem.config.devices;
    SUNDER_TRY(const Loads loads, loadsOf(problem, partitioning));
    std::vector<char> isBusy(devices.size(), 0);
    std::vector<std::uint32_t> used;
    for (std::uint32_t d = 0; d < devices.size(); ++d)
        if (!loads.partitionsOn[d].empty()) {
            isBusy[d] = 1;
            used.push_back(d);
        }
    std::vector<std::pair<std::uint32_t, std::uint32_t>> replicas;
    while (used.size() * 2 + replicas.size() <= devices.size()) {
        SUNDER_PROPAGATE(problem.monitor.check());
        const auto more = replicateOnce(problem, loads, used, isBusy);
        if (more.empty())
            break;
        for (const auto& [replica, original] : more)
            isBusy[replica] = 1;
        replicas.insert(replicas.end(), more.begin(), more.end());
    }
    const std::vector<std::uint32_t>& sharing = partitioning.sharingDevices;
    for (const auto& [replica, original] : replicas) {
        const std::int64_t id = devices[replica].logicalId;
        for (const std::uint32_t p : loads.partitionsOn[original]) {
            const bool isShared = std::find(sharing.begin(), sharing.end(), p) != sharing.end();
            for (const std::uint32_t q : isShared ? sharing : std::vector{p}) {
                std::vector<std::int64_t>& ids = partitioning.partitions[q].devices;
                if (problem.asUpstream || std::find(ids.begin(), ids.end(), id) == ids.end())
                    ids.push_back(id);
            }
        }
    }
    return {};
}

} // namespace sunder
