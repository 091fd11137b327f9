#pragma once

#include "io/archives/source_file.h"
#include "ir/program.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <string>

namespace sunder {

/// What to read of an archive.
struct Pt2ReadOptions {
    /// Name of the program in an archive that holds several. Empty: the only one, else the one called "model".
    std::string model = {};
};

/// Reads a program saved by torch.export.save: the archive of PyTorch 2.8 and later, or the flat zip of earlier
/// versions. The graph is rebuilt node for node as torch.export.load does it; weights stay in the file, storages say
/// where. Memory stays near the size of the graph. Errors: io, malformed, unsupported, usage (no program of that
/// name, or several and none named), each naming the member and the place in it. Linear in the size of the JSON.
Result<Program> readPt2(const std::string& path, const Pt2ReadOptions& options = {},
                        ProgressMonitor& monitor = ProgressMonitor::none());
Result<Program> readPt2(std::shared_ptr<const SourceFile> file, const Pt2ReadOptions& options = {},
                        ProgressMonitor& monitor = ProgressMonitor::none());

/// Reads a bare `model.json` (or `serialized_exported_program.json`), a program without its archive and weights.
Result<Program> readExportedProgramJson(const std::string& path, ProgressMonitor& monitor = ProgressMonitor::none());
Result<Program> readExportedProgramJson(std::shared_ptr<const SourceFile> file,
                                        ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
