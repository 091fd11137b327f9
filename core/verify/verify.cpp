#include "verify/verify.h"

#include "support/progress_monitor.h"
#include "verify/contents_verdict.h"
#include "verify/evaluator.h"
#include "verify/explanation.h"
#include "verify/identical_programs.h"
#include "verify/normal_form.h"
#include "verify/program_traits.h"
#include "verify/renamed_weights.h"
#include "verify/rounding_reach.h"
#include "verify/stated_interface.h"
#include "verify/tensor_reach.h"
#include "verify/trace_builder.h"
#include "verify/verdict_text.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <memory>

namespace sunder {
namespace {

constexpr std::string_view kActivity = "verifying";
constexpr double kGraphShare = 0.3; ///< fraction of the progress before contents are compared
constexpr double kShareOneWay = 0.5; ///< fraction of the progress before the programs are compared in reverse order, if they are
constexpr double kShareAsWritten = 0.6; ///< fraction of the progress before normal forms are compared, if they are

VerifyReport reportOfRounding(const Program& program, const RoundingReach& reach, InternedString laid,
                              std::vector<std::string> notes)
{
    VerifyReport report{.verdict = Verdict::sameUpToRounding, .notes = std::move(notes)};
    report.rounding.count = reach.rounded.size();
    for (std::size_t i = 0; i < reach.rounded.size() && i < RoundedCalls::kMaxNames; ++i)
        report.rounding.names.push_back(path(program, reach.rounded[i]));
    report.why = laid.str() + " has a different memory layout: " + roundingText(report.rounding);
    return report;
}

/// A set of verdicts: bit i for the verdict of value i.
using Verdicts = unsigned;
constexpr Verdicts setOf(Verdict verdict)
{
    return 1U << static_cast<unsigned>(verdict);
}
constexpr Verdicts kProofs = setOf(Verdict::same) | setOf(Verdict::sameUpToRounding);
constexpr Verdicts kUnproven = setOf(Verdict::different) | setOf(Verdict::undecided);

/// Traces, evaluates, and compares two programs.
class Comparison {
public:
    /// Prepares a comparison. `counts`: whether to compare the layouts of parameters, buffers, and constants (for pass results
    /// only if the programs may depend on them), and whether to compare their requires_grad. Fails with ErrorCode::cancelled.
    static Result<Comparison> of(const Program& a, const Program& b, const VerifyOptions& options, ProgressMonitor& monitor,
                                 Matching counts = {})
    {
        OperatorCatalog operators(a, b);
        SUNDER_TRY(ProgramTraits traits, traitsOf(a, b, operators, monitor));
        const bool layoutsMatter = traits.layouts || !options.sharedStorages;
        const Matching matching{options.sharedStorages, counts.layouts && layoutsMatter, counts.gradients};
        auto terms = std::make_unique<TermTable>();
        SUNDER_TRY(SymbolMapping mapping, SymbolMapping::of(a, b, matching, *terms, monitor));
        return Comparison(a, b, options, monitor, std::move(operators), std::move(traits), matching, std::move(terms),
                          std::move(mapping));
    }

    /// Whether tensors keep their shapes and strides, so that descriptions in the files stay valid.
    [[nodiscard]] bool keepsShapes() const { return !m_traits.reshapes; }
    /// Whether the rules for normal forms apply. They are tested for views that are writable in every mode, for usual dtypes and
    /// layouts, and under the assumption that a view of a whole tensor is interchangeable with the tensor.
    [[nodiscard]] bool allowsNormalForms() const
    {
        return !m_traits.unusualTensors && !distinguishesObjects() && !(m_traits.switchesModes && m_traits.writes);
    }
    [[nodiscard]] OperatorCatalog& operators() { return m_operators; }

