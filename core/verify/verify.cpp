#include "verify/verify.h"

#include "verify/evaluator.h"
#include "verify/explanation.h"
#include "verify/program_traits.h"
#include "verify/trace_builder.h"

namespace sunder {
namespace {

/// Both programs, written out and evaluated.
class Comparison {
public:
    Comparison(const Program& a, const Program& b, const VerifyOptions& options)
        : m_a(a), m_b(b), m_options(options), m_correspondence(a, b, options.sharedStorages, m_terms)
    {
    }

    VerifyReport report()
    {
        const std::size_t inputs = m_correspondence.userInputCount(Side::a);
        if (inputs != m_correspondence.userInputCount(Side::b))
            return inputsDiffer();
        const ProgramTraits traits = traitsOf(m_a, m_b, m_operators);
        TraceContext context{m_correspondence,      m_terms,       m_operators,     m_options,
                             traits.effects, traits.writes, traits.reshapes};
        m_traceA = TraceBuilder(m_a, Side::a, context).build();
        m_traceB = TraceBuilder(m_b, Side::b, context).build();
        VerifyReport report = compare(true);
        if (report.verdict == Verdict::different && traits.random && compare(false).verdict == Verdict::same)
            report.why = "only the order of random numbers differs: " + report.why;
        return report;
    }

private:
    VerifyReport inputsDiffer() const
    {
        VerifyReport report{.verdict = Verdict::different, .output = "inputs"};
        report.why = "the first program has " + std::to_string(m_correspondence.userInputCount(Side::a))
            + " inputs, the second " + std::to_string(m_correspondence.userInputCount(Side::b));
        return report;
    }

    VerifyReport compare(bool orderedRandomness)
    {
        Evaluator a(m_a, Side::a, m_traceA, m_terms, m_correspondence, orderedRandomness);
        Evaluator b(m_b, Side::b, m_traceB, m_terms, m_correspondence, orderedRandomness);
        const Outcomes first = a.evaluate();
        const Outcomes second = b.evaluate();
        const ExplainedSide sideA{m_a, m_traceA, a, first};
        const ExplainedSide sideB{m_b, m_traceB, b, second};
        return explain(sideA, sideB, m_terms, m_correspondence);
    }

    const Program& m_a;
    const Program& m_b;
    const VerifyOptions& m_options;
    TermTable m_terms;
    OperatorCatalogue m_operators;
    Correspondence m_correspondence;
    Trace m_traceA;
    Trace m_traceB;
};

} // namespace

std::string_view name(Verdict verdict)
{
    switch (verdict) {
    case Verdict::same:
        return "same";
    case Verdict::different:
        return "different";
    case Verdict::undecided:
        break;
    }
    return "undecided";
}

Result<VerifyReport> verify(const Program& a, const Program& b, const VerifyOptions& options, ProgressMonitor& monitor)
{
    monitor.report(0.0, "verifying");
    if (monitor.isCancelled())
        return fail(ErrorCode::cancelled, "verifying was cancelled");
    VerifyReport report = Comparison(a, b, options).report();
    if (monitor.isCancelled())
        return fail(ErrorCode::cancelled, "verifying was cancelled");
    monitor.report(1.0, "verified");
    return report;
}

} // namespace sunder
