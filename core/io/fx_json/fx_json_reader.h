#pragma once

#include "io/archives/source_file.h"
#include "ir/program.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <string>
#include <string_view>

namespace sunder {

/// Reads an fx-json 1.x file, plain or gzipped (detected by content), line by line. Memory use is close to the size of the graph.
/// Lines and keys of later versions are kept for the writer. Errors name file and line: io, malformed (truncated, wrong node
/// count, unknown ids, a node used before its definition, wrong types …), unsupported (`min` is newer than 1.0), cancelled.
/// Linear in the size of the file.
Result<Program> readFxJson(const std::string& path, ProgressMonitor& monitor = ProgressMonitor::none());
Result<Program> readFxJson(std::shared_ptr<const SourceFile> file, ProgressMonitor& monitor = ProgressMonitor::none());

/// The same for a text in memory; errors name `nameForMessages` instead of a file.
Result<Program> parseFxJson(std::string_view text, const std::string& nameForMessages);

} // namespace sunder
