#pragma once

#include "ir/program.h"

#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sunder {

/// Returns the range of elements [first, last + 1) that a tensor occupies in its memory; the full range if its layout is unknown.
std::pair<std::int64_t, std::int64_t> extentOf(const TensorMeta& meta);

/// Placeholders of an exported program that share memory: overlapping tensors with different names, and user inputs with the same
/// storage. Linear, except for sorting tensors that share a storage.
class OverlappingInputs {
public:
    explicit OverlappingInputs(const Program& program);

    /// Returns the placeholders that a write to this one may affect, including itself, in graph order.
    [[nodiscard]] std::span<const NodeId> with(const NodeId& placeholder) const;
    /// Returns a unique representative of these placeholders.
    [[nodiscard]] NodeId firstOf(NodeId placeholder) const { return with(placeholder).front(); }

private:
    struct Input {
        NodeId node;
        std::uint32_t position; ///< index among the placeholders
        std::pair<std::int64_t, std::int64_t> extent = {};
    };
    void group(std::vector<Input> inputs);
    void keep(std::vector<Input> group);

    std::vector<std::vector<NodeId>> m_groups; ///< groups of two or more
    std::unordered_map<NodeId, std::size_t> m_groupOf;
};

} // namespace sunder
