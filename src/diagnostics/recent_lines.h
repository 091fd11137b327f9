#pragma once

#include <array>
#include <cstddef>
#include <mutex>
#include <string_view>

namespace sunder {

/// The last lines of the log, in memory that a signal handler may read.
class RecentLines {
public:
    static constexpr std::size_t kLines = 48;
    static constexpr std::size_t kLength = 240; ///< bytes; longer lines are cut, at a character

    /// From any thread. Line breaks become spaces.
    void add(std::string_view line);

    /// Writes them to a file descriptor, oldest first, each indented. Safe in a signal handler: takes no lock and no memory; a
    /// line that is being added meanwhile may come out as a mixture.
    void writeTo(int descriptor) const;

private:
    struct Line {
        std::array<char, kLength> text{};
        std::size_t length = 0;
    };
    std::array<Line, kLines> m_lines;
    std::size_t m_added = 0;
    std::mutex m_mutex;
};

/// Those of this process.
RecentLines& recentLines();

} // namespace sunder
