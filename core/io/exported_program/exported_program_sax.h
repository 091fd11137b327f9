#pragma once

#include "io/exported_program/exported_program_source.h"
#include "io/json/json_tape.h"
#include "support/progress_monitor.h"

#include <string_view>

namespace sunder {

/// A field of the serialized program that is handed out in pieces.
enum class ProgramField : std::uint8_t {
    // of the program
    graphModule,
    schemaVersion,
    torchVersion,
    rangeConstraints, ///< member by member
    // of its graph module
    graph,
    signature,
    moduleCallGraph, ///< item by item
    // of a graph
    inputs,  ///< item by item
    outputs, ///< item by item
    nodes,   ///< item by item
    tensorValues,    ///< these five member by member
    symIntValues,
    symFloatValues,
    symBoolValues,
    customObjValues,
    isSingleTensorReturn,
    other, ///< known to a writer or to a later version: `name` says which
};

/// One piece of the document, cut out whole. In a piece, a graph among the arguments of a node is the integer by
/// which graphBegins() announced it.
struct ProgramPiece {
    ProgramField field = ProgramField::other;
    std::uint32_t graph = 0;    ///< number of the graph it belongs to
    std::string_view name = {}; ///< key of a member, or of an `other` field
    JsonValue value = {};
};

/// Who takes the pieces. Every call returns false to stop, having noted why.
class ProgramPieces {
public:
    virtual ~ProgramPieces() = default;
    /// A graph begins: 0 for the program's own, then the number that this call returns.
    virtual std::uint32_t graphBegins(bool isNested) = 0;
    virtual bool take(const ProgramPiece& piece) = 0;
    /// What is wrong with the last piece.
    [[nodiscard]] virtual Error error() const = 0;
};

/// Reads the JSON of an exported program and hands it out piece by piece, so that never more than one node, tensor or
/// call is held as JSON, however large the document and however deep graphs nest. Malformed when it is not JSON,
/// nested deeper than 512 levels, holds a key twice, or is not built like an exported program; messages name the place
/// ("graph_module.graph.nodes[3]"). Cancelled when the monitor says so. Linear.
Result<void> cutExportedProgram(ByteSource& source, ProgramPieces& pieces, ProgressMonitor& monitor);

} // namespace sunder
