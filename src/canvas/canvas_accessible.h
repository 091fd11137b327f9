#pragma once

namespace sunder {

class CanvasWidget;

/// Lets screen readers see every canvas of the program as a graphic with one child an item. Once is enough.
void installCanvasAccessibility();

/// To be told when a canvas shows other items, and when its current item is another.
void canvasItemsChanged(CanvasWidget* canvas);
void canvasFocusMoved(CanvasWidget* canvas);

} // namespace sunder
