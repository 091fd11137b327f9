#pragma once

#include "ir/program.h"
#include "support/progress_monitor.h"
#include "verify/tensor_contents.h"

#include <string>
#include <string_view>
#include <vector>

namespace sunder {

/// Whether two programs compute the same. `same` is a proof; `sameUpToRounding` is a proof that results differ by rounding
/// only, as long as all numbers are finite; `undecided` says that none was found and that no difference was either.
enum class Verdict : std::uint8_t { same, different, undecided, sameUpToRounding };

/// "same", "different", "undecided", "same_up_to_rounding".
std::string_view name(Verdict verdict);

/// What is known of the parameters, buffers and constants that a verdict of `same` rests on.
enum class VerdictBasis : std::uint8_t {
    none,      ///< the verdict is another one
    ownMemory, ///< they are the same memory: a program and what a pass made of it
    contents,  ///< their contents were compared, all of them: it is the same model
    names,     ///< some or all are taken for equal because of their names: it is the same graph
};

/// The calls that may round differently in programs that are the same up to rounding.
struct RoundedCalls {
    static constexpr std::size_t kMostNames = 16;
    std::vector<std::string> names; ///< of nodes of the first program, with the path of their module; the first kMostNames
    std::size_t count = 0;
};

/// What verify() found.
struct VerifyReport {
    Verdict verdict = Verdict::undecided;
    std::string why;    ///< a sentence for people, with the names of both nodes; empty when they are the same
    NodeRef nodeA;      ///< deepest pair of nodes where the programs part; invalid when there is none
    NodeRef nodeB;
    std::string nameA;  ///< names of these nodes, with the path of their module: "part0/relu"; empty when there is none
    std::string nameB;
    std::string valueA; ///< what stands there in each of them, in words that differ; empty when no values differ
    std::string valueB;
    std::string output; ///< which output or effect differs first: "output 2", "buffer bn.running_mean after the run"
    std::vector<std::string> notes; ///< what the verdict rests on: operators assumed pure, and the like
    std::vector<std::string> unknownOperators = {}; ///< of torch.ops, whose schemas Program::operators could give
    VerdictBasis basis = VerdictBasis::none;
    RoundedCalls rounding = {};     ///< of a verdict of sameUpToRounding
    ContentsReport contents = {};   ///< what of parameters, buffers and constants was compared, and what was not
};

struct VerifyOptions {
    /// How deep calls of modules and graphs may nest before the answer is `undecided`.
    std::uint32_t maxCallDepth = 256;
    /// How many nodes may be interpreted in each program, graphs called again counted again, before the answer is
    /// `undecided`. Bounds what time a file of a few lines that call each other can cost.
    std::uint64_t maxSteps = 50'000'000;
    /// How many values and arguments a program may have, beyond eight times those in its file, when every graph is written
    /// out as often as it is called; and how many bytes of terms both may take beyond 4,000 for each node of their files.
    /// Bound the memory.
    std::uint64_t maxValues = 400'000;
    std::uint64_t maxTermBytes = 150'000'000;
    /// Equal storage ids mean the same memory in both, as between a program and what a pass made of it. Otherwise
    /// parameters, buffers and constants are matched by name, with the path of a part taken off.
    bool sharedStorages = false;
    /// Compares what parameters, buffers and constants of the same name hold. Without it names are taken for contents,
    /// and the report says so.
    const TensorContents* contents = nullptr;
    std::string whyNames = "their contents were not compared"; ///< why there is none: half a sentence
};

/// Do two programs compute the same? Both are interpreted over hash-consed terms instead of tensors; see
/// `docs/passes.md`, "Verification". Never says `same` of programs that differ in an output, a write to an input, parameter
/// or buffer, the order of random numbers, an assertion or the global state left behind, and `sameUpToRounding` only of programs that
/// would be the same with equal memory layouts, which affect rounding only (`core/operators/data/rounding.txt`). Fails only with
/// ErrorCode::cancelled, or as `options.contents` does. Linear in nodes plus arguments interpreted.
Result<VerifyReport> verify(const Program& a, const Program& b, const VerifyOptions& options = {},
                            ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
