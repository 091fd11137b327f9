#pragma once

#include "analysis/snapshot.h"
#include "document/tag_state.h"
#include "support/progress_monitor.h"

#include <QString>

#include <vector>

namespace sunder {

/// What the search field says: words that must all hold. "op:linear", "module:layers.3", "tag:stage1", "tag:none",
/// "shape:1x16", or free text found in the name, target or module of a node. Case is ignored.
struct NodeQuery {
    enum class Field : quint8 { any, name, op, module, tag, shape };
    struct Term {
        Field field = Field::any;
        QString text;
    };
    std::vector<Term> terms;
    [[nodiscard]] bool empty() const { return terms.empty(); }
};

NodeQuery parseQuery(const QString& text);

/// Nodes of the root graph that the query means, in graph order; those found so far when it is cancelled.
/// O(nodes × terms), about a second for a million.
std::vector<NodeId> findNodes(const Snapshot& snapshot, const TagAssignment& tags, const NodeQuery& query,
                              const ProgressMonitor& monitor);

/// Path of the module that a node runs in; empty when there is none.
QString modulePathOf(const Program& program, const Node& node);

} // namespace sunder
