#include "support/progress_monitor.h"

#include "support/format.h"

#include <algorithm>

namespace sunder {
namespace {

class SilentMonitor final : public ProgressMonitor {
public:
    void report(double, std::string_view) override {}
    [[nodiscard]] bool isCancelled() const override { return false; }
};

} // namespace

ProgressMonitor& ProgressMonitor::none()
{
    static SilentMonitor monitor;
    return monitor;
}

ByteProgress::ByteProgress(ProgressMonitor& monitor, std::uint64_t all, std::string what)
    : m_monitor(monitor), m_all(all), m_what(std::move(what)), m_end(" of " + formatBytes(all))
{
}

Result<void> ByteProgress::add(std::uint64_t bytes)
{
    m_done += bytes;
    const double fraction = m_all != 0 ? static_cast<double>(m_done) / static_cast<double>(m_all) : 1.0;
    m_monitor.report(std::min(fraction, 1.0), m_what + ", " + formatBytes(m_done) + m_end);
    return m_monitor.check();
}

} // namespace sunder
