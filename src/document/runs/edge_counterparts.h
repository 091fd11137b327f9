#pragma once

#include "document/runs/run.h"
#include "document/selection.h"

namespace sunder {

/// The edge of `there` that `edge` of `here` is, where `reader` of `there` does what its reader does: the value that it reads in the
/// same place, be it the same op's or an input that carries it over a boundary. Nothing where they read different numbers of
/// values. O(inputs of both).
std::optional<EdgeEnds> sameEdge(const Graph& here, const EdgeEnds& edge, const Graph& there, NodeId reader);

/// The edge of the source that one of a run's program is; nothing where a pass made all that reads it.
std::optional<EdgeEnds> edgeInSource(const Program& source, const Run& run, const SelectedEdge& edge);

/// The edge of a graph of a run's program that one of the source is: to its reader, or, from another part, to the call of the part
/// that has the reader. Nothing where neither is there. O(nodes) of the graphs of the call and of the part.
std::optional<EdgeEnds> edgeInRun(const Program& source, const EdgeEnds& edge, const Run& run, GraphId graph);

} // namespace sunder
