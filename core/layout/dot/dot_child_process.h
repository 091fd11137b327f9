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
    std::size_t outputLimit = 0;      ///< most bytes that it may write
    std::uint32_t timeLimitMs = 2000;
};

/// Runs a program, feeds it and returns what it wrote to standard output until it ended with status 0. Kills it at the
/// time limit, on cancel and when it writes too much; it leaves no zombie and raises no SIGPIPE. Its standard error is
/// dropped. May be called from several threads at once.
Result<std::string> runChild(const ChildCall& call, ProgressMonitor& monitor);

} // namespace sunder::dot
