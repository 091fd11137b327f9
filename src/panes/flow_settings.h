#pragma once

#include "layout/picture/picture.h"

namespace sunder {

/// How a person wants all graphs, now and in the next session; those that are there are told by GraphView.
[[nodiscard]] bool isOneColumnWanted();
void wantOneColumn(bool isWanted);
/// Whether assertions, and ops whose results nobody uses, are drawn.
[[nodiscard]] bool areAssertionsWanted();
void wantAssertions(bool areWanted);
/// Where edges lead.
[[nodiscard]] FlowDirection wantedDirection();
void wantDirection(FlowDirection direction);

} // namespace sunder
