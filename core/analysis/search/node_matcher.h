#pragma once

#include "analysis/search/node_query.h"
#include "analysis/snapshot.h"
#include "analysis/tag_assignment.h"

#include <unordered_map>

namespace sunder {

/// Returns the class without its package: "Linear".
std::string_view unqualifiedClass(std::string_view cls);

/// Returns the module that a node runs in: the last frame of its stack; without a stack, the target of a call_module or the
/// module of a get_attr's tensor. Empty for the model itself.
std::string_view modulePathOf(const Program& program, const Node& node);

/// Tests whether nodes match a term of a query. Caches results per target and stack, which many nodes share.
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
