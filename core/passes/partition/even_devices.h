#pragma once

#include "ir/program.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <cstdint>

namespace sunder {

/// The memory that each of `count` equal devices needs at least so that filling them one after the other, as the
/// size-based partitioners do, puts every call on one of them and none holds the whole; rounded up to three digits
/// where that still spreads the model. Refused where there is nothing to spread: no calls, one device, a size that is
/// not known, a call that needs as much as the whole. O(nodes + arguments) for each of at most 64 tries.
Result<std::uint64_t> evenDeviceBytes(const Program& program, std::uint32_t count,
                                      ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
