#pragma once

#include "io/exported_program/exported_program_source.h"
#include "ir/program.h"
#include "support/progress_monitor.h"

namespace sunder {

/// Reads the JSON of an exported program (`models/model.json` of an archive, `serialized_exported_program.json` of the flat zip,
/// or a separate file) and rebuilds its graphs. It contains no tensors; the caller adds them. Errors name the position in the
/// document; the caller adds file and member. Supports schema 8 and earlier.
///
/// Data that only a writer needs is kept raw: in ProgramOrigin::extra as `{"exported_program":{"schema_version":…,
/// "opset_version":…, "verifiers":…, "metadata":…, …}}`, and in NodeMeta::json of each node (see ExportedProgramNodes).
Result<Program> readExportedProgram(ByteSource& source, ProgressMonitor& monitor);

} // namespace sunder
