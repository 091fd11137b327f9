#pragma once

#include "ir/program.h"
#include "support/progress_monitor.h"
#include "verify/tensor_contents.h"

#include <string>
#include <string_view>
#include <vector>

namespace sunder {

/// Result of a verification. `same` is a proof. `sameUpToRounding` is a proof that results differ only by rounding, as long as
/// all numbers are finite. `undecided`: neither a proof nor a difference was found.
enum class Verdict : std::uint8_t { same, different, undecided, sameUpToRounding };

/// Returns "same", "different", "undecided", or "same_up_to_rounding".
std::string_view name(Verdict verdict);

/// How the equality of parameters, buffers, and constants was established for a verdict of `same`.
enum class VerdictBasis : std::uint8_t {
    none,      ///< the verdict is not `same`
    ownMemory, ///< both programs use the same memory: a program and the result of a pass
    contents,  ///< all contents were compared and are equal: the same model
    names,     ///< some or all are assumed equal because of their names: the same graph
};

/// The calls that may round differently in programs that are the same up to rounding.
struct RoundedCalls {
    static constexpr std::size_t kMaxNames = 16;
    std::vector<std::string> names; ///< nodes of the first program with their module path; the first kMaxNames
    std::size_t count = 0;
};

/// The result of verify().
struct VerifyReport {
    Verdict verdict = Verdict::undecided;
    std::string why;    ///< a sentence with the names of both nodes; empty for a verdict of same
    NodeRef nodeA;      ///< innermost pair of differing nodes; invalid if there is none
    NodeRef nodeB;
    std::string nameA;  ///< names of these nodes with their module path: "part0/relu"; empty if there is none
    std::string nameB;
    std::string valueA; ///< the differing values, in distinct words; empty if no values differ
    std::string valueB;
    std::string output; ///< first differing output or effect: "output 2", "buffer bn.running_mean after the run"
    std::vector<std::string> notes; ///< assumptions behind the verdict, such as operators assumed pure
    std::vector<std::string> unknownOperators = {}; ///< torch.ops operators for which Program::operators could provide schemas
    VerdictBasis basis = VerdictBasis::none;
    RoundedCalls rounding = {};     ///< for a verdict of sameUpToRounding
    ContentsReport contents = {};   ///< which parameters, buffers, and constants were compared
};

struct VerifyOptions {
    /// Maximum nesting depth of calls of modules and graphs. Beyond it, the verdict is `undecided`.
    std::uint32_t maxCallDepth = 256;
    /// Maximum number of nodes to interpret in each program, counting each call of a graph. Beyond it, the verdict is
    /// `undecided`. Bounds the time for small files whose graphs call each other many times.
    std::uint64_t maxSteps = 50'000'000;
    /// Memory limits. `maxValues`: values and arguments of an inlined program, beyond eight times the number in its file.
    /// `maxTermBytes`: bytes of terms of both programs, beyond 4,000 for each node in their files.
    std::uint64_t maxValues = 400'000;
    std::uint64_t maxTermBytes = 150'000'000;
    /// Equal storage ids denote the same memory in both programs, as in a program and the result of a pass. Otherwise parameters,
    /// buffers, and constants are matched by name, without part prefixes.
    bool sharedStorages = false;
    /// Compares the contents of parameters, buffers, and constants of the same name. If null, equal names are assumed to mean
    /// equal contents, and the report says so.
    const TensorContents* contents = nullptr;
    std::string whyNames = "their contents were not compared"; ///< reason for a null `contents`: half a sentence
};

/// Decides whether two programs are equivalent. Interprets both over hash-consed terms instead of tensors; see `docs/passes.md`,
/// "Verification".
///
/// Never returns `same` for programs that differ in an output, a write to an input, parameter, or buffer, the order of random
/// numbers, an assertion, or the final global state. Returns `sameUpToRounding` only if the programs would be the same with equal
/// memory layouts, which affect rounding only (`core/operators/data/rounding.txt`).
///
/// Fails only with ErrorCode::cancelled, or like `options.contents`. Linear in the number of nodes and arguments interpreted.
Result<VerifyReport> verify(const Program& a, const Program& b, const VerifyOptions& options = {},
                            ProgressMonitor& monitor = ProgressMonitor::none());

/// Verifies that a pass result is equivalent to its source. Calls verify() for two programs that share storages. Linear; fails
/// only with ErrorCode::cancelled.
inline Result<VerifyReport> verifyResult(const Program& source, const Program& result,
                                         ProgressMonitor& monitor = ProgressMonitor::none())
{
    return verify(source, result, {.sharedStorages = true}, monitor);
}

} // namespace sunder
