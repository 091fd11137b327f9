#pragma once

#include <QElapsedTimer>
#include <QJsonObject>

#include <cstdint>
#include <string_view>

namespace sunder::cli {

/// Wall time of the steps of a command ("read", "pass", "verify", "write"). Times of the same step are added.
class StepTimer {
public:
    /// Runs `work` and adds its time to `step`.
    template <typename Work>
    auto measure(const char* step, const Work& work)
    {
        QElapsedTimer clock;
        clock.start();
        m_current = step;
        auto result = work();
        m_current = {};
        const QLatin1String key(step);
        m_seconds[key] = m_seconds[key].toDouble() + static_cast<double>(clock.nsecsElapsed()) * 1e-9;
        return result;
    }

    [[nodiscard]] const QJsonObject& seconds() const { return m_seconds; }
    /// Returns the running step, or the one interrupted by an exception; empty between steps.
    [[nodiscard]] std::string_view current() const { return m_current; }

private:
    QJsonObject m_seconds;
    std::string_view m_current;
};

/// Returns the peak resident memory of this process in bytes.
std::uint64_t peakResidentBytes();

} // namespace sunder::cli
