#pragma once

namespace sunder {

/// Lets assistive technology see every canvas of the program as a list with one child an item. Once is enough.
void installCanvasAccessibility();

} // namespace sunder
