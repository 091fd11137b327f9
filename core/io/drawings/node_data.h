#pragma once

#include "ir/program.h"
#include "support/json_tape.h"
#include "support/result.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sunder {

/// A number per node of the root graph, as Model Explorer overlays it.
struct NodeData {
    std::string name; ///< "seconds"
    std::vector<std::optional<double>> values; ///< per NodeId
};

/// Returns the numbers as node data for the file of writeModelExplorer(), with a color gradient from the least to the greatest.
std::string nodeDataText(const Program& program, const NodeData& data);

/// Returns whether a JSON text is node data: an object with "results", or of such objects by the ids of graphs.
bool isNodeData(JsonValue root);

/// Reads a file of node data of Model Explorer, at most 256 MB, as parseNodeData() does.
Result<NodeData> readNodeData(const Program& program, const std::string& path);

/// Reads node data of Model Explorer: the numbers of the graph "main", or of the only graph. Refused, naming `nameForMessages` and
/// entry: names that are not nodes, values that are not finite numbers. Linear.
Result<NodeData> parseNodeData(const Program& program, std::string_view text, const std::string& nameForMessages);

} // namespace sunder
