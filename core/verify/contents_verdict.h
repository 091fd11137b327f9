#pragma once

#include "verify/explanation.h"
#include "verify/tensor_contents.h"
#include "verify/verify.h"

namespace sunder {

/// The tensors and assumptions that a verdict of `same` depends on.
struct TensorDependencies {
    std::vector<TensorPair> reached; ///< affect outputs, writes, effects, or assertions
    std::vector<TensorPair> called;  ///< read only by calls with unused results, which may still fail
    std::string doubt; ///< reason why something else may differ (leaf modules, attributes, functions): half a sentence, or empty
    std::vector<std::string> objects; ///< leaf modules whose fields neither file states
    ComparedBytes bytes = ComparedBytes::elements; ///< bytes of these tensors that must be equal
};

/// Returns the dependencies in the order of the second program's tensors. Linear in terms and tensors.
TensorDependencies dependedTensors(const ExplainedSide& a, const ExplainedSide& b, const TermTable& terms,
                                   const SymbolMapping& mapping);

/// Returns the dependencies of two identical programs: all tensors, and all leaf modules, attributes, and functions. Linear in
/// terms and tensors.
TensorDependencies allTensors(const Program& a, const Program& b, const TermTable& terms, const SymbolMapping& mapping);

/// Whether a verdict is a proof, either bit for bit or up to rounding.
constexpr bool isProof(Verdict verdict)
{
    return verdict == Verdict::same || verdict == Verdict::sameUpToRounding;
}

/// Extends a verdict on graphs to the models. If requested, compares the contents of the tensors that the verdict depends on.
/// Reports the compared tensors and those assumed equal by name. Fails like TensorContents::compare().
Result<void> settleContents(const Program& a, const Program& b, const TensorDependencies& dependencies,
                            const VerifyOptions& options, VerifyReport& report, ProgressMonitor& monitor);

} // namespace sunder
