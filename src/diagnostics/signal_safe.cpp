#include "diagnostics/signal_safe.h"

#include <cerrno>
#include <chrono>

#include <unistd.h>

namespace sunder {

void writeSafely(int descriptor, std::string_view text)
{
    while (!text.empty()) {
        const ssize_t written = ::write(descriptor, text.data(), text.size());
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return;
        text.remove_prefix(static_cast<std::size_t>(written));
    }
}

Digits::Digits(std::uint64_t number, int width) : m_begin(m_text.size())
{
    for (; number != 0 || width > 0; number /= 10, --width)
        m_text[--m_begin] = static_cast<char>('0' + number % 10);
}

void writeTime(int descriptor, std::int64_t seconds)
{
    using namespace std::chrono;
    const sys_seconds at{std::chrono::seconds(seconds)};
    const sys_days day = floor<days>(at);
    const year_month_day date(day);
    const hh_mm_ss time(at - day);
    const auto two = [descriptor](auto number) { writeSafely(descriptor, Digits(static_cast<std::uint64_t>(number), 2).text()); };
    writeSafely(descriptor, Digits(static_cast<std::uint64_t>(static_cast<int>(date.year())), 4).text());
    writeSafely(descriptor, "-");
    two(static_cast<unsigned>(date.month()));
    writeSafely(descriptor, "-");
    two(static_cast<unsigned>(date.day()));
    writeSafely(descriptor, " ");
    two(time.hours().count());
    writeSafely(descriptor, ":");
    two(time.minutes().count());
    writeSafely(descriptor, ":");
    two(time.seconds().count());
    writeSafely(descriptor, " UTC");
}

} // namespace sunder
