#pragma once

#include "app/actions.h"
#include "canvas/picture_style.h"
#include "document/document.h"

class QMenu;

namespace sunder {

class GraphView;
class RegionsPane;

/// A module that was clicked, in the graph or elsewhere.
struct ClickedModule {
    GraphView& view;           ///< that opens and closes it
    QString key = {};          ///< as of PictureOptions; empty: what was clicked is none
    std::vector<NodeId> nodes = {}; ///< that it holds
};

/// What can be done with the selection, with what was clicked, and in the graph.
void fillSelectionMenu(QMenu& menu, Document& document, const Actions& actions, RegionsPane& regions,
                       const ClickedModule& clicked);

/// What can be done with the selected edge, of the source or of a run: go to its ends, select them, copy what it says. Stays empty
/// where none is selected.
void fillEdgeMenu(QMenu& menu, Document& document);

/// What would take a backward edge away; stays empty where there is no such problem any more.
void fillRepairMenu(QMenu& menu, Document& document, const BackwardMark& edge);

} // namespace sunder
