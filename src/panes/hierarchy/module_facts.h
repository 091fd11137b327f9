#pragma once

#include "ir/program.h"
#include "panes/hierarchy/fact_table.h"

namespace sunder {

/// Returns a row for each input and output of a module's graph: direction, name, type, bytes. O(nodes).
std::vector<FactTable::Row> signatureRows(const Graph& graph);

/// Returns a row for each parameter, buffer, and constant that a module's graph reads: name, kind, type, bytes, other names.
/// `module` owns the graph. O(nodes + tensors).
std::vector<FactTable::Row> tensorRows(const Program& program, ModuleId module, const Graph& graph);
/// Returns the total size of these tensors, each memory once. O(tensors).
std::uint64_t tensorBytes(const Program& program, ModuleId module, const Graph& graph);

} // namespace sunder
