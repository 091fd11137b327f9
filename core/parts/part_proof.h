#pragma once

#include "parts/export_parts.h"
#include "verify/verify.h"

#include <optional>

namespace sunder {

/// Parts must compute what the whole does; whoever asked may already know, else it is verified here. ErrorCode::refused with the
/// reason where it is not proven, unless options say that it need not be.
Result<void> checkProof(const Program& source, const SplitResult& split, const ExportPartsOptions& options,
                        ProgressMonitor& monitor);

/// What verification says of parts that run on their own.
struct PartsProof {
    VerifyReport report;
    IdentityMap map; ///< of the split that they are
};

/// Verifies the parts of a proven split in which each part sets global state itself (SeparateCut::changed). nullopt if they are
/// equivalent too, are those of the split, or are refused by separateCut(), which TagReport says.
Result<std::optional<PartsProof>> unprovenParts(const Program& source, const SplitResult& split,
                                                ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
