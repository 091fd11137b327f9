// Runs random programs through every pass: fuzz_passes [--seed S] [--graphs N] [--seconds T] [--pass NAME] [--show unproven]
#include "trial.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

using namespace sunder::fuzz;

struct Options {
    std::uint64_t seed = 1;
    std::uint64_t graphs = 20'000; ///< for each pass
    double seconds = 1e9;          ///< for all passes together
    std::string pass = {};
    bool showsUnproven = false;
};

bool parse(int count, char** words, Options& options)
{
    for (int i = 1; i + 1 < count; i += 2) {
        const std::string name = words[i];
        if (name == "--seed")
            options.seed = std::strtoull(words[i + 1], nullptr, 10);
        else if (name == "--graphs")
            options.graphs = std::strtoull(words[i + 1], nullptr, 10);
        else if (name == "--seconds")
            options.seconds = std::strtod(words[i + 1], nullptr);
        else if (name == "--pass")
            options.pass = words[i + 1];
        else if (name == "--show")
            options.showsUnproven = std::strcmp(words[i + 1], "unproven") == 0;
        else
            return false;
    }
    return count % 2 == 1;
}

void print(std::string_view name, const PassCounts& counts)
{
    std::printf("%-18.*s %9llu programs  %8llu refused  %9llu proven  %6llu unproven  %6llu differ as in PyTorch  "
                "%8llu changed, %8llu noticed  %llu findings\n",
                static_cast<int>(name.size()), name.data(), static_cast<unsigned long long>(counts.runs),
                static_cast<unsigned long long>(counts.refused), static_cast<unsigned long long>(counts.proven),
                static_cast<unsigned long long>(counts.unproven), static_cast<unsigned long long>(counts.differs),
                static_cast<unsigned long long>(counts.changes), static_cast<unsigned long long>(counts.noticed),
                static_cast<unsigned long long>(counts.findings));
}

} // namespace

int main(int count, char** words)
{
    Options options;
    if (!parse(count, words, options)) {
        std::puts("usage: fuzz_passes [--seed S] [--graphs N] [--seconds T] [--pass NAME] [--show unproven]");
        return 2;
    }
    const auto start = std::chrono::steady_clock::now();
    const auto elapsed = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
    std::vector<PassCounts> counts(passes().size(), {.showsUnproven = options.showsUnproven});
    std::uint64_t runs = 0;
    bool found = false;
    for (std::uint64_t i = 0; i < options.graphs && elapsed() < options.seconds; ++i)
        for (std::size_t p = 0; p < passes().size(); ++p) {
            if (!options.pass.empty() && options.pass != passes()[p].name)
                continue;
            Trial(passes()[p], options.seed + i, counts[p]).run();
            ++runs;
        }
    for (std::size_t p = 0; p < passes().size(); ++p) {
        if (options.pass.empty() || options.pass == passes()[p].name)
            print(passes()[p].name, counts[p]);
        found = found || counts[p].findings > 0;
    }
    std::printf("%llu programs in %.1f s, seeds from %llu: %s\n", static_cast<unsigned long long>(runs), elapsed(),
                static_cast<unsigned long long>(options.seed), found ? "there are findings" : "no finding");
    if (runs == 0)
        std::puts("nothing was run: is there such a pass?");
    return found || runs == 0 ? 1 : 0;
}
