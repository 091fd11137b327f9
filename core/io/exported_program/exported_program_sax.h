#pragma once

#include "io/exported_program/exported_program_source.h"
#include "support/json_tape.h"
#include "support/progress_monitor.h"

#include <string_view>

namespace sunder {

/// A field of the serialized program that is delivered in pieces.
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
    tensorValues,    ///< this and the next four: member by member
    symIntValues,
    symFloatValues,
    symBoolValues,
    customObjValues,
    isSingleTensorReturn,
    other, ///< only for writers, or of a later version; see `name`
};

/// One complete piece of the document. In a piece, a graph in the arguments of a node is replaced by the integer that
/// graphBegins() returned for it.
struct ProgramPiece {
    ProgramField field = ProgramField::other;
    std::uint32_t graph = 0;    ///< number of its graph
    std::string_view name = {}; ///< key of a member, or of an `other` field
    JsonValue value = {};
};

/// Receives the pieces. Each function returns false to stop, and error() returns the reason.
class ProgramPieces {
public:
    virtual ~ProgramPieces() = default;
    /// Called at the start of a graph. Returns its number: 0 for the root graph.
    virtual std::uint32_t graphBegins(bool isNested) = 0;
    virtual bool take(const ProgramPiece& piece) = 0;
    /// The error in the last piece.
    [[nodiscard]] virtual Error error() const = 0;
};

/// Reads the JSON of an exported program and delivers it piece by piece. At most one node, tensor, or call is in memory as JSON,
/// regardless of document size and graph nesting.
///
/// Errors: malformed if it is not JSON, is nested deeper than 512 levels, contains a duplicate key, or does not have the
/// structure of an exported program; messages name the position ("graph_module.graph.nodes[3]"). Canceled if the monitor is
/// cancelled. Linear.
Result<void> cutExportedProgram(ByteSource& source, ProgramPieces& pieces, ProgressMonitor& monitor);

} // namespace sunder
