#pragma once

#include "app/actions.h"
#include "app/preferences.h"

class QMainWindow;

namespace sunder {

class CommandKeys;
class Workspace;

/// Gives `keys` every command of the window that has a name in the settings, by the menu that it stands in, and what has keys
/// besides: gestures of graphs, menus, and what panes listen to. Then takes the keys of the settings.
void fillCommandKeys(CommandKeys& keys, QMainWindow& window);

/// Settings… opens their dialog over `window`; texts of `workspace` that name keys follow. All of them outlive the window's loop.
void connectSettings(const Actions& actions, Preferences& preferences, CommandKeys& keys, Workspace& workspace,
                     QMainWindow& window);

} // namespace sunder
