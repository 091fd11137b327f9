#pragma once

#include "analysis/search/find_nodes.h"

#include <QString>

#include <vector>

namespace sunder {

/// The result of a query.
struct SearchAnswer {
    std::vector<NodeId> hits;
    QString why; ///< why there are no hits: an error in the query, or an unknown name; empty for an empty query
};

/// Parses and runs a query; explains why it has no hits. Returns the hits so far if it is cancelled. Same cost as findNodes().
SearchAnswer answerTo(const QString& query, const Snapshot& snapshot, const TagAssignment& tags, const ProgressMonitor& monitor);

} // namespace sunder
