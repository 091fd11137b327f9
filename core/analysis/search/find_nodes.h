#pragma once

#include "analysis/search/node_query.h"
#include "analysis/snapshot.h"
#include "analysis/tag_assignment.h"
#include "ir/program.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace sunder {

/// A module in which nodes of the root graph run, or a parent of such modules: a list of modules has a path but no class.
struct ModulePlace {
    std::string path;
    InternedString cls = {};
};

/// Returns each module once, in the order of its first node, parents first. O(nodes + stacks × depth).
std::vector<ModulePlace> modulePlaces(const Program& program);

/// Returns the nodes of the root graph that run in or below the module at this path, in graph order. O(nodes × depth of their
/// stacks).
std::vector<NodeId> nodesIn(const Program& program, std::string_view path);

/// Returns the nodes of the root graph that match a query, in graph order; none for an empty query. Fails with
/// ErrorCode::cancelled. O(nodes × terms), about one second for a million nodes.
Result<std::vector<NodeId>> findNodes(const Snapshot& snapshot, const TagAssignment& tags, const NodeQuery& query,
                                      ProgressMonitor& monitor);

/// Explains in a sentence why a query has no results: which word matches nothing, with similar existing words; or that each word
/// has matches but no node matches all of them. Fails with ErrorCode::cancelled. O(nodes × terms).
Result<std::string> whyNothing(const Snapshot& snapshot, const TagAssignment& tags, const NodeQuery& query,
                               ProgressMonitor& monitor);

/// Returns the distinct values of a field in this model, ascending; empty for fields without a list (name, shape, bytes, weights,
/// any). Operators are written as displayed, classes without their package. O(nodes).
std::vector<std::string> queryWords(const Snapshot& snapshot, const TagAssignment& tags, QueryField field);

/// A completion of a query: its text up to the end of the last word.
struct QueryCompletion {
    std::string word; ///< the completed last word: "op:mul"
    std::string query; ///< the whole query with it
};

/// Completes the last word of a query: fields with this prefix or, after a field, values in the model. At most `most`. O(nodes).
std::vector<QueryCompletion> completionsOf(const Snapshot& snapshot, const TagAssignment& tags, std::string_view query,
                                           std::size_t most);

} // namespace sunder
