#pragma once

#include "ir/program.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <string>
#include <string_view>

namespace sunder {

/// File name suffix of fx-json parts.
inline constexpr std::string_view kPlainPartSuffix = ".fxj";

/// Returns the name of the archive of weights beside such a part. `file` must end in kPlainPartSuffix.
std::string weightsBeside(const std::string& file);

/// Copies the bytes of a part's tensors into an archive, one record per storage, so that the part does not depend on other files.
/// Writes the archive at `path`; its final name, beside the part, is `name`. Returns the part with the new locations and CRCs of
/// storages. Storages whose location the source does not state do not change; if there are no others, no file is written. Errors
/// as for writePt2(). O(bytes).
Result<Program> writePartWeights(const Program& source, const Program& part, const std::string& path, const std::string& name,
                                 ProgressMonitor& monitor = ProgressMonitor::none());

/// Returns the bytes of all storages of a part, each counted once. If the file does not state the size of a storage, uses that of
/// its tensors.
std::uint64_t storedBytes(const Program& part);

} // namespace sunder
