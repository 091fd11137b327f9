#pragma once

#include "verify/verify.h"

#include <QDateTime>

namespace sunder {

/// What every run of a pass leaves beside its result: when it was made, how long it took, what verification says.
struct Outcome {
    VerifyReport report = {}; ///< of the result against the source
    QDateTime when = {};
    double passSeconds = 0;
    double verifySeconds = 0;

    [[nodiscard]] bool isProven() const { return report.verdict == Verdict::same; }
};

} // namespace sunder
