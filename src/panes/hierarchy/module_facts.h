#pragma once

#include "ir/program.h"
#include "panes/hierarchy/fact_table.h"

namespace sunder {

/// What a module's graph takes and gives: direction, name, type, bytes. O(nodes).
std::vector<FactTable::Row> signatureRows(const Graph& graph);

/// Parameters, buffers and constants that a module's graph reads as its own: name, kind, type, bytes, under which other
/// names they stand. `module` is the object that owns the graph. O(nodes + tensors).
std::vector<FactTable::Row> tensorRows(const Program& program, ModuleId module, const Graph& graph);
/// Of all these, each object once.
std::uint64_t tensorBytes(const Program& program, ModuleId module, const Graph& graph);

} // namespace sunder
