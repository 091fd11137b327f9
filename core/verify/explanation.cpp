#include "verify/explanation.h"

#include "verify/call_forms.h"
#include "verify/difference.h"
#include "verify/parting.h"

#include <algorithm>
#include <bit>

namespace sunder {
namespace {

/// Says in words how two programs part. Words are for people; verdicts are made elsewhere.
class Explainer {
public:
    Explainer(const ExplainedSide& a, const ExplainedSide& b, const TermTable& terms, const Correspondence& correspondence)
        : m_a(a), m_b(b), m_terms(terms), m_correspondence(correspondence)
    {
    }

    void explain(const Difference& difference, VerifyReport& report) const
    {
        report.output = difference.output;
        report.why = difference.output + " differs";
        report.nodeA = m_a.trace.outputNode;
        report.nodeB = m_b.trace.outputNode;
        if (difference.a.isValid() && difference.b.isValid()) {
            const Parting parting = findParting(m_terms, difference.a, difference.b);
            place(parting, report);
            report.why += ": " + sentence(parting);
        }
        report.nameA = path(m_a, report.nodeA);
        report.nameB = path(m_b, report.nodeB);
    }

    static std::string path(const ExplainedSide& side, NodeRef node)
    {
        if (!node.graph.isValid() || !node.node.isValid())
            return {};
        const ModuleId owner = side.program.owners[node.graph.index()];
        const std::string module = owner.isValid() ? side.program.modules[owner].path.str() : std::string();
        const std::string name = side.program.node(node).name.str();
        return module.empty() ? name : module + '/' + name;
    }

private:
    static NodeRef nodeOf(const ExplainedSide& side, TermId term)
    {
        const std::uint32_t step = term.isValid() ? side.evaluator.stepOf(term) : Evaluator::kNoStep;
        return step == Evaluator::kNoStep ? NodeRef{} : side.trace.steps[step].node;
    }

    /// "add_ (in part0)".
    static std::string words(const ExplainedSide& side, NodeRef node)
    {
        if (!node.graph.isValid() || !node.node.isValid())
            return "something";
        const ModuleId owner = side.program.owners[node.graph.index()];
        const std::string module = owner.isValid() ? side.program.modules[owner].path.str() : std::string();
        return side.program.node(node).name.str() + (module.empty() ? "" : " (in " + module + ")");
    }

    void place(const Parting& parting, VerifyReport& report) const
    {
        for (const TermId term : {parting.callA, parting.a})
            if (const NodeRef node = nodeOf(m_a, term); node.node.isValid()) {
                report.nodeA = node;
                break;
            }
        for (const TermId term : {parting.callB, parting.b})
            if (const NodeRef node = nodeOf(m_b, term); node.node.isValid()) {
                report.nodeB = node;
                break;
            }
    }

    std::string sentence(const Parting& parting) const
    {
        switch (parting.kind) {
        case Parting::Kind::version:
            return writes(parting);
        case Parting::Kind::state:
            return state(parting);
        case Parting::Kind::random:
            return caller(parting) + " draws other random numbers";
        case Parting::Kind::operand:
            return "argument " + std::to_string(parting.argument) + " of " + caller(parting) + " is "
                + value(m_a, Side::a, parting.a) + " in the first program, " + value(m_b, Side::b, parting.b)
                + " in the second";
        case Parting::Kind::call:
            break;
        }
        return "it is " + value(m_a, Side::a, parting.a) + " in the first program, " + value(m_b, Side::b, parting.b)
            + " in the second";
    }

    std::string caller(const Parting& parting) const
    {
        const std::string first = words(m_a, nodeOf(m_a, parting.callA));
        const std::string second = words(m_b, nodeOf(m_b, parting.callB));
        return first == second ? first : first + ", in the second program " + second + ',';
    }

    /// Which program sees a write that the other does not see.
    std::string writes(const Parting& parting) const
    {
        const std::vector<TermId> first = history(parting.a);
        const std::vector<TermId> second = history(parting.b);
        const auto [one, other] = std::ranges::mismatch(first, second);
        const std::string memory = value(m_a, Side::a, parting.place);
        const std::string reader = parting.callA.isValid() ? caller(parting) + " reads it" : "the end";
        const auto writer = [&](const ExplainedSide& side, TermId version) {
            return words(side, writerOf(side, version));
        };
        if (one != first.end() && other != second.end())
            return memory + " is written by " + writer(m_a, *one) + " in the first program, where the second has "
                + writer(m_b, *other) + ", before " + reader;
        if (one != first.end()) {
            const bool later = writerOf(m_b, *one).node.isValid();
            return writer(m_a, *one) + " writes " + memory + " before " + reader + " in the first program, "
                + (later ? "after it in the second" : "and not in the second");
        }
        const bool later = writerOf(m_a, *other).node.isValid();
        return writer(m_b, *other) + " writes " + memory + (later ? " after " + reader + " in the first program, before it in the second"
                                                                 : " before " + reader + " in the second program only");
    }

    /// The node that brought a version of memory about.
    NodeRef writerOf(const ExplainedSide& side, TermId version) const
    {
        const NodeRef node = nodeOf(side, m_terms.children(version)[1]);
        return node.node.isValid() ? node : nodeOf(side, version);
    }

