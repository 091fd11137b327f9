#pragma once

#include "app/actions.h"

namespace sunder {

class GraphView;
class Workspace;
class ZoomField;

/// The graph that has the focus, or the one of the pane that has it; else that of the source.
GraphView& graphInFront(Workspace& workspace);

/// Keeps the field at the zoom of the pane that has or had the focus, and gives that pane what is typed.
void connectZoomField(ZoomField& field, Workspace& workspace);

/// Makes the commands of zoom, of folding and of tools do what they say: in the graph that has the focus, else in the source.
void connectViewCommands(const Actions& actions, Workspace& workspace);

} // namespace sunder
