#pragma once

#include "verify/tensor_dependencies.h"
#include "verify/verify.h"

namespace sunder {

/// Whether a verdict is a proof, either bit for bit or up to rounding.
constexpr bool isProof(Verdict verdict)
{
    return verdict == Verdict::same || verdict == Verdict::sameUpToRounding;
}

/// Extends a verdict on graphs to the models: compares the contents of the tensors that the verdict depends on, if requested, and
/// reports what was compared and what was assumed equal by name. Fails like TensorContents::compare().
Result<void> settleContents(const Program& a, const Program& b, const TensorDependencies& dependencies,
                            const VerifyOptions& options, VerifyReport& report, ProgressMonitor& monitor);

} // namespace sunder
