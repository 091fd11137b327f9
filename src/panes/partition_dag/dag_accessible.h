#pragma once

namespace sunder {

class DagView;

/// Lets screen readers see a DagView as a list: its boxes in order of execution, then its ribbons. Once is enough.
void installDagAccessibility();

/// To be told when a view shows other boxes, and when its current place is another.
void dagPlacesChanged(DagView* view);
void dagFocusMoved(DagView* view);

} // namespace sunder