    /// Versions from the oldest.
    std::vector<TermId> history(TermId version) const
    {
        std::vector<TermId> versions;
        for (; version.isValid() && version != TermTable::nothing(); version = m_terms.children(version)[0])
            versions.push_back(version);
        std::ranges::reverse(versions);
        return versions;
    }

    std::string state(const Parting& parting) const
    {
        const auto first = fields(parting.a);
        const auto second = fields(parting.b);
        const auto differs = [](const auto& all, const auto& field) {
            const auto found = std::ranges::find(all, field.first, &std::pair<std::string, TermId>::first);
            return found == all.end() || found->second != field.second;
        };
        for (const auto& field : first)
            if (differs(second, field))
                return caller(parting) + " runs under another " + field.first + " than in the second program";
        for (const auto& field : second)
            if (differs(first, field))
                return caller(parting) + " runs under another " + field.first + " than in the first program";
        return caller(parting) + " runs under another global state";
    }

    std::vector<std::pair<std::string, TermId>> fields(TermId state) const
    {
        std::vector<std::pair<std::string, TermId>> found;
        std::vector<TermId> parts{state};
        if (m_terms[state].kind == TermKind::group)
            parts.assign(m_terms.children(state).begin(), m_terms.children(state).end());
        for (TermId part : parts)
            for (; m_terms[part].kind == TermKind::state; part = m_terms.children(part)[0])
                found.emplace_back(m_terms.textOf(part).str(), m_terms.children(part)[1]);
        return found;
    }

    std::string value(const ExplainedSide& side, Side which, TermId id) const
    {
        if (!id.isValid())
            return "nothing";
        const Term& term = m_terms[id];
        if (const NodeRef node = nodeOf(side, id); node.node.isValid())
            return words(side, node);
        switch (term.kind) {
        case TermKind::constant:
            return literal(id);
        case TermKind::group:
            return "a list or tuple";
        case TermKind::overwritten:
            return value(side, which, m_terms.children(id)[0]) + ", copied over " + value(side, which, m_terms.children(id)[1])
                + ", which may require gradients,";
        case TermKind::read:
        case TermKind::again:
            return value(side, which, m_terms.children(id)[0]);
        case TermKind::input:
        case TermKind::tensor:
            return placeName(id, side, which, m_correspondence, m_terms);
        case TermKind::symbol:
            return "a size of an input";
        case TermKind::unmatched:
            return "something that has no counterpart";
        default:
            return "something else";
        }
    }

    std::string literal(TermId id) const
    {
        const Term& term = m_terms[id];
        switch (static_cast<ArgumentKind>(term.detail)) {
        case ArgumentKind::none:
            return "None";
        case ArgumentKind::boolean:
            return term.bits != 0 ? "True" : "False";
        case ArgumentKind::integer:
            return std::to_string(static_cast<std::int64_t>(term.bits));
        case ArgumentKind::floating:
            return std::to_string(std::bit_cast<double>(term.bits));
        case ArgumentKind::string:
            return '"' + m_terms.textOf(id).str() + '"';
        default:
            return m_terms.textOf(id).empty() ? "a constant" : m_terms.textOf(id).str();
        }
    }

    const ExplainedSide& m_a;
    const ExplainedSide& m_b;
    const TermTable& m_terms;
    const Correspondence& m_correspondence;
};

} // namespace

/// A call of the second program that may fail where the first runs.
static TermId callThatMayFail(const ExplainedSide& a, const ExplainedSide& b, TermTable& terms,
                              const Correspondence& correspondence)
{
    const std::vector<TermId> calls = b.evaluator.callsOutside(a.evaluator);
    if (calls.empty())
        return {};
    const CallForms forms(a, b, correspondence, terms);
    const auto found = std::ranges::find_if_not(calls, [&](TermId call) { return forms.isOfKnownForm(call); });
    return found != calls.end() ? *found : TermId();
}

VerifyReport explain(const ExplainedSide& a, const ExplainedSide& b, TermTable& terms,
                     const Correspondence& correspondence)
{
    VerifyReport report;
    report.notes = a.trace.notes;
    for (const std::string& note : b.trace.notes)
        if (std::ranges::find(report.notes, note) == report.notes.end())
            report.notes.push_back(note);
    const std::optional<Difference> found = findDifference(a, b, terms, correspondence);
    for (const ExplainedSide* side : {&a, &b}) {
        if (!side->trace.undecided)
            continue;
        const bool first = side == &a;
        (first ? report.nodeA : report.nodeB) = side->trace.undecided->first;
        std::string& name = first ? report.nameA : report.nameB;
        name = Explainer::path(*side, side->trace.undecided->first);
        report.why = std::string("it cannot be told what the ") + (first ? "first" : "second") + " program computes"
            + (name.empty() ? "" : " at " + name) + ": " + side->trace.undecided->second;
        return report;
    }
    if (found) {
        report.verdict = Verdict::different;
        Explainer(a, b, terms, correspondence).explain(*found, report);
        return report;
    }
    if (const TermId extra = callThatMayFail(a, b, terms, correspondence); extra.isValid()) {
        report.nodeB = b.trace.steps[b.evaluator.stepOf(extra)].node;
        report.nameB = Explainer::path(b, report.nodeB);
        report.why = "the results are the same, but " + report.nameB
            + " of the second program makes a call that the first does not make, and that may fail";
        return report;
    }
    report.verdict = Verdict::same;
    return report;
}

} // namespace sunder
