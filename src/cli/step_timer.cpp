#include "cli/step_timer.h"

#include <sys/resource.h>

namespace sunder::cli {

std::uint64_t peakResidentBytes()
{
    rusage usage{};
    if (getrusage(RUSAGE_SELF, &usage) != 0)
        return 0;
    return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024U; // Linux counts kilobytes
}

} // namespace sunder::cli
