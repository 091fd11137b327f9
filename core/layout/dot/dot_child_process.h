#pragma once

#include "support/progress_monitor.h"
#include "support/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sunder::dot {

struct ChildCall {
    std::vector<std::string> command; ///< program and arguments
    std::string_view input;           ///< its standard input
    std::size_t outputLimit = 0;      ///< maximum number of output bytes
    std::uint32_t timeLimitMs = 2000;
};

/// Runs a program with the given input and returns its standard output if it exits with status 0. Kills it at the time limit,
/// when canceled, and when the output exceeds its limit. Leaves no zombie process and raises no SIGPIPE. Standard error is
/// discarded. Thread-safe.
Result<std::string> runChild(const ChildCall& call, ProgressMonitor& monitor);

} // namespace sunder::dot