    Result<VerifyReport> report()
    {
        SUNDER_PROPAGATE(m_monitor.check());
        std::vector<std::string> notes;
        if (std::optional<VerifyReport> different = differentInputs(m_a, m_b, m_mapping, notes))
            return std::move(*different);
        SUNDER_TRY(VerifyReport report, asRecorded());
        for (const Attempt& attempt : kAttempts) {
            SUNDER_PROPAGATE(m_monitor.check());
            const Verdicts before = setOf(report.verdict);
            if ((attempt.from & before) != 0)
                SUNDER_PROPAGATE((this->*attempt.make)(report));
            assert(((before | attempt.gives) & setOf(report.verdict)) != 0);
        }
        SUNDER_PROPAGATE(m_monitor.check());
        report.notes.insert(report.notes.end(), notes.begin(), notes.end());
        SubProgress contents(m_whole, kGraphShare, 1.0);
        SUNDER_PROPAGATE(settleContents(m_a, m_b, m_depended, m_options, report, contents));
        if (report.verdict != Verdict::sameUpToRounding)
            report.rounding = {};
        return report;
    }

private:
    Comparison(const Program& a, const Program& b, const VerifyOptions& options, ProgressMonitor& monitor,
               OperatorCatalog operators, ProgramTraits traits, const Matching& matching, std::unique_ptr<TermTable> terms,
               SymbolMapping mapping)
        : m_a(a), m_b(b), m_options(options), m_whole(monitor),
          m_monitor(monitor, 0.0, options.contents != nullptr ? kGraphShare : 1.0), m_terms(std::move(terms)),
          m_operators(std::move(operators)), m_traits(std::move(traits)), m_matching(matching), m_mapping(std::move(mapping))
    {
    }

    /// A check under other assumptions than those of asRecorded(), which may replace the verdict so far.
    struct Attempt {
        Verdicts from; ///< the verdicts that it examines
        Result<void> (Comparison::*make)(VerifyReport&);
        Verdicts gives; ///< the verdicts that it may replace them by
    };
    static const std::array<Attempt, 9> kAttempts;

    /// Compares the programs under all assumptions: unknown calls may do anything, random numbers are drawn in order, and the
    /// descriptions in the files hold, except those in graphs that are called under several settings.
    Result<VerifyReport> asRecorded()
    {
        SUNDER_PROPAGATE(traceBoth({}));
        m_hasSeveralStates = m_traceA.severalStates || m_traceB.severalStates;
        if (m_hasSeveralStates)
            SUNDER_PROPAGATE(traceBoth({}));
        std::optional<VerifyReport> untraced = undecidedReport(m_a, m_traceA, m_b, m_traceB);
        m_isTraced = !untraced;
        return untraced ? std::move(*untraced) : compare(true);
    }

    /// Assumes that random numbers may be drawn in any order.
    Result<void> ignoreRandomOrder(VerifyReport& report)
    {
        if (!m_traits.random)
            return {};
        SUNDER_TRY(const VerifyReport anyOrder, compare(false));
        if (anyOrder.verdict == Verdict::same)
            report.why = "only the order of random numbers differs: " + report.why;
        return {};
    }

    /// Assumes that unknown operators and modules are pure functions. A difference must not depend on their effects.
    Result<void> assumePureCalls(VerifyReport& report)
    {
        if (!m_callsUnknown)
            return {};
        SUNDER_PROPAGATE(traceBoth({.pureCalls = true}));
        SUNDER_TRY(const VerifyReport pure, compare(true));
        if (pure.verdict == Verdict::different)
            return {};
        report.verdict = Verdict::undecided;
        report.why = "equivalence depends on operators or modules with unknown semantics: " + report.why;
        return {};
    }

    /// Doubts that the programs succeed for any input.
    Result<void> doubtSuccess(VerifyReport& report)
    {
        if (!m_traits.mayAlwaysFail)
            return {};
        report.verdict = Verdict::undecided;
        report.why =
            "both programs may fail on every input, because the files do not record values up to the last call, or an assertion is false: "
            + report.why;
        return {};
    }

    /// Does not trust the stated dtypes of conversions, because one file may state more of them than the other.
    Result<void> distrustDtypes(VerifyReport& report)
    {
        if (!m_traceA.usesRecordedDtypes && !m_traceB.usesRecordedDtypes)
            return {};
        SUNDER_PROPAGATE(traceBoth({.recordedDtypes = false}));
        SUNDER_TRY(const VerifyReport anyDtypes, compare(true));
        if (anyDtypes.verdict == Verdict::same)
            report = {.verdict = Verdict::same, .notes = std::move(report.notes)};
        return {};
    }

