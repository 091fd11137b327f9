#include "verify/explanation.h"

#include <algorithm>
#include <unordered_map>

namespace sunder {
namespace {

/// The first results that differ.
struct Difference {
    std::string output;
    TermId a;
    TermId b;
};

std::optional<Difference> differentOutputs(const Outcomes& a, const Outcomes& b)
{
    const std::size_t common = std::min(a.outputs.size(), b.outputs.size());
    for (std::size_t i = 0; i < common; ++i)
        if (a.outputs[i] != b.outputs[i])
            return Difference{"output " + std::to_string(i), a.outputs[i], b.outputs[i]};
    if (a.outputs.size() != b.outputs.size())
        return Difference{"number of outputs", {}, {}};
    if (a.structure.isValid() && b.structure.isValid() && a.structure != b.structure)
        return Difference{"structure of the outputs", a.structure, b.structure};
    return std::nullopt;
}

std::string labelOf(TermId place, const ExplainedSide& side, const Correspondence& correspondence, Side which,
                    const TermTable& terms)
{
    const Term& term = terms[place];
    if (term.kind == TermKind::input)
        return "input " + std::to_string(term.bits);
    for (std::size_t i = 0; i < side.program.tensors.size(); ++i)
        if (correspondence.tensor(which, TensorId(i)) == place)
            return std::string(name(side.program.tensors[TensorId(i)].role)) + ' '
                + side.program.tensors[TensorId(i)].fqn.str();
    return "an attribute";
}

std::optional<Difference> differentMemory(const ExplainedSide& a, const ExplainedSide& b, const TermTable& terms,
                                          const Correspondence& correspondence)
{
    std::unordered_map<TermId, TermId> second(b.outcomes.memory.begin(), b.outcomes.memory.end());
    for (const auto& [place, content] : a.outcomes.memory) {
        const auto found = second.find(place);
        const TermId other = found != second.end() ? found->second : place;
        if (found != second.end())
            second.erase(found);
        if (other != content)
            return Difference{labelOf(place, a, correspondence, Side::a, terms) + " after the run", content, other};
    }
    for (const auto& [place, content] : b.outcomes.memory)
        if (second.contains(place) && content != place)
            return Difference{labelOf(place, b, correspondence, Side::b, terms) + " after the run", place, content};
    return std::nullopt;
}

std::optional<Difference> differentEffects(const Outcomes& a, const Outcomes& b)
{
    if (a.effects != b.effects)
        return Difference{"effects", a.effects, b.effects};
    if (a.assertions != b.assertions) {
        const auto [first, second] = std::ranges::mismatch(a.assertions, b.assertions);
        return Difference{"assertions", first != a.assertions.end() ? *first : TermId(),
                          second != b.assertions.end() ? *second : TermId()};
    }
    if (a.random != b.random)
        return Difference{"random numbers", a.random, b.random};
    if (a.state != b.state || a.gradientState != b.gradientState)
        return Difference{"global state after the run", {}, {}};
    return std::nullopt;
}

} // namespace

VerifyReport explain(const ExplainedSide& a, const ExplainedSide& b, const TermTable& terms,
                     const Correspondence& correspondence)
{
    VerifyReport report;
    std::optional<Difference> found = differentOutputs(a.outcomes, b.outcomes);
    if (!found)
        found = differentMemory(a, b, terms, correspondence);
    if (!found)
        found = differentEffects(a.outcomes, b.outcomes);
    report.notes = a.trace.notes;
    for (const std::string& note : b.trace.notes)
        if (std::ranges::find(report.notes, note) == report.notes.end())
            report.notes.push_back(note);
    if (a.trace.undecided || b.trace.undecided) {
        report.verdict = Verdict::undecided;
        report.why = a.trace.undecided ? a.trace.undecided->second : b.trace.undecided->second;
    } else if (!found) {
        report.verdict = Verdict::same;
    } else {
        report.verdict = Verdict::different;
        report.output = found->output;
        report.why = found->output + " differs";
    }
    return report;
}

} // namespace sunder
