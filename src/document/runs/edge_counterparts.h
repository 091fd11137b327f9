#pragma once

#include "document/runs/run.h"
#include "document/selection.h"

namespace sunder {

/// Returns the edge of `there` that corresponds to `edge` of `here`. `reader` is the counterpart of the edge's consumer; the
/// result is its input at the same position, which may be a placeholder that carries the value across a boundary. Nothing if the
/// two consumers have different numbers of inputs. O(inputs of both).
std::optional<EdgeEnds> sameEdge(const Graph& here, const EdgeEnds& edge, const Graph& there, NodeId reader);

/// Returns the source edge of an edge in a run's program; nothing if none of its consumers corresponds to a source node.
std::optional<EdgeEnds> edgeInSource(const Program& source, const Run& run, const SelectedEdge& edge);

/// Returns the edge in `graph` of a run's program that corresponds to a source edge: to the consumer itself, or to the call of
/// the part that contains the consumer. Nothing if neither is in the graph. O(nodes) of the graphs of the call and the part.
std::optional<EdgeEnds> edgeInRun(const Program& source, const EdgeEnds& edge, const Run& run, GraphId graph);

} // namespace sunder
