#pragma once

#include "app/actions.h"
#include "canvas/picture_style.h"
#include "document/document.h"

class QMenu;

namespace sunder {

class GraphView;
class OutlinePanel;
class RegionsPane;
class Workspace;

/// A clicked module, in a graph or elsewhere.
struct ClickedModule {
    GraphView& view;           ///< graph that opens and closes it
    QString key = {};          ///< key as in PictureOptions; empty if the click was not on a module
    std::vector<NodeId> nodes = {}; ///< nodes in the module
};

/// Adds commands for the selection, the clicked item, and the graph.
void fillSelectionMenu(QMenu& menu, Document& document, const Actions& actions, RegionsPane& regions,
                       const ClickedModule& clicked);

/// Adds commands for the selected edge of the source or a run: go to its ends, select them, copy its details. Leaves the menu
/// empty if no edge is selected.
void fillEdgeMenu(QMenu& menu, Document& document);

/// Adds fixes for a backward edge. Leaves the menu empty if that problem no longer exists.
void fillRepairMenu(QMenu& menu, Document& document, const BackwardMark& edge);

/// Shows these menus where the graphs and the outline ask for them. All arguments must outlive `workspace`.
void connectGraphMenus(const Actions& actions, Document& document, Workspace& workspace, OutlinePanel& outline);

} // namespace sunder
