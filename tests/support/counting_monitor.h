#pragma once

#include "support/progress_monitor.h"

#include <cstddef>
#include <limits>

namespace sunder::test {

/// Counts cancellation checks and reports, and cancels from a given check or report on.
class CountingMonitor final : public ProgressMonitor {
public:
    static constexpr std::size_t kNever = std::numeric_limits<std::size_t>::max();

    explicit CountingMonitor(std::size_t stopAtQuestion = kNever, std::size_t stopAtReport = kNever)
        : m_stopAtQuestion(stopAtQuestion), m_stopAtReport(stopAtReport)
    {
    }
    void report(double, std::string_view) override { ++m_reports; }
    [[nodiscard]] bool isCancelled() const override { return ++m_questions > m_stopAtQuestion || m_reports > m_stopAtReport; }
    [[nodiscard]] std::size_t questions() const { return m_questions; }
    [[nodiscard]] std::size_t reports() const { return m_reports; }

private:
    std::size_t m_stopAtQuestion;
    std::size_t m_stopAtReport;
    mutable std::size_t m_questions = 0;
    std::size_t m_reports = 0;
};

} // namespace sunder::test
