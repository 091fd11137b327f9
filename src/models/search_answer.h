#pragma once

#include "analysis/search/find_nodes.h"

#include <QString>

#include <vector>

namespace sunder {

/// What there is to say of a query.
struct SearchAnswer {
    std::vector<NodeId> hits;
    QString why; ///< why there are none: a mistake in the query, or what nothing is; empty when nothing was asked
};

/// Parses, searches, and where nothing is found says why. Hits so far when it is cancelled. Costs as findNodes().
SearchAnswer answerTo(const QString& query, const Snapshot& snapshot, const TagAssignment& tags, const ProgressMonitor& monitor);

} // namespace sunder
