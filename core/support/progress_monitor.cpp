#include "support/progress_monitor.h"

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

} // namespace sunder
