#pragma once

namespace sunder {

/// Exposes a DagView to assistive technology as a list: its boxes in execution order, its cutEdges, then the handles at the edges
/// of boxes. Call it once per process.
void installDagAccessibility();

} // namespace sunder
