#pragma once

namespace sunder::cli {

/// Handles SIGINT, SIGTERM, and SIGHUP: ends the process at once with status 4. A separate thread waits for the signals, lets
/// commits in progress finish, and deletes incomplete files; the system ends child processes. The amount of memory to free causes
/// no delay. Ignored signals (nohup) stay ignored.
class Interruption final {
public:
    /// Call before starting other threads. `asJson`: report the error as a JSON object on standard output.
    static void watch(bool asJson);
    static bool hasCome();
    /// Call before reporting the result of the command. Does not return if a signal has arrived.
    static void holdBack();
};

} // namespace sunder::cli
