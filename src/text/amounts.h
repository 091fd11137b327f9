#pragma once

#include "support/format.h"
#include "text/shown_text.h"

namespace sunder {

/// Formats a number of bytes: "1.5 MB".
inline QString bytesText(std::uint64_t count)
{
    return text(formatBytes(count));
}

/// Formats a count with its noun: "1 op", "2,000 ops".
inline QString countText(std::size_t count, const char* noun)
{
    return text(formatCount(count, noun));
}

} // namespace sunder
