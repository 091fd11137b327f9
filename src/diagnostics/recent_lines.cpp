#include "diagnostics/recent_lines.h"

#include "diagnostics/signal_safe.h"

#include <algorithm>

namespace sunder {
namespace {

/// Returns the length of the longest prefix of at most `most` bytes that ends at a UTF-8 character boundary.
std::size_t lengthOfCut(std::string_view text, std::size_t most)
{
    if (text.size() <= most)
        return text.size();
    while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0U) == 0x80U)
        --most;
    return most;
}

} // namespace

void RecentLines::add(std::string_view line)
{
    const std::lock_guard lock(m_mutex);
    Line& into = m_lines[m_added % kLines];
    into.length = lengthOfCut(line, kLength);
    std::transform(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(into.length), into.text.begin(),
                   [](char c) { return c == '\n' || c == '\r' ? ' ' : c; });
    ++m_added;
}

void RecentLines::writeTo(int descriptor) const
{
    const std::size_t first = m_added < kLines ? 0 : m_added - kLines;
    for (std::size_t i = first; i < m_added; ++i) {
        const Line& line = m_lines[i % kLines];
        writeSafely(descriptor, "  ");
        writeSafely(descriptor, {line.text.data(), std::min(line.length, kLength)});
        writeSafely(descriptor, "\n");
    }
}

RecentLines& recentLines()
{
    static RecentLines lines;
    return lines;
}

} // namespace sunder
