#include "parts/part_proof.h"

#include "parts/separate_cut.h"
#include "passes/verify_result.h"

#include <utility>

namespace sunder {

Result<void> checkProof(const Program& source, const SplitResult& split, const ExportPartsOptions& options,
                        ProgressMonitor& monitor)
{
    Proof proof = options.proof;
    std::string why = options.why;
    if (options.unproven || proof == Proof::proven)
        return {};
    if (proof == Proof::notTried) {
        SUNDER_TRY(const VerifyReport report, verifyResult(source, split.program, monitor));
        if (report.verdict == Verdict::same)
            return {};
        proof = report.verdict == Verdict::different ? Proof::different : Proof::undecided;
        why = report.why;
    }
    return fail(ErrorCode::refused,
                std::string(proof == Proof::different ? "the parts are not equivalent to the model: "
                                                      : "the parts are not proven to be equivalent to the model: ")
                    + why);
}

Result<std::optional<PartsProof>> unprovenParts(const Program& source, const SplitResult& split, ProgressMonitor& monitor)
{
    Result<SeparateCut> cut = separateCut(source, split, {}, monitor);
    if (!cut && cut.error().code != ErrorCode::refused)
        return forward(cut);
    if (!cut || !cut->changed)
        return std::nullopt;
    SUNDER_TRY(VerifyReport report, verifyResult(source, cut->changed->split.program, monitor));
    if (report.verdict == Verdict::same)
        return std::nullopt;
    return PartsProof{std::move(report), std::move(cut->changed->split.map)};
}

} // namespace sunder
