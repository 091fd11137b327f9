#pragma once

#include "support/progress_monitor.h"

#include <string>

namespace sunder::cli {

/// Shows progress on standard error if it is a terminal and progress is requested. Canceled by a signal that ends the process.
class TerminalMonitor final : public ProgressMonitor {
public:
    TerminalMonitor() = default;
    ~TerminalMonitor() override;
    TerminalMonitor(const TerminalMonitor&) = delete;
    TerminalMonitor& operator=(const TerminalMonitor&) = delete;

    void showBar(bool wanted);
    void report(double fraction, std::string_view what) override;
    [[nodiscard]] bool isCancelled() const override;

private:
    bool m_bar = false;
    int m_percent = -1;
    std::string m_what;
};

} // namespace sunder::cli
