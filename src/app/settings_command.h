#pragma once

#include "app/actions.h"
#include "app/preferences.h"

class QMainWindow;

namespace sunder {

class CommandKeys;
class Workspace;

/// Registers all commands of the window that have a settings id, grouped by menu, and reserves other shortcuts: gestures in
/// graphs, menus, and shortcuts in panes. Then applies the shortcuts from the settings.
void fillCommandKeys(CommandKeys& keys, QMainWindow& window);

/// Connects the settings dialog, which opens over `window`. Texts with shortcuts in `workspace` are updated. All arguments must
/// outlive the event loop.
void connectSettings(const Actions& actions, Preferences& preferences, CommandKeys& keys, Workspace& workspace,
                     QMainWindow& window);

} // namespace sunder