    /// Keeps the verdict, and records whether it depends on the gradients that this comparison ignores.
    Result<void> noteGradients(VerifyReport& /*report*/)
    {
        if (m_matching.gradients || m_dependsOnGradients)
            return {};
        const std::span<const TermId> tensors = m_mapping.eitherGradients();
        m_dependsOnGradients = !tensors.empty()
            && (dependsOnGradientsOf(tensors, m_traceA, *m_terms) || dependsOnGradientsOf(tensors, m_traceB, *m_terms));
        return {};
    }

    /// A program that a pass did not change need not be understood. Nor need two programs that modify a container alike.
    Result<void> acceptIdentical(VerifyReport& report)
    {
        const bool needNotKnow = m_options.sharedStorages || (!m_isTraced && m_traceA.changesContainer);
        if (!needNotKnow || !areIdentical(m_a, m_b))
            return {};
        report = {.verdict = Verdict::same, .notes = std::move(report.notes)};
        if (!m_options.sharedStorages)
            m_depended = allTensors(m_a, m_b, *m_terms, m_mapping);
        return {};
    }

    /// Requires that the files agree on facts outside the graphs: the accepted inputs, and unknown content.
    Result<void> compareStatements(VerifyReport& report)
    {
        if (m_options.sharedStorages)
            return {};
        std::string why = differentDomain(m_a, m_b);
        if (why.empty())
            why = differentStatements(m_a, m_b);
        if (!why.empty())
            report = {.verdict = Verdict::undecided, .why = std::move(why), .notes = std::move(report.notes)};
        return {};
    }

    /// Whether the identity of equal tensors matters. It does not for pass results: passes move calls, but neither duplicate nor
    /// merge them.
    [[nodiscard]] bool distinguishesObjects() const
    {
        return (m_traits.findsObjects || m_traits.changesObjects) && !m_options.sharedStorages;
    }

    Result<void> traceBoth(Assumptions assume)
    {
        assume.recordedCalls = !m_hasSeveralStates;
        TraceContext context{m_mapping,
                             *m_terms,
                             m_operators,
                             m_options,
                             m_traits.effects,
                             m_traits.writes,
                             m_traits.reshapes,
                             m_traits.changesContainers,
                             assume};
        SUNDER_TRY(m_traceA, trace(m_a, Side::a, context));
        SUNDER_TRY(m_traceB, trace(m_b, Side::b, context));
        return {};
    }

    Result<Trace> trace(const Program& program, Side side, TraceContext& context)
    {
        const double from = side == Side::a ? 0.0 : 0.25;
        SubProgress section(m_monitor, from, from + 0.25);
        StepMonitor progress(section, program.nodeCount(), kActivity);
        SUNDER_TRY(Trace trace, TraceBuilder(program, side, context, progress).build());
        trace.unusualTensors = m_traits.unusualTensors;
        trace.distinguishesObjects = distinguishesObjects();
        trace.findsObjects = m_traits.findsObjects;
        m_callsUnknown = m_callsUnknown
            || std::ranges::any_of(trace.steps, [](const Step& step) { return step.opaque || step.dependsOnUnlistedAttributes; });
        return trace;
    }

    /// Result of a comparison that ignores a property of parameters, buffers, and constants.
    struct Relaxed {
        VerifyReport report;
        TensorDependencies depended;
        std::optional<bool> dependsOnGradients;
    };

    /// Compares the programs again with this matching, without contents.
    Result<Relaxed> compareRelaxed(Matching matching)
    {
        VerifyOptions options = m_options;
        options.contents = nullptr;
        SubProgress monitor(m_whole, kGraphShare, kGraphShare);
        SUNDER_TRY(Comparison relaxed, of(m_a, m_b, options, monitor, matching));
        SUNDER_TRY(VerifyReport report, relaxed.report());
        return Relaxed{std::move(report), std::move(relaxed.m_depended), relaxed.m_dependsOnGradients};
    }

