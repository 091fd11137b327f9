#pragma once

#include "ir/program.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <string>
#include <string_view>

namespace sunder {

struct ReadModelOptions {
    /// Name of the program in an archive with several. Empty: the only program, else the one called "model".
    std::string model = {};
};

/// Kinds of files, distinguished by their first bytes.
enum class ModelFileKind : std::uint8_t {
    fxJson,          ///< fx-json, plain or gzipped
    archive,         ///< a zip: a .pt2 or another kind that readPt2 names
    exportedProgram, ///< a program as JSON without an archive
    empty,
    lfsPointer,
    other, ///< see nameOfContent()
};

/// Returns the kind of a file by its first bytes: 4 KB, or the whole of a shorter file.
ModelFileKind modelFileKind(std::string_view head);

/// Returns a description of a file of kind `other` ("an ONNX model", "a picture"); empty if unknown.
std::string_view nameOfContent(std::string_view head);

/// Reads any supported model, recognized by content and not by suffix: .pt2 in any container, an exported program as JSON, and
/// fx-json, plain or gzipped. Nodes without a module stack get one from their consumers (placeByReaders()), or from their weights
/// in a joint program (placeTrainingModules()). Errors: io, unsupported (names the apparent kind of file), malformed, usage (no
/// program of that name), cancelled; each names the file.
Result<Program> readModel(const std::string& path, const ReadModelOptions& options = {},
                          ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
