#pragma once

#include "support/progress_monitor.h"
#include "support/result.h"

#include <string>

namespace sunder {

/// Copies all that comes out of a pipe, a socket or a device, opened not to block, into a file without a name, and
/// returns a descriptor of it, which the caller closes. Waits until the other end is closed, however long; fails with
/// cancelled soon after `monitor` says so, and with io over 64 GB (1 GB of a device, which may never end).
Result<int> spoolInput(int descriptor, const std::string& path, ProgressMonitor& monitor);

} // namespace sunder
