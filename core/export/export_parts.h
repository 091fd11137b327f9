#pragma once

#include "passes/split_result.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <string>
#include <vector>

namespace sunder {

/// What the verification of a split said; export refuses anything but `proven` unless told otherwise.
enum class Proof : std::uint8_t { proven, different, undecided, notTried };

struct ExportPartsOptions {
    Proof proof = Proof::notTried; ///< notTried: exportParts verifies on its own
    std::string why = {};          ///< what the verification said when it was not proven
    bool unproven = false;         ///< write parts even so
};

/// What was written.
struct ExportedParts {
    std::string manifest;           ///< path of manifest.json
    std::vector<std::string> files; ///< paths, one a part, in call order
};

/// Writes every part as a model of its own into `folder` (.pt2 when the source was one, with weights copied raw;
/// else .fxj), and manifest.json with files, inputs, outputs and the order of calls. Reads every part back. All or
/// nothing: on failure the folder is as it was.
Result<ExportedParts> exportParts(const Program& source, const SplitResult& split, const std::string& folder,
                                  const ExportPartsOptions& options = {},
                                  ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
