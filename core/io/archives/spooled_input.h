#pragma once

#include "support/progress_monitor.h"
#include "support/result.h"

#include <string>

namespace sunder {

/// True for a pipe with a name in a file system (mkfifo), which may never get a writer. False for the pipes of a shell: "<(…)" and
/// standard input.
bool isNamedPipe(int descriptor);

/// Copies all that comes out of a pipe or a socket, opened not to block, into a file without a name, and
/// returns a descriptor of it, which the caller closes. Waits until the other end is closed, however long; fails with
/// cancelled soon after `monitor` says so, and with io over 64 GB.
Result<int> spoolInput(int descriptor, const std::string& path, ProgressMonitor& monitor);

} // namespace sunder
