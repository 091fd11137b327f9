#pragma once

#include "dialogs/keys_page.h"

class QMenuBar;

namespace sunder {

/// Returns all menu commands with their shortcuts, grouped by menu, and the mouse and key gestures in graphs and lists.
std::vector<KeyGroup> keyGroups(const QMenuBar& menus);

} // namespace sunder
