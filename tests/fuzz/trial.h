#pragma once

#include "passes.h"

#include <cstdint>
#include <string>

namespace sunder::fuzz {

/// Counts over many programs run through a pass.
struct PassCounts {
    std::uint64_t runs = 0;
    std::uint64_t refused = 0;
    std::uint64_t proven = 0;
    std::uint64_t unproven = 0; ///< not proven, with equal or unknown fingerprints
    std::uint64_t differs = 0;  ///< not proven, with different fingerprints: PyTorch's result is wrong
    std::uint64_t changes = 0;  ///< comparisons of changed programs with sources and results
    std::uint64_t noticed = 0;  ///< those that were not called equivalent
    std::uint64_t findings = 0;
    std::uint64_t shown = 0; ///< the first few are written to files
    bool showsUnproven = false; ///< prints the seed and the verifier's reason for every unproven result
};

/// Runs one program through one pass. The result is linted, verified, and compared with the result for a renumbered copy and with
/// changed programs. Findings are printed with everything needed to reproduce them.
class Trial {
public:
    Trial(const Pass& pass, std::uint64_t seed, PassCounts& counts) : m_pass(pass), m_seed(seed), m_counts(counts) {}
    void run();

private:
    void check(const Program& source, const Program& result);
    void checkRenumbered(const Program& source, const std::string& wanted);
    void checkChanges(const Program& source, const Program& result);
    void compareChanged(const Program& a, const Program& b, const char* what);
    void finding(const std::string& what, const Program& source, const Program* result = nullptr);
    void show(const std::string& what, const Program& source, const Program* result);
    [[nodiscard]] Random choices() const { return Random(m_seed * 31 + 7); }

    const Pass& m_pass;
    std::uint64_t m_seed;
    PassCounts& m_counts;
};

/// The parts of a program that a pass determines, as text: graphs, modules, tensors, and signature.
std::string textOf(const Program& program);

} // namespace sunder::fuzz
