#pragma once

#include "io/archives/source_file.h"
#include "ir/program.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <string>

namespace sunder {

/// Options for reading an archive.
struct Pt2ReadOptions {
    /// Name of the program in an archive with several. Empty: the only program, else the one called "model".
    std::string model = {};
};

/// Reads a program saved by torch.export.save: the archive of PyTorch 2.8 and later, or the flat zip of earlier versions. The
/// graph is rebuilt node for node as by torch.export.load. Weights stay in the file, and storages record their locations. Memory
/// use is close to the size of the graph. Errors: io, malformed, unsupported, usage (no program of that name, or several without
/// a name), each naming the member and the position in it. Linear in the size of the JSON.
Result<Program> readPt2(const std::string& path, const Pt2ReadOptions& options = {},
                        ProgressMonitor& monitor = ProgressMonitor::none());
Result<Program> readPt2(std::shared_ptr<const SourceFile> file, const Pt2ReadOptions& options = {},
                        ProgressMonitor& monitor = ProgressMonitor::none());

/// Reads a separate `model.json` (or `serialized_exported_program.json`), a program without archive and weights.
Result<Program> readExportedProgramJson(const std::string& path, ProgressMonitor& monitor = ProgressMonitor::none());
Result<Program> readExportedProgramJson(std::shared_ptr<const SourceFile> file,
                                        ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
