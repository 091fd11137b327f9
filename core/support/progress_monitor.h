#pragma once

#include <string_view>

namespace sunder {

/// How a long operation says how far it is and learns that it should stop. Called from the thread that works.
class ProgressMonitor {
public:
    virtual ~ProgressMonitor() = default;
    /// `fraction` in 0 … 1, over the whole operation. May be called often; implementations thin it out.
    virtual void report(double fraction, std::string_view what) = 0;
    /// True once the operation should end early with ErrorCode::cancelled.
    [[nodiscard]] virtual bool isCancelled() const = 0;

    /// A monitor that ignores reports and never cancels.
    static ProgressMonitor& none();
};

} // namespace sunder
