#pragma once

#include "ir/program.h"

#include <vector>

namespace sunder {

/// The modules of a program by path, with the nodes that run in them, as shown in the outline. A value, built once per model.
struct OutlineTree {
    /// A group contains consecutive inputs and ops of a module between two of its submodules.
    enum class Kind : std::uint8_t { module, node, parameter, group };
    static constexpr std::size_t kMinGroup = 3; ///< nodes; shorter sequences are not grouped

    struct Entry {
        Kind kind = Kind::module;
        std::int32_t parent = -1;
        std::int32_t row = 0;           ///< index among its siblings
        std::vector<std::int32_t> children = {};
        InternedString name;            ///< last component of the path; name of a node; "first … last" for a group
        InternedString cls = {};        ///< module class without its package; target of a node; "4 nodes"
        InternedString path = {};       ///< of a module
        NodeId node = {};
        std::uint32_t begin = 0;        ///< range of its nodes in `nodes`
        std::uint32_t end = 0;
        std::uint32_t calls = 0;        ///< call nodes in this range
    };

    std::vector<Entry> entries;           ///< the first is the whole model
    std::vector<NodeId> nodes;            ///< nodes of the root graph, in tree order
    std::vector<std::int32_t> entryOf;    ///< per NodeId index; −1: none
};

/// Builds the outline. O(nodes × depth of their paths).
OutlineTree outlineTree(const Program& program, std::string_view rootName);

/// Returns a short name for a target: "linear" for torch.ops.aten.linear.default, the last component of other targets.
std::string_view shortTarget(std::string_view target);

} // namespace sunder
