#pragma once

#include "app/actions.h"
#include "app/preferences.h"

#include <functional>
#include <vector>

class QMenu;
class QMenuBar;

namespace sunder {

/// Called by the menus of recent models and samples.
using OpenModel = std::function<void(const QString& path)>;

/// Fills the menu bar. `paneActions` show and hide panes.
void addMenus(QMenuBar& bar, const Actions& actions, const std::vector<QAction*>& paneActions, const OpenModel& open,
              Preferences& preferences, QMenu& bookmarks);

} // namespace sunder
