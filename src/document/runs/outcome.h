#pragma once

#include "verify/verify.h"

#include <QDateTime>
#include <QVariantMap>

#include <memory>
#include <string_view>

namespace sunder {

/// Identifies a kind of result: "parts", "hierarchy". See ResultDescription.
struct ResultKind {
    std::string_view id;
    friend bool operator==(ResultKind, ResultKind) = default;
    friend auto operator<=>(ResultKind, ResultKind) = default;
};

/// Options of a pass, by option id, without default values.
using PassOptions = QVariantMap;

/// Common data of all results: time, duration, and verification. Each kind of result is a struct that derives from this and
/// defines `kKind`.
struct Outcome {
    explicit Outcome(ResultKind of) : kind(of) {}

    ResultKind kind;
    QString pass = {};        ///< id of the pass
    PassOptions options = {}; ///< options of the run
    VerifyReport report = {}; ///< verification of the result against the source
    QDateTime when = {};
    double passSeconds = 0;
    double verifySeconds = 0;

    [[nodiscard]] bool isProven() const { return report.verdict == Verdict::same; }
};

/// The immutable, shared result of a pass.
using RunResult = std::shared_ptr<const Outcome>;

/// Casts a result to this kind (e.g. `SplitOutcomePtr`); null if it is of another kind.
template <typename T>
[[nodiscard]] T as(const RunResult& result)
{
    using Of = typename T::element_type;
    return result && result->kind == Of::kKind ? std::static_pointer_cast<Of>(result) : nullptr;
}

} // namespace sunder
