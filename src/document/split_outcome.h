#pragma once

#include "analysis/tag_assignment.h"
#include "passes/split_result.h"
#include "verify/verify.h"

#include <QDateTime>

#include <memory>

namespace sunder {

/// A split that was made, and what verification says of it.
struct SplitOutcome {
    SplitResult split;
    VerifyReport report;
    TagAssignment tags;     ///< that it was made from
    QDateTime when = {};
    double splitSeconds = 0;
    double verifySeconds = 0;

    [[nodiscard]] bool isProven() const { return report.verdict == Verdict::same; }
};

using SplitOutcomePtr = std::shared_ptr<const SplitOutcome>;

} // namespace sunder
