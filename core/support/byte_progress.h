#pragma once

#include "support/progress_monitor.h"

#include <cstdint>
#include <string>

namespace sunder {

/// Progress of what is done byte by byte: "Copying weights, 3.2 GB of 9.8 GB".
class ByteProgress final {
public:
    /// `all` bytes make the whole of `monitor`.
    ByteProgress(ProgressMonitor& monitor, std::uint64_t all, std::string what);

    /// So many more are done. False when it was cancelled.
    bool add(std::uint64_t bytes);
    [[nodiscard]] bool isCancelled() const { return m_monitor.isCancelled(); }

private:
    ProgressMonitor& m_monitor;
    std::uint64_t m_all;
    std::uint64_t m_done = 0;
    std::string m_what;
    std::string m_end; ///< " of 9.8 GB"
};

} // namespace sunder
