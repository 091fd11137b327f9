#pragma once

namespace sunder::cli {

/// What SIGINT, SIGTERM and SIGHUP do: the process ends at once with status 4, whatever it waits for or works on. A thread
/// of its own waits for them, lets files that are just going to their places arrive, and takes away what is half
/// written; children are ended by the system. How much memory there is to take back delays nothing (see endQuickly()).
/// Signals that the process was told to ignore (nohup) stay ignored.
class Interruption final {
public:
    /// Call it before there are other threads. `asJson`: the error is said as an object on standard output.
    static void watch(bool asJson);
    static bool hasCome();
    /// Call it before it is said how the command ended. Does not return once a signal has come.
    static void holdBack();
};

} // namespace sunder::cli
