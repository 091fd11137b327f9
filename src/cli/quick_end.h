#pragma once

namespace sunder::cli {

/// Ends the process at once with `status`, without destructors, regardless of its memory size. The kernel needs about 0.2 s per
/// GB to free memory, and a shell waits for that. So a child process first takes over the memory without a copy, waits for the
/// end of this process, and then ends too. If no child can be created, the process ends without one. The child closes all files,
/// so that readers of pipes do not wait for it. Source: clone(2), CLONE_VM.
[[noreturn]] void endQuickly(int status);

} // namespace sunder::cli
