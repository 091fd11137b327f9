// Prints how fast the checksum of a file is computed and how soon it ends after a cancel.
#include "benchmark.h"
#include "support/progress_monitor.h"
#include "support/sha256.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace sunder::sha256_bench {
using Clock = std::chrono::steady_clock;

namespace {

double secondsSince(Clock::time_point start)
{
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Cancels at half of the work.
class CancelAtHalf final : public ProgressMonitor {
public:
    void report(double done, std::string_view) override
    {
        if (!m_cancelled && done >= 0.5) {
            m_cancelled = true;
            m_at = Clock::now();
        }
    }
    [[nodiscard]] bool isCancelled() const override { return m_cancelled; }
    [[nodiscard]] double secondsSinceCancel() const { return secondsSince(m_at); }

private:
    bool m_cancelled = false;
    Clock::time_point m_at;
};

} // namespace

int run(int count, char** words)
{
    const std::size_t megabytes = count > 1 ? std::strtoul(words[1], nullptr, 10) : 300;
    const std::filesystem::path path = std::filesystem::temp_directory_path() / "sunder_sha256_bench";
    {
        std::ofstream file(path, std::ios::binary);
        const std::string piece(1'000'000, 'x');
        for (std::size_t i = 0; i < megabytes; ++i)
            file << piece;
    }
    const Clock::time_point start = Clock::now();
    const auto sum = sha256OfFile(path.string());
    const double seconds = secondsSince(start);
    CancelAtHalf monitor;
    const auto cancelled = sha256OfFile(path.string(), monitor);
    const double late = monitor.secondsSinceCancel();
    std::filesystem::remove(path);
    if (!sum || cancelled) {
        std::fprintf(stderr, "the checksum failed, or was not canceled\n");
        return 1;
    }
    std::printf("%zu MB in %.3f s: %.0f MB/s; cancelled at half, it ended %.1f ms later\n", megabytes, seconds,
                static_cast<double>(megabytes) / seconds, late * 1000);
    return 0;
}

const Benchmark kBenchmark{"sha256_bench", run};

} // namespace sunder::sha256_bench
