#pragma once

#include "export/export_request.h"

namespace sunder {

// Files about a program. Each is written beside its place, read back, compared, and then moved there; what comes back is
// a sentence about the check.

Result<QString> writeTags(const ExportRequest& request);
Result<QString> writeDag(const SplitOutcome& outcome, const QString& path);
Result<QString> writeCost(const Program& source, const SplitOutcome& outcome, const QString& path);
Result<QString> writeNames(const SplitOutcome& outcome, const QString& path);
Result<QString> writeRegions(const Snapshot& source, const RegionsOutcome& outcome, const QString& path);
Result<QString> writePicture(const ExportRequest& request);

} // namespace sunder
