#pragma once

#include "analysis/cost/node_seconds.h"
#include "ir/program.h"
#include "support/result.h"

#include <span>
#include <string>
#include <string_view>

namespace sunder {

/// Reads files of measured costs for a program in this order: COSTS.json, CSV, Chrome traces of torch.profiler or sunder.profile(),
/// or node data of Model Explorer (`docs/command-line.md`), also gzipped, at most 1 GB each. Values of later files win; `together`
/// and `recompute` add up. They are added to `costs`. Refused (ErrorCode::refused), naming file and entry: names that are not
/// in the program, numbers that are negative or missing. Malformed: anything else that does not follow the format. Linear.
Result<MeasuredCosts> readCostsFiles(const Program& program, std::span<const std::string> paths, MeasuredCosts costs = {});

/// Adds the costs in the text of such a file to `costs`; errors and sources name `nameForMessages`.
Result<void> addCosts(const Program& program, std::string_view text, const std::string& nameForMessages, MeasuredCosts& costs);

/// Returns a COSTS.json with the nodes that have seconds and with the other entries of the measured costs, one node per line.
/// `device` is for display. addCosts() returns the same values.
std::string costsFileText(const Program& program, const ProgramSeconds& seconds, const MeasuredCosts& measured,
                          std::string_view device);

/// Returns a COSTS.json with the measured costs alone, on one line. Empty if nothing was measured.
std::string measuredCostsText(const Program& program, const MeasuredCosts& measured);

} // namespace sunder
