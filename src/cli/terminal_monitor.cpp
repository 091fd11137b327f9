#include "cli/terminal_monitor.h"

#include "cli/interruption.h"
#include "support/text.h"

#include <algorithm>
#include <cstdio>
#include <unistd.h>

namespace sunder::cli {

TerminalMonitor::~TerminalMonitor()
{
    if (m_percent >= 0)
        std::fputs("\r\033[K", stderr);
}

void TerminalMonitor::showBar(bool wanted)
{
    m_bar = wanted && isatty(STDERR_FILENO) == 1;
}

void TerminalMonitor::report(double fraction, std::string_view what)
{
    const int percent = static_cast<int>(std::clamp(fraction, 0.0, 1.0) * 100);
    if (!m_bar || (percent == m_percent && visibleText(what) == m_what))
        return;
    m_percent = percent;
    m_what = visibleText(what);
    constexpr int kWidth = 30;
    const int full = percent * kWidth / 100;
    std::fprintf(stderr, "\r\033[K[%s%s] %3d %% %s", std::string(static_cast<std::size_t>(full), '#').c_str(),
                 std::string(static_cast<std::size_t>(kWidth - full), '.').c_str(), percent, m_what.c_str());
    std::fflush(stderr);
}

bool TerminalMonitor::isCancelled() const
{
    return Interruption::hasCome();
}

} // namespace sunder::cli
