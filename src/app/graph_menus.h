#pragma once

#include "app/actions.h"
#include "canvas/picture_style.h"
#include "document/document.h"

class QMenu;

namespace sunder {

class RegionsPane;

/// What can be done with the selection, and in the graph.
void fillSelectionMenu(QMenu& menu, Document& document, const Actions& actions, RegionsPane& regions);

/// What would take a backward edge away; stays empty where there is no such problem any more.
void fillRepairMenu(QMenu& menu, Document& document, const BackwardMark& edge);

} // namespace sunder
