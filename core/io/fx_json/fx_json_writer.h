#pragma once

#include "ir/program.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <ostream>
#include <string>

namespace sunder {

/// Writes a program as fx-json 1.0, gzipped if the path ends in ".gz". The file is replaced atomically. Fails if the disk is
/// full, or when canceled. Paths of weight archives are relative to the folder of the file. Equal programs give equal bytes, and
/// reading the file returns an equal program, including unknown lines and keys. Linear.
Result<void> writeFxJson(const Program& program, const std::string& path, ProgressMonitor& monitor = ProgressMonitor::none());

/// Writes a file that is moved to `laterFolder` afterward. With `source`, nodes that equal nodes of its root graph are written
/// as `copies` lines (docs/fx-json.md); reading such a file requires the source.
Result<void> writeFxJson(const Program& program, const std::string& path, const std::string& laterFolder,
                         ProgressMonitor& monitor = ProgressMonitor::none(), const Program* source = nullptr);

/// The same to a stream, without gzip. Check the stream's state for write errors.
void writeFxJson(const Program& program, std::ostream& out);

} // namespace sunder
