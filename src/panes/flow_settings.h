#pragma once

#include "layout/picture/picture.h"

namespace sunder {

/// Display settings of all graphs, kept for the next session. Open graphs are updated through GraphView.
[[nodiscard]] bool isOneColumnWanted();
void wantOneColumn(bool isWanted);
/// Whether assertions and dead ops are drawn.
[[nodiscard]] bool areAssertionsWanted();
void wantAssertions(bool areWanted);
/// The direction of edges.
[[nodiscard]] FlowDirection wantedDirection();
void wantDirection(FlowDirection direction);

} // namespace sunder