    /// The ignored property is irrelevant: the programs are the same.
    void accept(Relaxed& relaxed, VerifyReport& report)
    {
        report = {.verdict = Verdict::same, .notes = std::move(report.notes)};
        m_depended = std::move(relaxed.depended);
    }

    /// Ignores layouts: decides whether the programs differ only in those of parameters, buffers, and constants.
    Result<void> settleLayouts(VerifyReport& report)
    {
        if (!m_isTraced || m_mapping.layoutMismatch().empty())
            return {};
        SUNDER_TRY(Relaxed anyLayout, compareRelaxed({.layouts = false, .gradients = m_matching.gradients}));
        const Verdict verdict = anyLayout.report.verdict;
        if (verdict == Verdict::different) // a difference other than layout
            report = std::move(anyLayout.report);
        if (verdict != Verdict::same)
            return {};
        if (!dependsOnLayouts()) {
            accept(anyLayout, report);
            m_dependsOnGradients = anyLayout.dependsOnGradients;
            return {};
        }
        const std::string differs = std::move(report.why);
        report.verdict = Verdict::undecided;
        report.why = "equivalence depends on the memory layout of tensors such as " + m_mapping.layoutMismatch().back().fqn.str()
            + ": ";
        if (std::string doubt = settleRounding(report); !doubt.empty())
            report.why += doubt + (differs.empty() ? "" : "; ") + differs;
        else if (report.verdict == Verdict::undecided)
            report.why += differs;
        else
            m_depended = std::move(anyLayout.depended);
        return {};
    }

    /// Sets the verdict to sameUpToRounding if memory layouts only affect rounding. Otherwise returns the reason, if known.
    std::string settleRounding(VerifyReport& report)
    {
        const std::array<std::vector<TermId>, 2> places = placesWithLayoutMismatch();
        RoundingReach first = roundingReach(places[0], stridesDiffer(), m_a, Side::a, m_traceA, *m_terms, m_mapping);
        const RoundingReach second = roundingReach(places[1], stridesDiffer(), m_b, Side::b, m_traceB, *m_terms, m_mapping);
        if (!first.isBounded || !second.isBounded) {
            const RoundingReach& stopped = first.isBounded ? second : first;
            const std::string call = path(first.isBounded ? m_b : m_a, stopped.at);
            return call + (call.empty() ? "" : " ") + stopped.doubt;
        }
        report = reportOfRounding(m_a, first, m_mapping.layoutMismatch().back().fqn, std::move(report.notes));
        return {};
    }

    /// Ignores requires_grad: decides whether the programs differ only in which parameters, buffers, and constants require it.
    Result<void> settleGradients(VerifyReport& report)
    {
        if (!m_isTraced || m_mapping.otherGradients().empty())
            return {};
        SUNDER_TRY(Relaxed anyGradients, compareRelaxed({.layouts = m_matching.layouts, .gradients = false}));
        if (!isProof(anyGradients.report.verdict)) { // there are other differences
            report = std::move(anyGradients.report);
            return {};
        }
        if (anyGradients.report.verdict == Verdict::same && !anyGradients.dependsOnGradients.value_or(true)) {
            accept(anyGradients, report);
            return {};
        }
        report.verdict = Verdict::undecided;
        report.why = "equivalence depends on which tensors require gradients, such as " + m_mapping.otherGradients().str() + ": "
            + report.why;
        return {};
    }

    bool dependsOnLayouts()
    {
        const std::array<std::vector<TermId>, 2> places = placesWithLayoutMismatch();
        return dependsOnLayoutOf(places[0], stridesDiffer(), m_a, Side::a, m_traceA, m_mapping)
            || dependsOnLayoutOf(places[1], stridesDiffer(), m_b, Side::b, m_traceB, m_mapping);
    }

    [[nodiscard]] bool stridesDiffer() const
    {
        return !std::ranges::all_of(m_mapping.layoutMismatch(), &LayoutMismatch::sameStrides);
    }

