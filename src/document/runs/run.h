#pragma once

#include "document/runs/outcome.h"
#include "ir/identity_map.h"
#include "ir/program.h"

#include <QString>

namespace sunder {

/// An entry of the history: a pass that ran on the open model, with its immutable, shared result.
struct Run {
    int number = 0;    ///< 1, 2, 3, … in order of creation; never reused within a model
    QString name = {}; ///< name given by the user; empty for the default name
    RunResult result;

    [[nodiscard]] ResultKind kind() const { return result->kind; }
};

/// Returns the pass and its variant: "Split by tags", "Partition, cost-aware".
QString passOf(const Run& run);
/// Returns the name of the run, or of its pass if it has none.
QString nameOf(const Run& run);
/// Returns the options, one per line: "Return single results as 1-tuples: yes". Empty if the pass has no options.
QStringList optionsOf(const Run& run);
/// Returns only the options that differ from their defaults.
QStringList changedOptionsOf(const Run& run);
/// Returns a short summary: "4 parts".
QString outcomeOf(const Run& run);
/// Returns false if the run has no program to verify, e.g. a search for regions.
bool isVerified(const Run& run);
/// Returns the number of nodes that the run keeps in memory.
std::size_t nodesOf(const Run& run);
/// Return the resulting program and the map of its nodes to the source; null if there is none.
const Program* programOf(const Run& run);
const IdentityMap* mapOf(const Run& run);

/// Returns advice about unknown operators, as a sentence; empty if there are none.
QString hintOf(const VerifyReport& report);
/// Returns e.g. "equivalent", "NOT equivalent", or "undecided".
QString textOf(Verdict verdict);

} // namespace sunder
