#pragma once

#include "analysis/device.h"
#include "ir/program.h"
#include "support/interned_string.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace sunder {

/// The strategies of the current torch.fx partitioner.
enum class PartitionMode : std::uint8_t { sizeBased, sparseNn, costAware, klBased, aotBased };

/// Returns the name in PyTorch and CONFIG.json: "size_based".
std::string_view name(PartitionMode mode);
/// Returns all names: "size_based, sparse_nn, cost_aware, kl_based, or aot_based".
std::string partitionModeNames();
/// Returns the mode with this name; nothing for any other text.
std::optional<PartitionMode> partitionModeOf(std::string_view name);

/// The time of a node in seconds, for moving its data and for computing. The longer one counts.
struct NodeLatency {
    double memory = 0;
    double compute = 0;
};

/// Configuration of the current torch.fx partitioner. For the tables that each mode requires, see `docs/command-line.md`,
/// "CONFIG.json".
struct PartitionerConfig {
    PartitionMode mode = PartitionMode::sizeBased;
    bool saturateHost = false; ///< replicate partitions on idle devices
    std::vector<Device> devices = {};
    double transferBytesPerSecond = 0; ///< between devices
    std::vector<std::pair<InternedString, NodeLatency>> latencies = {};          ///< by node name
    std::vector<std::pair<InternedString, std::int64_t>> nodeToPartition = {};   ///< for aotBased, in this order
    std::vector<std::pair<std::int64_t, std::vector<std::int64_t>>> partitionToDevices = {}; ///< logical ids
};

/// A key of CONFIG.json with its place in the configuration, declared once. Reader, writer, messages, and the table in
/// `docs/command-line.md` are derived from it.
struct PartitionerKey {
    template <typename Value>
    using Member = Value PartitionerConfig::*;

    const char* key;  ///< "saturate_host"
    const char* help; ///< a phrase without a full stop
    std::variant<Member<PartitionMode>, Member<bool>, Member<std::vector<Device>>, Member<double>,
                 Member<std::vector<std::pair<InternedString, NodeLatency>>>,
                 Member<std::vector<std::pair<InternedString, std::int64_t>>>,
                 Member<std::vector<std::pair<std::int64_t, std::vector<std::int64_t>>>>>
        member;
};

/// Returns the keys in the order in which a file has them.
std::span<const PartitionerKey> partitionerKeys();

/// The identifier of a partition: its text, and its number if it is given as a number.
struct PartitionId {
    InternedString text;
    std::optional<std::int64_t> number = {};
    friend bool operator==(const PartitionId&, const PartitionId&) = default;
};

/// (node name, partition), as in PARTITIONS.json and user input.
using PartitionPair = std::pair<InternedString, PartitionId>;

/// The partition of each call of the root graph. Entries for other nodes have no effect.
struct PartitionAssignment {
    static constexpr std::uint32_t kNone = 0xffffffffU;

    std::vector<PartitionId> ids;           ///< distinct texts, in any order
    std::vector<std::uint32_t> partitionOf; ///< per NodeId index of the root graph: index into ids, or kNone

    std::vector<PartitionPair> unknownNodes = {}; ///< pairs whose node name is not in the graph

    /// Returns an assignment without partitions.
    [[nodiscard]] static PartitionAssignment noneOf(const Graph& graph)
    {
        return {.ids = {}, .partitionOf = std::vector<std::uint32_t>(graph.idBound(), kNone)};
    }

    /// Returns an index into ids, or kNone. Safe for nodes outside the table.
    [[nodiscard]] std::uint32_t operator[](NodeId id) const
    {
        return id.index() < partitionOf.size() ? partitionOf[id.index()] : kNone;
    }
};

/// Assigns partitions by node name. 1 and "1" denote the same partition, which then counts as text. If a node occurs twice, its
/// last pair is used. O(nodes + pairs).
PartitionAssignment assignPartitions(const Graph& graph, std::span<const PartitionPair> pairs);

} // namespace sunder
