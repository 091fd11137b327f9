#pragma once

#include "layout/box_layout.h"
#include "layout/compose/column_routes.h"
#include "layout/geometry.h"

#include <vector>

namespace sunder::compose {

/// Moves the start or end of a downward route to another x, with a vertical tangent. A straight line gets a bend close to the
/// moved end, and so does a curve that would become wider. Other curves lead directly to the new position.
void moveStart(BezierPath& path, float x);
void moveEnd(BezierPath& path, float x);

/// Appends a route that begins where `path` ends; a straight line fills any gap.
void append(BezierPath& path, const BezierPath& next, Point offset);

/// A child before its body is laid out.
struct ChildBox {
    Index entry = 0;
    BoxGraph::Box box;
    double work = 1; ///< the chain with the most work is the main path
    bool isModule = false; ///< a closed module, a run, or a frame, as opposed to a single op
    bool hasColumns = false; ///< a frame with columns in it, at any depth
    float exitAside = 0; ///< of such a frame: distance from its axis to the exit of the main value, to the right
};

/// A body as input of a layout engine. Each producer whose links enter at the top has a port, a box of size zero, which an anchor
/// holds above all children. Exit ports are held at the bottom likewise. Edges that only hold ports in place follow those of the
/// links.
struct BodyPlan {
    BoxGraph graph; ///< edges 0 … links - 1 are the links of the body, in their order
    Index firstChild = 0; ///< box of the first child
    std::vector<Index> entryPorts; ///< producers, ascending; port p is box firstEntryPort + p
    std::vector<Index> exitPorts;
    Index firstEntryPort = 0;
    Index firstExitPort = 0;
    Index mainPort = kNone; ///< box of the port where the main path enters, else where it leaves
};

/// Plans a body; `children` are in execution order. Linear except for port lookups.
BodyPlan planBody(const std::vector<ChildBox>& children, std::span<const Link> links);

} // namespace sunder::compose
