#pragma once

#include "document/split_outcome.h"

#include <QString>

#include <variant>

namespace sunder {

/// What a pass made: one alternative a kind of pass. Partitions, unflattened programs and regions become further ones;
/// functions over runs visit it, so the compiler names every place that has to know.
using RunResult = std::variant<SplitOutcomePtr>;

/// A line in the history: a pass that was run on the open model. Its result is shared and never changes.
struct Run {
    int number = 0;    ///< 1, 2, 3 … as they were made; never given twice to one model
    QString name = {}; ///< as the person calls it; empty: by the kind of pass
    RunResult result;
};

/// "Split by tags".
QString kindOf(const Run& run);
/// Its name, else its kind.
QString nameOf(const Run& run);
/// What came out, short: "4 parts".
QString outcomeOf(const Run& run);
/// What verification says: same, different, undecided.
Verdict verdictOf(const Run& run);
/// When it was made.
QDateTime timeOf(const Run& run);
/// Seconds that pass and verification took.
double secondsOf(const Run& run);
/// Nodes that it keeps in memory.
std::size_t nodesOf(const Run& run);

/// "proven equal", "NOT equal", "not proven".
QString textOf(Verdict verdict);

} // namespace sunder
