#pragma once

#include "support/progress_monitor.h"

namespace sunder {

/// A section of an operation's progress, for a step that reports from 0 to 1 itself.
class SubProgress final : public ProgressMonitor {
public:
    SubProgress(ProgressMonitor& whole, double from, double to) : m_whole(whole), m_from(from), m_to(to) {}
    void report(double fraction, std::string_view what) override { m_whole.report(m_from + fraction * (m_to - m_from), what); }
    [[nodiscard]] bool isCancelled() const override { return m_whole.isCancelled(); }

private:
    ProgressMonitor& m_whole;
    double m_from;
    double m_to;
};

} // namespace sunder
