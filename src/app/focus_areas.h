#pragma once

#include <vector>

class QWidget;

namespace sunder {

/// Gives the focus to what one works with (a list, a graph; buttons, tabs and fields only where there is nothing else) in
/// the next of these parts of the window, or with `by` −1 in the one before. Parts out of sight or without anything
/// that takes the focus are passed over.
void stepFocus(const std::vector<QWidget*>& areas, int by);

} // namespace sunder
