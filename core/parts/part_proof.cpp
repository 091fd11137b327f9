#include "parts/part_proof.h"

#include "passes/verify_result.h"

namespace sunder {

Result<void> checkProof(const Program& source, const SplitResult& split, const ExportPartsOptions& options,
                        ProgressMonitor& monitor)
{
    Proof proof = options.proof;
    std::string why = options.why;
    if (options.unproven || proof == Proof::proven)
        return {};
    if (proof == Proof::notTried) {
        const Result<VerifyReport> report = verifyResult(source, split.program, monitor);
        if (!report)
            return forward(report);
        if (report->verdict == Verdict::same)
            return {};
        proof = report->verdict == Verdict::different ? Proof::different : Proof::undecided;
        why = report->why;
    }
    return fail(ErrorCode::refused,
                std::string(proof == Proof::different ? "the parts are not equivalent to the model: "
                                                      : "the parts are not proven to be equivalent to the model: ")
                    + why);
}

} // namespace sunder
