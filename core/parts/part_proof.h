#pragma once

#include "parts/export_parts.h"

namespace sunder {

/// Parts must compute what the whole does; whoever asked may already know, else it is verified here. ErrorCode::refused with the
/// reason where it is not proven, unless options say that it need not be.
Result<void> checkProof(const Program& source, const SplitResult& split, const ExportPartsOptions& options,
                        ProgressMonitor& monitor);

} // namespace sunder
