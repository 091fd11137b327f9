#pragma once

#include "io/pt2/pt2_schema.h"
#include "ir/program.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace sunder {

struct Pt2ProgramOptions {
    bool isPart = false; ///< guards on the inputs of the whole stay behind
    std::optional<Pt2Schema> target = {}; ///< none: what the program is written for by itself
};

/// Writes the JSON of an exported program (`models/model.json`), piece by piece into `sink`. Keys of the source's
/// program that the IR has no place for are written back, for a part all but its guards.
Result<void> writeExportedProgram(const Program& program, const Pt2ProgramOptions& options,
                                  const std::function<void(std::string_view)>& sink,
                                  ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
