#pragma once

#include "verify/evaluator.h"
#include "verify/verify.h"

#include <optional>
#include <string>

namespace sunder {

/// The name of a node with the path of its module: "part0/relu". Empty for no node.
std::string path(const Program& program, NodeRef node);

/// One of the two programs with all that is known of it.
struct ExplainedSide {
    const Program& program;
    const Trace& trace;
    const Evaluator& evaluator;
    const Outcomes& outcomes;
};

/// The report on two programs one of which could not be followed; nothing when both were.
std::optional<VerifyReport> undecidedReport(const Program& a, const Trace& traceA, const Program& b, const Trace& traceB);

/// The verdict on two programs, and in words what differs first and where they part.
VerifyReport explain(const ExplainedSide& a, const ExplainedSide& b, TermTable& terms, const Correspondence& correspondence);

} // namespace sunder
