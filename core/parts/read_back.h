#pragma once

#include "io/pt2/pt2_schema.h"
#include "ir/program.h"
#include "support/progress_monitor.h"
#include "support/result.h"
#include "verify/tensor_contents.h"

#include <optional>
#include <string>

namespace sunder {

struct ReadBackOptions {
    std::optional<Pt2Schema> target = {}; ///< the release that it was written for; see Pt2WriteOptions
    std::string weightsFrom = {};         ///< for an fx-json part: the base folder of its weight paths
};

/// Reads a written part and compares it with its intended content: nodes in order, signature, tensors, and, with the verifier,
/// computation and contents of weights. Returns the comparison of contents. Errors name file and node. Linear.
Result<ContentsReport> checkReadBack(const Program& part, const std::string& path, const ReadBackOptions& options,
                                     ProgressMonitor& monitor);

} // namespace sunder
