#pragma once

namespace sunder {

/// Exposes every canvas to assistive technology as a list with one child per item. Call it once per process.
void installCanvasAccessibility();

} // namespace sunder
