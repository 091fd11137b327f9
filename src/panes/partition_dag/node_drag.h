#pragma once

#include "ir/ids.h"

#include <QString>

#include <vector>

class QMimeData;
class QWidget;

namespace sunder {

/// MIME type of dragged nodes: comma-separated ids.
inline constexpr const char* kNodesMime = "application/x-sunder-nodes";

/// Returns the dragged nodes; empty if the data has none.
std::vector<NodeId> nodesIn(const QMimeData* data);
bool carriesNodes(const QMimeData& data);
/// Returns drag data for these nodes; the caller owns it.
QMimeData* mimeOf(const std::vector<NodeId>& nodes);

/// Drags nodes out of a widget until they are dropped. A chip with `name` is drawn next to the cursor, so that it does not cover
/// the target.
void dragNodes(QWidget& from, const std::vector<NodeId>& nodes, const QString& name);

} // namespace sunder
