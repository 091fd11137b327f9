#include "jobs/promise_monitor.h"

#include <algorithm>

namespace sunder {
namespace {
constexpr int kWhole = 1000;
constexpr qint64 kReportEveryMs = 33;
} // namespace

PromiseMonitor::PromiseMonitor(QPromise<void>& promise) : m_promise(promise)
{
    m_promise.setProgressRange(0, kWhole);
}

void PromiseMonitor::report(double fraction, std::string_view what)
{
    if (m_sinceReport.isValid() && m_sinceReport.elapsed() < kReportEveryMs)
        return;
    m_sinceReport.start();
    const int permille = static_cast<int>(std::clamp(fraction, 0.0, 1.0) * kWhole);
    m_promise.setProgressValueAndText(permille, QString::fromUtf8(what.data(), static_cast<qsizetype>(what.size())));
}

bool PromiseMonitor::isCancelled() const
{
    return m_promise.isCanceled();
}

} // namespace sunder
