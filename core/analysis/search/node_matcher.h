#pragma once

#include "analysis/search/node_query.h"
#include "analysis/snapshot.h"
#include "analysis/tag_assignment.h"

#include <unordered_map>

namespace sunder {

/// The class without its package: "Linear".
std::string_view unqualifiedClass(std::string_view cls);

/// The module that a node runs in: the last of its stack; without one, what a call_module calls and what holds the tensor of a
/// get_attr. Empty for the model itself.
std::string_view modulePathOf(const Program& program, const Node& node);

/// Says whether nodes are as a term of a query says; remembers what it found out about targets and stacks, which many share.
class NodeMatcher {
public:
    NodeMatcher(const Snapshot& snapshot, const TagAssignment& tags, const NodeQuery::Term& term);
    [[nodiscard]] bool matches(NodeId id);

private:
    [[nodiscard]] bool matchesAny(const Node& node);
    [[nodiscard]] bool matchesOp(const Node& node);
    [[nodiscard]] bool matchesClass(const Node& node);
    [[nodiscard]] bool matchesModule(const Node& node);
    [[nodiscard]] bool matchesTag(NodeId id) const;
    [[nodiscard]] bool matchesBytes(std::uint64_t bytes) const;

    const Snapshot& m_snapshot;
    const TagAssignment& m_tags;
    const NodeQuery::Term& m_term;
    std::unordered_map<InternedString, bool> m_targets;
    std::unordered_map<std::string_view, bool> m_paths;
};

} // namespace sunder
