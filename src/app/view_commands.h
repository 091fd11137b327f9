#pragma once

#include "app/actions.h"

namespace sunder {

class GraphView;
class Workspace;
class ZoomField;

/// Returns the focused graph, or the graph of the focused pane, else that of the source.
GraphView& graphInFront(Workspace& workspace);

/// Shows the zoom of the pane that has or last had the focus, and applies typed values to it.
void connectZoomField(ZoomField& field, Workspace& workspace);

/// Connects the commands for zoom, folding, and tools. They apply to the focused graph, else to the source.
void connectViewCommands(const Actions& actions, Workspace& workspace);

} // namespace sunder
