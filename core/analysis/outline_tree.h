#pragma once

#include "ir/program.h"

#include <vector>

namespace sunder {

/// Modules of a program by path with the nodes that run in them: what the outline shows. A value, made once a model.
struct OutlineTree {
    /// A group holds what stands between the modules of one: inputs and ops of its own, one behind the other.
    enum class Kind : std::uint8_t { module, node, parameter, group };
    static constexpr std::size_t kLeastGroup = 3; ///< nodes; fewer stand by themselves

    struct Entry {
        Kind kind = Kind::module;
        std::int32_t parent = -1;
        std::int32_t row = 0;           ///< among its siblings
        std::vector<std::int32_t> children = {};
        InternedString name;            ///< last part of the path, or of the node; "first … last" of a group
        InternedString cls = {};        ///< class of a module without its package; target of a node; "4 nodes"
        InternedString path = {};       ///< of a module
        NodeId node = {};
        std::uint32_t begin = 0;        ///< its nodes in `nodes`
        std::uint32_t end = 0;
        std::uint32_t calls = 0;        ///< call nodes among them
    };

    std::vector<Entry> entries;           ///< the first is the whole model
    std::vector<NodeId> nodes;            ///< of the root graph, in the order of the tree
    std::vector<std::int32_t> entryOf;    ///< per NodeId index; −1: none
};

/// O(nodes × depth of their paths).
OutlineTree outlineTree(const Program& program, std::string_view rootName);

/// What a node does, short: "linear" for torch.ops.aten.linear.default, the last part of other targets.
std::string_view shortTarget(std::string_view target);

} // namespace sunder