    [[nodiscard]] std::array<std::vector<TermId>, 2> placesWithLayoutMismatch() const
    {
        std::array<std::vector<TermId>, 2> places;
        for (const LayoutMismatch& tensor : m_mapping.layoutMismatch())
            for (const std::size_t side : {0, 1})
                places[side].push_back(tensor.places[side]);
        return places;
    }

    Result<VerifyReport> compare(bool orderedRandomness)
    {
        const std::uint64_t most = m_options.maxTermBytes + 4000 * (m_a.nodeCount() + m_b.nodeCount());
        Evaluator a(m_a, Side::a, m_traceA, *m_terms, m_mapping, orderedRandomness, most);
        Evaluator b(m_b, Side::b, m_traceB, *m_terms, m_mapping, orderedRandomness, most);
        SubProgress sectionA(m_monitor, 0.5, 0.75);
        SubProgress sectionB(m_monitor, 0.75, 1.0);
        StepMonitor progressA(sectionA, m_traceA.steps.size(), kActivity);
        StepMonitor progressB(sectionB, m_traceB.steps.size(), kActivity);
        SUNDER_TRY(const Outcomes first, a.evaluate(progressA));
        SUNDER_TRY(const Outcomes second, b.evaluate(progressB));
        const ExplainedSide sideA{m_a, m_traceA, a, first};
        const ExplainedSide sideB{m_b, m_traceB, b, second};
        VerifyReport report = explain(sideA, sideB, *m_terms, m_mapping);
        if (report.verdict == Verdict::same && !m_options.sharedStorages) {
            m_depended = dependedTensors(sideA, sideB, *m_terms, m_mapping);
            m_depended.bytes = m_traits.reachesMemory ? ComparedBytes::memories : ComparedBytes::elements;
        }
        return report;
    }

