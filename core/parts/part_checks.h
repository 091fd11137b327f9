#pragma once

#include "io/side_files/moves_file.h"
#include "io/side_files/regions_file.h"
#include "ir/graph.h"
#include "ir/program.h"
#include "parts/export_parts.h"
#include "passes/move_non_tensor/move_non_tensor.h"
#include "passes/regions/region_result.h"
#include "passes/split_result.h"
#include "support/progress_monitor.h"
#include "support/result.h"
#include "verify/verify.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace sunder {

/// Returns the moves of nodes by name: the content of a MOVES.json. Linear.
MovesFile movesByName(const Graph& graph, const MoveNonTensorResult& result);

/// Returns repeated regions of a graph by node name: the content of a REGIONS.json. Linear.
RegionsFile regionsByName(const Graph& graph, const RegionResult& result);

/// Returns the error for a part of a plain torch.fx program that cannot be a `.pt2`, with the part's name.
Error partFormError(const std::string& part, const Error& why);

/// Returns why parts of a plain torch.fx program cannot be written as `.pt2`, in part order, at most `limit` errors. Empty for an
/// exported program. Excludes errors of separateCut(). Fails with ErrorCode::cancelled. Linear.
Result<std::vector<Error>> partFormRefusals(const Program& source, const SplitResult& split, std::size_t limit,
                                            ProgressMonitor& monitor = ProgressMonitor::none());

/// Checks that the parts are equivalent to the model. Verifies them unless the options already contain the result. Fails with
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
