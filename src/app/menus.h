#pragma once

#include "app/actions.h"
#include "app/appearance.h"

#include <functional>
#include <vector>

class QMenuBar;

namespace sunder {

/// What the menus of recent models and samples call.
using OpenModel = std::function<void(const QString& path)>;

/// Fills the menu bar. `paneActions` show and hide panes; without `appearance` its menu changes the settings alone.
void addMenus(QMenuBar& bar, const Actions& actions, const std::vector<QAction*>& paneActions, const OpenModel& open,
              Appearance* appearance);

} // namespace sunder
