#pragma once

#include "app/actions.h"
#include "document/document.h"

namespace sunder {

class Workspace;

/// Connects the commands for navigation and selection: back, forward, "Go to", dependencies, dependents, similar ops, copying of
/// names, and the command palette. `window` owns the dialogs.
void connectGoing(const Actions& actions, Document& document, Workspace& workspace, QWidget& window);

} // namespace sunder
