#pragma once

#include <string>
#include <vector>

namespace sunder::fuzz {

/// Limits for a program.
struct Bounds {
    double seconds = 20;     ///< processor time
    std::size_t bytes = 2ULL << 30U; ///< resident memory
    bool limitAddresses = true; ///< limit the address space as well; off with sanitizers, which reserve all of it
};

/// The outcome of a program.
struct Ending {
    int status = -1; ///< its exit status
    int signal = 0;  ///< the signal that ended it, or 0
    double seconds = 0;
    std::size_t bytes = 0; ///< peak resident memory
    std::string out;
    std::string err;
};

/// Runs a program in `folder` and waits for it.
Ending runWatched(const std::vector<std::string>& words, const std::string& folder, const Bounds& bounds);

} // namespace sunder::fuzz
