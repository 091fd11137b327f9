#pragma once

#include "ir/program.h"
#include "support/result.h"

#include <functional>
#include <string>
#include <string_view>

namespace sunder {

/// Writes the JSON of an exported program (`models/model.json`), piece by piece into `sink`. Keys of the source's
/// program that the IR has no place for are written back, for a part all but its guards.
Result<void> writeExportedProgram(const Program& program, bool isPart,
                                  const std::function<void(std::string_view)>& sink);

} // namespace sunder
