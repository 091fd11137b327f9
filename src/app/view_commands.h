#pragma once

#include "app/actions.h"

namespace sunder {

class Workspace;

/// Makes the commands of zoom, of folding and of tools do what they say: in the graph that has the focus, else in the source.
void connectViewCommands(const Actions& actions, Workspace& workspace);

} // namespace sunder
