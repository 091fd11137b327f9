#pragma once

#include <string_view>

namespace sunder {

/// Receives the progress of a long operation, and tells it when to stop. Called from the working thread.
class ProgressMonitor {
public:
    virtual ~ProgressMonitor() = default;
    /// Reports `fraction`, 0 … 1 of the whole operation. May be called often; implementations limit the rate.
    virtual void report(double fraction, std::string_view what) = 0;
    /// Returns whether the operation should end early with ErrorCode::cancelled.
    [[nodiscard]] virtual bool isCancelled() const = 0;

    /// Returns a monitor that ignores reports and never cancels.
    static ProgressMonitor& none();
};

} // namespace sunder
