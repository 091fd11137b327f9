#pragma once

#include "support/progress_monitor.h"

#include <cstdint>
#include <string>

namespace sunder {

/// Progress of an operation measured in bytes: "Copying weights, 3.2 GB of 9.8 GB".
class ByteProgress final {
public:
    /// `all`: number of bytes of the whole operation.
    ByteProgress(ProgressMonitor& monitor, std::uint64_t all, std::string what);

    /// Reports further bytes as done. Returns false if cancelled.
    bool add(std::uint64_t bytes);
    [[nodiscard]] bool isCancelled() const { return m_monitor.isCancelled(); }

private:
    ProgressMonitor& m_monitor;
    std::uint64_t m_all;
    std::uint64_t m_done = 0;
    std::string m_what;
    std::string m_end; ///< e.g. " of 9.8 GB"
};

} // namespace sunder
