#pragma once

#include "dialogs/keys_dialog.h"

class QMenuBar;

namespace sunder {

/// Every command of the menus with its keys, a group a menu, and what mouse and keys do in graphs and lists.
std::vector<KeyGroup> keyGroups(const QMenuBar& menus);

} // namespace sunder
