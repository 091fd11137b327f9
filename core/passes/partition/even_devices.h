#pragma once

#include "ir/program.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <cstdint>

namespace sunder {

/// Returns the least memory for `count` equal devices such that filling them in order, as the size-based partitioners do, places
/// every call and no device holds the whole model. Rounded up to three digits if the model stays distributed. Returns
/// ErrorCode::refused if there is nothing to distribute: no calls, one device, an unknown size, or a call that needs as much as
/// the whole model. O(nodes + arguments) for each of at most 64 attempts.
Result<std::uint64_t> evenDeviceBytes(const Program& program, std::uint32_t count,
                                      ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
