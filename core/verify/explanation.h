#pragma once

#include "verify/evaluator.h"
#include "verify/verify.h"

#include <optional>
#include <string>

namespace sunder {

/// Returns the name of a node with the path of its module: "part0/relu". Empty if there is no node.
std::string path(const Program& program, NodeRef node);

/// One of the two programs with its trace and evaluation.
struct ExplainedSide {
    const Program& program;
    const Trace& trace;
    const Evaluator& evaluator;
    const Outcomes& outcomes;
};

/// Returns a report if one of the programs could not be traced; nothing otherwise.
std::optional<VerifyReport> undecidedReport(const Program& a, const Trace& traceA, const Program& b, const Trace& traceB);

/// Returns the verdict on two programs, with the first difference and an explanation.
VerifyReport explain(const ExplainedSide& a, const ExplainedSide& b, TermTable& terms, const SymbolMapping& mapping);

} // namespace sunder
