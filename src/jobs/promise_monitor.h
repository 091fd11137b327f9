#pragma once

#include "support/progress_monitor.h"

#include <QElapsedTimer>
#include <QPromise>

namespace sunder {

/// Forwards progress to a QPromise, at most 30 times a second, and the promise's cancellation to the core.
class PromiseMonitor final : public ProgressMonitor {
public:
    explicit PromiseMonitor(QPromise<void>& promise);
    void report(double fraction, std::string_view what) override;
    [[nodiscard]] bool isCancelled() const override;

private:
    QPromise<void>& m_promise;
    QElapsedTimer m_sinceReport;
};

} // namespace sunder
