#pragma once

#include "io/exported_program/exported_program_source.h"
#include "ir/program.h"
#include "support/progress_monitor.h"

namespace sunder {

/// Reads the JSON of an exported program (`models/model.json` of an archive, `serialized_exported_program.json` of the
/// flat zip, or such a file by itself) and rebuilds its graphs. Tensors are not in it: the caller adds them. Errors
/// name the place in the document; file and member are for the caller to add. Schema 8 and earlier.
///
/// What only a writer of such files needs is kept raw: in ProgramOrigin::extra as
/// `{"exported_program":{"schema_version":…, "opset_version":…, "verifiers":…, "metadata":…, …}}`, and in the
/// NodeMeta::json of each node (see ExportedProgramNodes).
Result<Program> readExportedProgram(ByteSource& source, ProgressMonitor& monitor);

} // namespace sunder
