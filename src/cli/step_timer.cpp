#include "cli/step_timer.h"

#include <QFile>

#include <sys/resource.h>

namespace sunder::cli {

std::uint64_t peakResidentBytes()
{
    // VmHWM starts at zero in a new program; ru_maxrss includes the process that started it.
    if (QFile status(QStringLiteral("/proc/self/status")); status.open(QIODevice::ReadOnly)) {
        const QByteArray text = status.readAll();
        constexpr QByteArrayView kKey("VmHWM:");
        if (const qsizetype at = text.indexOf(kKey); at >= 0) {
            const QByteArray line = text.mid(at + kKey.size(), text.indexOf('\n', at) - at - kKey.size());
            return line.simplified().split(' ').first().toULongLong() * 1024U;
        }
    }
    rusage usage{};
    if (getrusage(RUSAGE_SELF, &usage) != 0)
        return 0;
    return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024U; // kilobytes on Linux
}

} // namespace sunder::cli
