#pragma once

#include "ir/program.h"

#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sunder {

/// The first and one past the last element of a tensor in its memory; everything when its layout is not known.
std::pair<std::int64_t, std::int64_t> extentOf(const TensorMeta& meta);

/// Placeholders of an exported program that lie in the same memory: tensors that overlap under several names, user inputs
/// of equal storage. Not linear only in what shares a storage, which is sorted.
class OverlappingInputs {
public:
    explicit OverlappingInputs(const Program& program);

    /// Those that a write to this placeholder may reach, itself among them, in the order of the graph.
    [[nodiscard]] std::span<const NodeId> with(const NodeId& placeholder) const;
    /// One placeholder for all of these, always the same.
    [[nodiscard]] NodeId firstOf(NodeId placeholder) const { return with(placeholder).front(); }

private:
    struct Input {
        NodeId node;
        std::uint32_t position; ///< among the placeholders
        std::pair<std::int64_t, std::int64_t> extent = {};
    };
    void group(std::vector<Input> inputs);
    void keep(std::vector<Input> group);

    std::vector<std::vector<NodeId>> m_groups; ///< of two or more
    std::unordered_map<NodeId, std::size_t> m_groupOf;
};

} // namespace sunder
