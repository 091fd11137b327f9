#pragma once

#include "ir/program.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <string>
#include <string_view>

namespace sunder {

/// Of the file of a part that is fx-json.
inline constexpr std::string_view kPlainPartSuffix = ".fxj";

/// Name of the archive of weights beside such a part. `file` ends in kPlainPartSuffix.
std::string weightsBeside(const std::string& file);

/// Copies the bytes of the tensors of a part into an archive beside it, a record a storage, so that the part needs no
/// other file. The archive is written at `path` and will lie beside the part as `name`. Returns the part with storages that
/// say where their bytes lie then, with the CRC of each; storages of which the source does not say where they are stay as
/// they are, and without any others no file is written. Errors as those of writePt2(). O(bytes).
Result<Program> writePartWeights(const Program& source, const Program& part, const std::string& path, const std::string& name,
                                 ProgressMonitor& monitor = ProgressMonitor::none());

/// Bytes of all storages of a part, each counted once; of a storage that the file says no size of, those of its tensors.
std::uint64_t storedBytes(const Program& part);

} // namespace sunder
