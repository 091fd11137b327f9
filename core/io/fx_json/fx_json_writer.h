#pragma once

#include "ir/program.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <ostream>
#include <string>

namespace sunder {

/// Writes a program as fx-json 1.0, gzipped when the path ends in ".gz". The file appears whole or not at all; a
/// full disk is an error, `cancelled` another. Archives of weights are named from the folder of the file. Equal programs give equal
/// bytes; reading the file gives an equal program, unknown lines
/// and keys included. Linear.
Result<void> writeFxJson(const Program& program, const std::string& path, ProgressMonitor& monitor = ProgressMonitor::none());

/// Writes a file that is moved to `laterFolder` afterwards. With `source`, nodes that equal nodes of its root graph are written
/// as `copies` lines (docs/fx-json.md); reading such a file requires the source.
Result<void> writeFxJson(const Program& program, const std::string& path, const std::string& laterFolder,
                         ProgressMonitor& monitor = ProgressMonitor::none(), const Program* source = nullptr);

/// The same to a stream, not gzipped. The stream's state tells whether it was written.
void writeFxJson(const Program& program, std::ostream& out);

} // namespace sunder
