#pragma once

#include "support/progress_monitor.h"
#include "support/result.h"

#include <string>

namespace sunder {

/// True for a named pipe (mkfifo), which may never get a writer. False for pipes of a shell: "<(…)" and standard input.
bool isNamedPipe(int descriptor);

/// Copies the contents of a non-blocking pipe or socket to an unnamed file and returns its descriptor, which the caller must
/// close. Waits without limit until the other end is closed. Fails with cancelled soon after `monitor` is cancelled, and with io
/// for more than 64 GB.
Result<int> spoolInput(int descriptor, const std::string& path, ProgressMonitor& monitor);

} // namespace sunder
