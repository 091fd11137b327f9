#pragma once

#include "ir/ids.h"

#include <QString>

#include <vector>

class QMimeData;
class QWidget;

namespace sunder {

/// What a drag of nodes carries: their ids, comma separated.
inline constexpr const char* kNodesMime = "application/x-sunder-nodes";

/// The nodes in a drag; empty when it carries none.
std::vector<NodeId> nodesIn(const QMimeData* data);
bool carriesNodes(const QMimeData& data);
/// A drag of these nodes; the caller owns it.
QMimeData* mimeOf(const std::vector<NodeId>& nodes);

/// Drags nodes away from a widget as a chip beside the cursor that says `name`, until they are dropped somewhere: a chip
/// covers nothing of what is dragged over.
void dragNodes(QWidget& from, const std::vector<NodeId>& nodes, const QString& name);

} // namespace sunder
