#pragma once

#include "app/actions.h"
#include "document/document.h"

namespace sunder {

class Workspace;

/// Makes the commands do what they say that go somewhere, widen the selection or copy it: back and forward, "Go to", all that is
/// needed and that needs it, equal ones, names; and the palette of all commands. `window` owns the dialogs.
void connectGoing(const Actions& actions, Document& document, Workspace& workspace, QWidget& window);

} // namespace sunder
