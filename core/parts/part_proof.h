#pragma once

#include "parts/export_parts.h"
#include "verify/verify.h"

#include <optional>

namespace sunder {

/// Checks that the parts are equivalent to the whole. Verifies them unless the options already contain the result. Fails with
/// ErrorCode::refused and the reason if they are not proven, unless the options allow it.
Result<void> checkProof(const Program& source, const SplitResult& split, const ExportPartsOptions& options,
                        ProgressMonitor& monitor);

/// The result of verifying separate parts.
struct PartsProof {
    VerifyReport report;
    IdentityMap map; ///< of the separate parts
};

/// Verifies the parts of a proven split if each part must set global state itself (SeparateCut::changed). Returns nullopt if they
/// are equivalent as well, if they are the parts of the split, or if separateCut() refuses them, which TagReport states.
Result<std::optional<PartsProof>> unprovenParts(const Program& source, const SplitResult& split,
                                                ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
