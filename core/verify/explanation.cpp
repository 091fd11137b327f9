#include "verify/explanation.h"

#include "verify/call_forms.h"
#include "verify/difference.h"
#include "verify/divergence.h"
#include "verify/inconclusive_reason.h"
#include "verify/term_words.h"

#include <algorithm>

namespace sunder {

std::string path(const Program& program, NodeRef node)
{
    if (!node.graph.isValid() || !node.node.isValid())
        return {};
    const ModuleId owner = program.owners[node.graph.index()];
    const std::string module = owner.isValid() ? program.modules[owner].path.str() : std::string();
    const std::string name = program.node(node).name.str();
    return module.empty() ? name : module + '/' + name;
}

namespace {

std::vector<std::string> both(const std::vector<std::string>& a, const std::vector<std::string>& b)
{
    std::vector<std::string> all = a;
    for (const std::string& one : b)
        if (std::ranges::find(a, one) == a.end())
            all.push_back(one);
    return all;
}

void addNotes(const Trace& a, const Trace& b, VerifyReport& report)
{
    report.notes = both(a.notes, b.notes);
    report.unknownOperators = both(a.unknownOperators, b.unknownOperators);
}

/// Describes in words how two programs differ. For people only; the verdict is decided elsewhere.
class Explainer {
public:
    Explainer(const ExplainedSide& a, const ExplainedSide& b, const TermTable& terms, const SymbolMapping& mapping)
        : m_a(a), m_b(b), m_terms(terms), m_mapping(mapping), m_apart(a, b, terms, mapping), m_wordsA(a, Side::a, terms, mapping),
          m_wordsB(b, Side::b, terms, mapping)
    {
    }

    void explain(const Difference& difference, VerifyReport& report)
    {
        report.output = difference.output;
        report.nodeA = m_a.trace.outputNode;
        report.nodeB = m_b.trace.outputNode;
        std::string how = difference.how;
        bool isDoubtful = false;
        if (difference.a.isValid() && difference.b.isValid()) {
            const Divergence parting = findParting(m_terms, difference.a, difference.b);
            place(parting, report);
            describe(parting, report);
            how = sentence(parting, report);
            std::string_view doubt = inconclusiveReason(m_terms, m_apart, parting);
            if (dependsOnUnknownMemory(parting))
                doubt =
                    "a file does not record which parameters, buffers, and constants share memory, so this may be different memory";
            isDoubtful = !doubt.empty();
            if (isDoubtful)
                how += "; " + std::string(doubt);
        }
        if (difference.isDoubtful && !isDoubtful) {
            isDoubtful = true;
            if (difference.how.empty())
                how += how.empty() ? "the assertion may never fail" : "; the assertion may never fail";
        }
        report.verdict = isDoubtful ? Verdict::undecided : Verdict::different;
        report.why = difference.output + (isDoubtful ? " may differ" : " differs") + (how.empty() ? "" : ": " + how);
        report.nameA = path(m_a.program, report.nodeA);
        report.nameB = path(m_b.program, report.nodeB);
    }

private:
    using Fields = std::vector<std::pair<std::string, TermId>>;

    void place(const Divergence& parting, VerifyReport& report) const
    {
        for (const TermId term : {parting.callA, parting.a})
            if (const NodeRef node = m_wordsA.nodeOf(term); node.node.isValid()) {
                report.nodeA = node;
                break;
            }
        for (const TermId term : {parting.callB, parting.b})
            if (const NodeRef node = m_wordsB.nodeOf(term); node.node.isValid()) {
                report.nodeB = node;
                break;
            }
    }

    bool dependsOnUnknownMemory(const Divergence& parting) const
    {
        const bool isUnknown = !m_mapping.hasKnownStorages(Side::a) || !m_mapping.hasKnownStorages(Side::b);
        return isUnknown && parting.kind == Divergence::Kind::version;
    }

    /// Describes the values that differ in each program, never with the same words for both.
    void describe(const Divergence& parting, VerifyReport& report) const
    {
        std::string& first = report.valueA;
        std::string& second = report.valueB;
        if (parting.kind == Divergence::Kind::version || parting.kind == Divergence::Kind::writes) {
            first = asLeft(m_wordsA, parting.place, parting.a);
            second = asLeft(m_wordsB, parting.place, parting.b);
        } else if (parting.kind == Divergence::Kind::state) {
            const std::string field = differentField(fields(parting.a), fields(parting.b));
            first = setting(m_wordsA, field, fields(parting.a));
            second = setting(m_wordsB, field, fields(parting.b));
        } else if (parting.kind == Divergence::Kind::random) {
            first = drawn(m_wordsA, parting.a);
            second = drawn(m_wordsB, parting.b);
        } else {
            first = m_wordsA.of(parting.a);
            second = m_wordsB.of(parting.b);
        }
        if (first != second)
            return;
        const std::string more = m_wordsA.details(parting.a);
        const std::string other = m_wordsB.details(parting.b);
        first += more.empty() ? "" : " (" + more + ")";
        second += other.empty() ? "" : " (" + other + ")";
        if (first == second)
            second = "another " + second;
    }

