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
    bool isPart = false; ///< omit guards on the inputs of the whole program
    std::optional<Pt2Schema> target = {}; ///< none: the default schema of the program
};

/// Writes the JSON of an exported program (`models/model.json`) piece by piece into `sink`. Keys of the source program that have
/// no equivalent in the IR are written back, except for the guards of a part.
Result<void> writeExportedProgram(const Program& program, const Pt2ProgramOptions& options,
                                  const std::function<void(std::string_view)>& sink,
                                  ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
