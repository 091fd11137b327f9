#pragma once

#include "passes.h"

#include <cstdint>
#include <string>

namespace sunder::fuzz {

/// What a pass was seen to do over many programs.
struct PassCounts {
    std::uint64_t runs = 0;
    std::uint64_t refused = 0;
    std::uint64_t proven = 0;
    std::uint64_t unproven = 0; ///< not proven, and the fingerprints are equal or unknown
    std::uint64_t differs = 0;  ///< not proven, and the fingerprints differ: what PyTorch makes of it is wrong
    std::uint64_t changes = 0;  ///< changed sources and results that were compared
    std::uint64_t noticed = 0;  ///< of these, not called the same
    std::uint64_t findings = 0;
    std::uint64_t shown = 0; ///< the first few are written to files
    bool showsUnproven = false; ///< prints the seed and the verifier's reason of every result that is not proven
};

/// One program through one pass: the result is linted and verified, compared with what a renumbered copy gives, and
/// changed programs are compared with it. Findings are printed with all that is needed to run them again.
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

/// All of a program that a pass decides, as text: graphs, modules, tensors, signature.
std::string textOf(const Program& program);

} // namespace sunder::fuzz
