#pragma once

#include "ir/program.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <string>
#include <string_view>

namespace sunder {

struct ReadModelOptions {
    /// Name of the program in an archive that holds several; empty: the only one, else the one called "model".
    std::string model = {};
};

/// Kinds of files that are told apart by how they begin.
enum class ModelFileKind : std::uint8_t {
    fxJson,          ///< fx-json, plain or gzipped
    archive,         ///< a zip: a .pt2, or something that readPt2 names
    exportedProgram, ///< a bare program as JSON
    empty,
    lfsPointer,
    other, ///< see nameOfContent()
};

/// The kind of a file that begins with these bytes (4 KB tell all kinds apart; all of a shorter file).
ModelFileKind modelFileKind(std::string_view head);

/// What a file of the kind `other` looks like, for people ("an ONNX model", "a picture"); empty when unknown.
std::string_view nameOfContent(std::string_view head);

/// Reads any model that this build knows, recognised by content and not by suffix: .pt2 of either container, a bare
/// exported program, fx-json plain or gzipped. Nodes without a module stack are placed by their readers (placeByReaders()),
/// those of a joint program by its weights (placeTrainingModules()).
/// Errors: io, unsupported (names what the file looks like), malformed, usage (no program of that name), cancelled; each names
/// the file.
Result<Program> readModel(const std::string& path, const ReadModelOptions& options = {},
                          ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
