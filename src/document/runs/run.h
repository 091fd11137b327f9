#pragma once

#include "document/runs/outcome.h"
#include "ir/identity_map.h"
#include "ir/program.h"

#include <QString>

namespace sunder {

/// A line in the history: a pass that was run on the open model. Its result is shared and never changes.
struct Run {
    int number = 0;    ///< 1, 2, 3 … as they were made; never given twice to one model
    QString name = {}; ///< as the person calls it; empty: by the kind of pass
    RunResult result;

    [[nodiscard]] ResultKind kind() const { return result->kind; }
};

/// "Split by tags", "Partition, cost-aware".
QString passOf(const Run& run);
/// Its name, else its pass.
QString nameOf(const Run& run);
/// What it was told, a line an option: "One result comes as a tuple: yes". Empty where its pass has no options.
QStringList optionsOf(const Run& run);
/// What came out, short: "4 parts".
QString outcomeOf(const Run& run);
/// False where nothing was made that could differ from the source: regions that were only looked for.
bool isVerified(const Run& run);
/// Nodes that it keeps in memory.
std::size_t nodesOf(const Run& run);
/// The program that was made and what its nodes stand for; both null where there is none.
const Program* programOf(const Run& run);
const IdentityMap* mapOf(const Run& run);

/// What to do about operators that nobody knows, a sentence; empty where there are none.
QString hintOf(const VerifyReport& report);
/// "proven equal", "NOT equal", "not proven".
QString textOf(Verdict verdict);

} // namespace sunder