    const Program& m_a;
    const Program& m_b;
    const VerifyOptions& m_options;
    ProgressMonitor& m_whole;
    SubProgress m_monitor; ///< progress of the work on graphs
    bool m_isTraced = false; ///< both programs could be traced
    bool m_hasSeveralStates = false; ///< a graph is called under several settings
    bool m_callsUnknown = false;
    std::unique_ptr<TermTable> m_terms; ///< at a stable address, because the mapping refers to it
    OperatorCatalog m_operators;
    ProgramTraits m_traits;
    Matching m_matching;
    SymbolMapping m_mapping;
    std::optional<bool> m_dependsOnGradients; ///< for a verdict of `same` that ignores requires_grad
    Trace m_traceA;
    Trace m_traceB;
    TensorDependencies m_depended; ///< for a verdict of `same`
};

constexpr std::array<Comparison::Attempt, 9> Comparison::kAttempts{{
    {setOf(Verdict::different), &Comparison::ignoreRandomOrder, setOf(Verdict::different)}, // only the explanation changes
    {setOf(Verdict::different), &Comparison::assumePureCalls, setOf(Verdict::undecided)},
    {setOf(Verdict::different), &Comparison::doubtSuccess, setOf(Verdict::undecided)},
    {kUnproven, &Comparison::settleLayouts, kProofs | kUnproven},
    {kUnproven, &Comparison::settleGradients, setOf(Verdict::same) | kUnproven},
    {kUnproven | setOf(Verdict::sameUpToRounding), &Comparison::distrustDtypes, setOf(Verdict::same)},
    {setOf(Verdict::same), &Comparison::noteGradients, setOf(Verdict::same)},
    {setOf(Verdict::undecided), &Comparison::acceptIdentical, setOf(Verdict::same)},
    {kProofs, &Comparison::compareStatements, setOf(Verdict::undecided)},
}};

/// Returns the report if the programs are equal in normal form, bit for bit or up to rounding, after weights of equal bytes were
/// given equal names.
Result<std::optional<VerifyReport>> sameInNormalForm(const Program& a, const Program& b, const VerifyOptions& options,
                                                     bool keepsShapes, OperatorCatalog& operators, ProgressMonitor& monitor)
{
    std::optional<Program> renamed;
    if (options.contents != nullptr) {
        SubProgress reading(monitor, 0.0, kGraphShare);
        SUNDER_TRY(std::optional<Program> made, withNamesOf(a, b, *options.contents, reading));
        renamed = std::move(made);
    }
    SUNDER_TRY(const std::optional<Program> first, normalForm(a, keepsShapes, operators, monitor));
    SUNDER_TRY(const std::optional<Program> second, normalForm(renamed ? *renamed : b, keepsShapes, operators, monitor));
    SUNDER_PROPAGATE(monitor.check());
    if (!first && !second && !renamed)
        return std::nullopt;
    const Program& other = second ? *second : renamed ? *renamed : b;
    SubProgress comparing(monitor, options.contents != nullptr ? kGraphShare : 0.0, 1.0);
    SUNDER_TRY(Comparison comparison, Comparison::of(first ? *first : a, other, options, comparing));
    SUNDER_TRY(VerifyReport report, comparison.report());
    if (!isProof(report.verdict))
        return std::nullopt;
    if (first || second)
        report.notes.push_back(
            "this holds for inputs as the files describe them, and relies on the recorded shapes and dtypes of values");
    if (renamed)
        report.notes.push_back("some weights have equal bytes but different names in the two programs");
    return report;
}

/// Whether the graphs are equal and only unknown bytes prevent a proof, which no other comparison can provide.
bool lacksContents(const VerifyReport& report)
{
    return report.verdict == Verdict::undecided && !report.contents.doubts.empty();
}

Result<VerifyReport> verifyOneWay(const Program& a, const Program& b, const VerifyOptions& options, ProgressMonitor& monitor)
{
    SubProgress asWritten(monitor, 0.0, kShareAsWritten);
    SUNDER_TRY(Comparison comparison, Comparison::of(a, b, options, asWritten));
    SUNDER_TRY(VerifyReport report, comparison.report());
    if (report.verdict == Verdict::same || lacksContents(report) || !comparison.allowsNormalForms())
        return report;
    SubProgress rest(monitor, kShareAsWritten, 1.0);
    SUNDER_TRY(std::optional<VerifyReport> same,
               sameInNormalForm(a, b, options, comparison.keepsShapes(), comparison.operators(), rest));
    const bool isBetter = same && (same->verdict == Verdict::same || !isProof(report.verdict));
    return isBetter ? std::move(*same) : std::move(report);
}

/// Weakens a difference that the comparison in reverse order does not confirm.
void becomeUndecided(VerifyReport& report)
{
    report.verdict = Verdict::undecided;
    report.why = "the difference is not certain, because comparing the programs in reverse order does not find it: " + report.why;
}

/// Combines the verdicts of both orders into one that does not depend on the order.
VerifyReport eitherWay(VerifyReport report, const VerifyReport& other)
{
    if (other.verdict == Verdict::same)
        return other;
    if (report.verdict == Verdict::different && other.verdict != Verdict::different)
        becomeUndecided(report);
    else if (other.verdict == Verdict::different && report.verdict == Verdict::sameUpToRounding)
        return {.verdict = Verdict::undecided,
                .why = "equivalence up to rounding is proven in only one order of comparison: " + report.why};
    else if (other.verdict == Verdict::sameUpToRounding && report.verdict == Verdict::undecided)
        return other;
    return report;
}

} // namespace

Result<VerifyReport> verify(const Program& a, const Program& b, const VerifyOptions& options, ProgressMonitor& monitor)
{
    monitor.report(0.0, kActivity);
    SUNDER_PROPAGATE(monitor.check());
    SubProgress oneWay(monitor, 0.0, kShareOneWay);
    SUNDER_TRY(VerifyReport report, verifyOneWay(a, b, options, oneWay));
    // The verdict must not depend on the order of the programs.
    if (report.verdict != Verdict::same && !lacksContents(report) && !options.sharedStorages) {
        SubProgress otherWay(monitor, kShareOneWay, 1.0);
        SUNDER_TRY(const VerifyReport other, verifyOneWay(b, a, options, otherWay));
        report = eitherWay(std::move(report), other);
    }
    monitor.report(1.0, "verified");
    return report;
}

} // namespace sunder
