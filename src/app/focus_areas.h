#pragma once

#include <vector>

class QWidget;

namespace sunder {

/// Moves the focus to the next area, or to the previous one if `by` is −1. Prefers lists and graphs over buttons, tabs, and
/// fields. Skips areas that are not visible or cannot take the focus.
void stepFocus(const std::vector<QWidget*>& areas, int by);

} // namespace sunder
