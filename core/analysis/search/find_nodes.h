#pragma once

#include "analysis/search/node_query.h"
#include "analysis/snapshot.h"
#include "analysis/tag_assignment.h"
#include "support/progress_monitor.h"

#include <string>
#include <vector>

namespace sunder {

/// Nodes of the root graph that the query means, in graph order; those found so far when it is cancelled; none for an
/// empty query. O(nodes × terms), about a second for a million.
std::vector<NodeId> findNodes(const Snapshot& snapshot, const TagAssignment& tags, const NodeQuery& query,
                              const ProgressMonitor& monitor);

/// Why a query finds nothing, as a sentence with names: which word nothing is, and what is there that is written nearly so;
/// or that each word is something and nothing is all of them. O(nodes × terms).
std::string whyNothing(const Snapshot& snapshot, const TagAssignment& tags, const NodeQuery& query,
                       const ProgressMonitor& monitor);

/// What may stand behind a field in this model, without doubles, ascending; empty for fields that have no list (name, shape, bytes,
/// weights, any). Operators as nodes show them, classes without their package. O(nodes).
std::vector<std::string> queryWords(const Snapshot& snapshot, const TagAssignment& tags, QueryField field);

/// A way to go on with a query: what stands in it then, up to where the last word ends.
struct QueryCompletion {
    std::string word; ///< the last word, complete: "op:mul"
    std::string query; ///< the whole query with it
};

/// For the last word of a query that is being typed: fields that begin so, and, behind a field, what is in the model.
/// At most `most`. O(nodes).
std::vector<QueryCompletion> completionsOf(const Snapshot& snapshot, const TagAssignment& tags, std::string_view query,
                                           std::size_t most);

} // namespace sunder