    static std::string asLeft(const TermWords& words, TermId place, TermId version)
    {
        return words.of(place)
            + (version == TermTable::nothing() ? " with its initial contents"
                                               : " as written by " + words.node(words.writerOf(version)));
    }

    std::string drawn(const TermWords& words, TermId random) const
    {
        std::size_t count = 0;
        for (TermId rest = random; m_terms[rest].kind == TermKind::random; rest = m_terms.children(rest)[0])
            ++count;
        if (count == 0)
            return "the first random numbers";
        return "the random numbers after " + words.of(m_terms.children(random)[1]) + " and " + std::to_string(count - 1)
            + " earlier calls";
    }

    std::string sentence(const Divergence& parting, const VerifyReport& report) const
    {
        const std::string halves = report.valueA + " in the first program, " + report.valueB + " in the second";
        switch (parting.kind) {
        case Divergence::Kind::version:
        case Divergence::Kind::writes: return writes(parting);
        case Divergence::Kind::state: return caller(parting) + " runs with " + halves;
        case Divergence::Kind::random: return caller(parting) + " draws different random numbers: " + halves;
        case Divergence::Kind::operand: return argument(parting) + " of " + caller(parting) + " is " + halves;
        case Divergence::Kind::call: break;
        }
        return halves;
    }

    /// Returns "argument 1", "argument alpha", "item 2 of argument 0".
    std::string argument(const Divergence& parting) const
    {
        std::string text;
        for (std::size_t i = parting.items.size(); i-- > 0;)
            text += "item " + std::to_string(parting.items[i]) + " of ";
        const std::span<const TermId> call = m_terms.children(parting.callA);
        const std::span<const TermId> keys = call[2] == TermTable::nothing() ? std::span<const TermId>()
                                                                             : m_terms.children(call[2]);
        const std::size_t positional = call.size() - firstArgument(m_terms, parting.callA) - keys.size();
        if (parting.argument >= positional && parting.argument - positional < keys.size())
            return text + "argument " + m_terms.textOf(keys[parting.argument - positional]).str();
        return text + "argument " + std::to_string(parting.argument);
    }

    std::string caller(const Divergence& parting) const
    {
        const std::string first = m_wordsA.node(m_wordsA.nodeOf(parting.callA));
        const std::string second = m_wordsB.node(m_wordsB.nodeOf(parting.callB));
        return first == second ? first : first + ", or " + second + " in the second program,";
    }

    /// Describes which program sees a write that the other does not.
    std::string writes(const Divergence& parting) const
    {
        const std::vector<TermId> first = versionsUpTo(m_terms, parting.a);
        const std::vector<TermId> second = versionsUpTo(m_terms, parting.b);
        const auto [one, other] = std::ranges::mismatch(first, second);
        const std::string memory = m_wordsA.of(parting.place);
        const std::string reader = parting.callA.isValid() ? caller(parting) + " reads it" : "the run ends";
        const auto writer = [&](const TermWords& words, TermId version) { return words.node(words.writerOf(version)); };
        if (one != first.end() && other != second.end()) {
            std::string mine = writer(m_wordsA, *one);
            std::string theirs = writer(m_wordsB, *other);
            if (mine == theirs) {
                mine += " (to " + m_wordsA.of(m_terms.children(*one)[2]) + ')';
                theirs += " (to " + m_wordsB.of(m_terms.children(*other)[2]) + ')';
            }
            if (mine == theirs)
                theirs = "another call of that name";
            return memory + " is written by " + mine + " in the first program and by " + theirs + " in the second before "
                + reader;
        }
        if (one != first.end()) {
            const bool later = m_wordsB.writerOf(*one).node.isValid();
            return writer(m_wordsA, *one) + " writes " + memory + " before " + reader + " in the first program, "
                + (later ? "but after that in the second" : "but not in the second");
        }
        const bool later = m_wordsA.writerOf(*other).node.isValid();
        return writer(m_wordsB, *other) + " writes " + memory
            + (later ? " after " + reader + " in the first program, but before that in the second"
                     : " before " + reader + " in the second program only");
    }

    static std::string differentField(const Fields& first, const Fields& second)
    {
        for (const auto& [one, other] : {std::pair(&first, &second), std::pair(&second, &first)})
            for (const auto& field : *one)
                if (std::ranges::find(*other, field) == other->end())
                    return field.first;
        return {};
    }

    static std::string setting(const TermWords& words, const std::string& field, const Fields& all)
    {
        const auto found = std::ranges::find(all, field, &std::pair<std::string, TermId>::first);
        if (field.empty())
            return "the global state";
        return field + (found == all.end() ? " unchanged" : " set to " + words.of(found->second));
    }

    Fields fields(TermId state) const
    {
        Fields found;
        std::vector<TermId> parts{state};
        if (m_terms[state].kind == TermKind::group)
            parts.assign(m_terms.children(state).begin(), m_terms.children(state).end());
        for (TermId part : parts)
            for (; m_terms[part].kind == TermKind::state; part = m_terms.children(part)[0])
                found.emplace_back(m_terms.textOf(part).str(), m_terms.children(part)[1]);
        return found;
    }

