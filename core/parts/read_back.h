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
    std::optional<Pt2Schema> target = {}; ///< the release that it was written for, see Pt2WriteOptions
    std::string weightsFrom = {};         ///< of an fx-json part: the folder that its weights are named from
};

/// Reads a part that was written and compares it with what should be in it: nodes in order, signature, tensors, and,
/// with the verifier, what it computes and what its weights hold, which is
/// returned. Fails naming file and node. Linear.
Result<ContentsReport> checkReadBack(const Program& part, const std::string& path, const ReadBackOptions& options,
                                     ProgressMonitor& monitor);

} // namespace sunder
