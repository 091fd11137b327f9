#pragma once

#include "ir/ids.h"

#include <QString>

#include <vector>

class QWidget;

namespace sunder {

/// Drags nodes away from a widget as a chip beside the cursor that says `name`, until they are dropped somewhere: a chip
/// covers nothing of what is dragged over.
void dragNodes(QWidget& from, const std::vector<NodeId>& nodes, const QString& name);

} // namespace sunder
