#pragma once

#include "analysis/search/node_query.h"
#include "analysis/snapshot.h"
#include "analysis/tag_assignment.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <string>
#include <vector>

namespace sunder {

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
