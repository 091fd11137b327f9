#pragma once

#include "document/runs/compare_runs.h"
#include "support/progress_monitor.h"

#include <functional>

namespace sunder {

/// What there is to know of a kind of result. A plain value: history, panes, comparison and exports ask the table
/// resultKinds() rather than know kinds.
struct ResultDescription {
    ResultKind kind;
    QString does;         ///< "%1 cuts the model into parts", where %1 is the run
    QString heading;      ///< "CUT": above its exports
    QString programTitle; ///< "The unflattened program", of what `program` gives; empty where it never gives any

    /// What came out, short: "4 parts".
    QString (*outcome)(const Outcome& made);
    /// The program that was made and what its nodes stand for; null, or giving null, where there is none.
    const Program* (*program)(const Outcome& made) = nullptr;
    const IdentityMap* (*map)(const Outcome& made) = nullptr;
    /// A copy, its program changed in what all programs of the model share: schemas of custom operators, assumed sizes. Null where
    /// there is never a program.
    std::shared_ptr<Outcome> (*copyWith)(const Outcome& made, const std::function<void(Program&)>& change) = nullptr;
    /// Works out again what the pass reckoned of sizes, for those that the source has now: for a job. Null where it reckons nothing.
    void (*reckonAgain)(Outcome& made, const Snapshot& source, ProgressMonitor& monitor) = nullptr;
    /// Null: two of this kind cannot be compared.
    RunComparison (*compare)(const Snapshot& source, const Outcome& before, const Outcome& after,
                             const std::vector<Device>& devices) = nullptr;
};

/// All kinds, in the order in which exports list them.
const std::vector<ResultDescription>& resultKinds();

const ResultDescription& descriptionOf(ResultKind kind);

} // namespace sunder
