#pragma once

#include "verify/verify.h"

#include <QDateTime>
#include <QVariantMap>

#include <memory>
#include <string_view>

namespace sunder {

/// Names a kind of result: "parts", "hierarchy". What there is to know of it is its ResultDescription.
struct ResultKind {
    std::string_view id;
    friend bool operator==(ResultKind, ResultKind) = default;
    friend auto operator<=>(ResultKind, ResultKind) = default;
};

/// How a pass was asked for: values by the ids of its options, those that are as usual left out.
using PassOptions = QVariantMap;

/// What every run of a pass leaves beside its result: when it was made, how long it took, what verification says.
/// A kind of result is a struct that derives from this and names its kind `kKind`.
struct Outcome {
    explicit Outcome(ResultKind of) : kind(of) {}

    ResultKind kind;
    QString pass = {};        ///< id of the pass that made it
    PassOptions options = {}; ///< that it was made with
    VerifyReport report = {}; ///< of the result against the source
    QDateTime when = {};
    double passSeconds = 0;
    double verifySeconds = 0;

    [[nodiscard]] bool isProven() const { return report.verdict == Verdict::same; }
};

/// What a pass made, of whatever kind; shared and never changed.
using RunResult = std::shared_ptr<const Outcome>;

/// The result as one of this kind (`SplitOutcomePtr`); null when it is of another.
template <typename T>
[[nodiscard]] T as(const RunResult& result)
{
    using Of = typename T::element_type;
    return result && result->kind == Of::kKind ? std::static_pointer_cast<Of>(result) : nullptr;
}

} // namespace sunder
