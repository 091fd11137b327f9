#pragma once

class QWidget;

namespace sunder {

/// The box of keys and gestures, over this widget until it is closed.
void showGestures(QWidget& over);

} // namespace sunder
