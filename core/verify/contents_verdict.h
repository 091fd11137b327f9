#pragma once

#include "verify/depended_tensors.h"
#include "verify/verify.h"

namespace sunder {

/// Whether a verdict is a proof, bit for bit or up to rounding.
constexpr bool isProof(Verdict verdict)
{
    return verdict == Verdict::same || verdict == Verdict::sameUpToRounding;
}

/// Makes a verdict on graphs one on models: compares the contents of what a `same` rests on, where that is wanted, and
/// says in the report what was compared and what was taken for equal by its name. Fails as TensorContents does.
Result<void> settleContents(const Program& a, const Program& b, const DependedTensors& depended, const VerifyOptions& options,
                            VerifyReport& report, ProgressMonitor& monitor);

} // namespace sunder