    const ExplainedSide& m_a;
    const ExplainedSide& m_b;
    const TermTable& m_terms;
    const SymbolMapping& m_mapping;
    DistinguishableTerms m_apart;
    TermWords m_wordsA;
    TermWords m_wordsB;
};

/// Returns the first write to a parameter, buffer, or constant of a program whose file does not state which of them share memory.
std::string writeToUnknownMemory(const ExplainedSide& side, Side which, const SymbolMapping& mapping, const TermTable& terms)
{
    if (mapping.hasKnownStorages(which))
        return {};
    for (const auto& [place, content] : side.outcomes.memory)
        if (terms[place].kind == TermKind::tensor)
            return placeName(place, side, which, mapping, terms);
    return {};
}

} // namespace

/// Returns the report on the first certain difference, or on the first difference if none is certain. Takes over `report`.
static VerifyReport mostCertain(std::span<const Difference> differences, const ExplainedSide& a, const ExplainedSide& b,
                                const TermTable& terms, const SymbolMapping& mapping, VerifyReport report)
{
    Explainer explainer(a, b, terms, mapping);
    std::optional<VerifyReport> first;
    for (const Difference& difference : differences) {
        VerifyReport explained = report;
        explainer.explain(difference, explained);
        if (explained.verdict == Verdict::different)
            return explained;
        if (!first)
            first = std::move(explained);
    }
    return first ? std::move(*first) : std::move(report);
}

/// Returns a call of the second program that may fail although the first program succeeds.
static TermId callThatMayFail(const ExplainedSide& a, const ExplainedSide& b, Side sideOfA, TermTable& terms,
                              const SymbolMapping& mapping)
{
    const std::vector<TermId> calls = b.evaluator.callsOutside(a.evaluator);
    if (calls.empty())
        return {};
    CallForms forms(a, b, sideOfA, mapping, terms);
    const auto succeeds = [&](TermId call) { return forms.isOfKnownForm(call) || forms.succeeds(call); };
    const auto found = std::ranges::find_if_not(calls, succeeds);
    return found != calls.end() ? *found : TermId();
}

std::optional<VerifyReport> undecidedReport(const Program& a, const Trace& traceA, const Program& b, const Trace& traceB)
{
    for (const Trace* trace : {&traceA, &traceB}) {
        if (!trace->undecided)
            continue;
        VerifyReport report;
        addNotes(traceA, traceB, report);
        const bool first = trace == &traceA;
        (first ? report.nodeA : report.nodeB) = trace->undecided->first;
        std::string& name = first ? report.nameA : report.nameB;
        name = path(first ? a : b, trace->undecided->first);
        report.why = std::string("the verifier cannot interpret the ") + (first ? "first" : "second") + " program"
            + (name.empty() ? "" : " at " + name) + ": " + trace->undecided->second;
        return report;
    }
    return std::nullopt;
}

VerifyReport explain(const ExplainedSide& a, const ExplainedSide& b, TermTable& terms, const SymbolMapping& mapping)
{
    if (std::optional<VerifyReport> undecided = undecidedReport(a.program, a.trace, b.program, b.trace))
        return std::move(*undecided);
    VerifyReport report;
    addNotes(a.trace, b.trace, report);
    if (const std::vector<Difference> found = findDifferences(a, b, terms, mapping); !found.empty())
        return mostCertain(found, a, b, terms, mapping, std::move(report));
    const auto mayFail = [&](const ExplainedSide& one, const ExplainedSide& other) {
        const bool isSecond = &other == &b;
        const TermId extra = callThatMayFail(one, other, isSecond ? Side::a : Side::b, terms, mapping);
        if (!extra.isValid())
            return false;
        const NodeRef node = other.trace.steps[other.evaluator.stepOf(extra)].node;
        (isSecond ? report.nodeB : report.nodeA) = node;
        std::string& name = isSecond ? report.nameB : report.nameA;
        name = path(other.program, node);
        report.why = "the results are equal, but the " + std::string(isSecond ? "second" : "first") + " program makes the call "
            + name + ", which may fail and which the " + (isSecond ? "first" : "second") + " does not make";
        return true;
    };
    // Passes may remove calls with unused results, as PyTorch's passes do.
    if (mayFail(a, b) || (!mapping.sharesStorages() && mayFail(b, a)))
        return report;
    for (const ExplainedSide* side : {&a, &b}) {
        const Side which = side == &a ? Side::a : Side::b;
        const std::string written = writeToUnknownMemory(*side, which, mapping, terms);
        if (written.empty())
            continue;
        const std::string note = std::string("the ") + (side == &a ? "first" : "second")
            + " file does not record which parameters, buffers, and constants share memory, and " + written + " is written to";
        if (!mapping.sharesStorages()) {
            report.why = note + ", so other tensors may change with it in only one of the programs";
            return report;
        }
        report.notes.push_back(note + ", so accesses are ordered as if all of them share memory");
        break;
    }
    if (!mapping.sharesStorages())
        report.why = sharedOtherwise(a, b, terms, mapping);
    if (report.why.empty())
        report.verdict = Verdict::same;
    return report;
}

} // namespace sunder
