#pragma once

#include "layout/box_layout.h"
#include "layout/compose/compose_links.h"

#include <vector>

namespace sunder::compose {

/// What is known of a child before its body is laid out.
struct ChildBox {
    Index entry = 0;
    BoxGraph::Box box;
    double work = 1; ///< how much it does; the chain with most of it is the main path
    bool isModule = false; ///< a closed module, a run or a frame: no single op
    bool hasColumns = false; ///< a frame that is set in columns, or holds such a one
    float exitAside = 0; ///< of such a frame: how far to the right of its middle the main value leaves it
};

/// A body as a layout engine sees it. Where links come in at the upper border there is a port for each producer, a box
/// without size, held above all children by an anchor; likewise below. Edges that only hold ports in their place
/// stand behind those of the links.
struct BodyPlan {
    BoxGraph graph;                ///< edges 0 … links - 1 are the body's links, in their order
    Index firstChild = 0;          ///< box of the first child
    std::vector<Index> entryPorts; ///< producers, ascending; port p is box firstEntryPort + p
    std::vector<Index> exitPorts;
    Index firstEntryPort = 0;
    Index firstExitPort = 0;
    Index mainPort = kNone; ///< box of the port through which the main path comes in, else goes out
};

/// `children` in order of execution. Linear but for looking ports up.
BodyPlan planBody(const std::vector<ChildBox>& children, std::span<const Link> links);

} // namespace sunder::compose
