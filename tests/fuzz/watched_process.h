#pragma once

#include <string>
#include <vector>

namespace sunder::fuzz {

/// How much a program may take.
struct Bounds {
    double seconds = 20;     ///< of processor time
    std::size_t bytes = 2ULL << 30U; ///< of resident memory
    bool limitAddresses = true; ///< also of addresses: not where a sanitizer needs them all
};

/// What became of a program.
struct Ending {
    int status = -1; ///< what it returned
    int signal = 0;  ///< what ended it; 0: it returned
    double seconds = 0;
    std::size_t bytes = 0; ///< resident at the peak
    std::string out;
    std::string err;
};

/// Runs a program in `folder` and waits for it.
Ending runWatched(const std::vector<std::string>& words, const std::string& folder, const Bounds& bounds);

} // namespace sunder::fuzz
