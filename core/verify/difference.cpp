#include "verify/difference.h"

#include "verify/value_facts.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <unordered_map>
#include <unordered_set>

namespace sunder {
namespace {

std::string counts(std::size_t first, std::size_t second)
{
    return std::to_string(first) + " in the first program, " + std::to_string(second) + " in the second";
}

/// Maximum number of differing outputs, or tensors, to examine.
constexpr std::size_t kMaxDifferences = 16;

/// Result of comparing the nesting of two results.
enum class Nesting : std::uint8_t {
    same,
    other,   ///< different
    unknown, ///< one may be a list where the other has the items of such a list
};

/// Compares the nesting of results. A value that the programs do not unpack may be a list itself.
class NestingComparison {
public:
    NestingComparison(const TermTable& terms, const ValueFacts& values) : m_terms(terms), m_values(values) {}

    Nesting of(TermId a, TermId b)
    {
        const bool isGroupA = m_terms[a].kind == TermKind::group;
        const bool isGroupB = m_terms[b].kind == TermKind::group;
        if (a == b || (!isGroupA && !isGroupB))
            return Nesting::same;
        if (!isGroupA || !isGroupB)
            return m_values.isNoContainer(isGroupA ? b : a) ? Nesting::other : Nesting::unknown;
        const std::uint64_t pair = static_cast<std::uint64_t>(a.index()) << 32U | b.index();
        if (const auto found = m_known.find(pair); found != m_known.end())
            return found->second;
        return m_known[pair] = ofGroups(m_terms.children(a), m_terms.children(b));
    }

private:
    Nesting ofGroups(std::span<const TermId> a, std::span<const TermId> b)
    {
        if (a.size() != b.size() || a[0] != b[0])
            return Nesting::other;
        Nesting found = Nesting::same;
        for (std::size_t i = 1; i < a.size() && found != Nesting::other; ++i)
            if (const Nesting item = of(a[i], b[i]); item != Nesting::same)
                found = item;
        return found;
    }

    const TermTable& m_terms;
    const ValueFacts& m_values;
    std::unordered_map<std::uint64_t, Nesting> m_known;
};

Nesting nestingOf(const Outcomes& a, const Outcomes& b, const TermTable& terms, const ValueFacts& values)
{
    if (a.structure.isValid() && b.structure.isValid())
        return NestingComparison(terms, values).of(a.structure, b.structure);
    const auto areLeaves = [&](const Outcomes& one) { // the results of an exported program are leaves
        return !one.structure.isValid()
            || std::ranges::all_of(one.outputs, [&](const HeldTerm& held) { return values.isNoContainer(held.value); });
    };
    return areLeaves(a) && areLeaves(b) ? Nesting::other : Nesting::unknown;
}

std::vector<Difference> differentOutputs(const ExplainedSide& sideA, const ExplainedSide& sideB, const TermTable& terms,
                                         const SymbolMapping& mapping)
{
    const Outcomes& a = sideA.outcomes;
    const Outcomes& b = sideB.outcomes;
    constexpr std::string_view kMayBeList = "one program returns a value that may be a list, the other returns separate items";
    const bool isNestedAlike = a.structure.isValid() && b.structure.isValid() ? a.structure == b.structure
                                                                              : a.outputs.size() == b.outputs.size();
    const Nesting nesting = isNestedAlike ? Nesting::same : nestingOf(a, b, terms, ValueFacts(sideA, sideB, terms, mapping));
    if (nesting == Nesting::unknown) // the correspondence of results is unknown
        return {{.output = "the structure of the outputs", .how = std::string(kMayBeList), .isDoubtful = true}};
    std::vector<Difference> found;
    const std::size_t common = std::min(a.outputs.size(), b.outputs.size());
    for (std::size_t i = 0; i < common && found.size() < kMaxDifferences; ++i)
        if (!a.outputs[i].holdsSame(b.outputs[i]))
            found.push_back({"output " + std::to_string(i), a.outputs[i].original, b.outputs[i].original});
    if (a.outputs.size() != b.outputs.size())
        found.push_back({"the number of outputs", {}, {}, counts(a.outputs.size(), b.outputs.size())});
    else if (nesting == Nesting::other)
        found.push_back({"the structure of the outputs", {}, {}, "the programs nest them differently"});
    else if (found.empty() && a.structure.isValid() && b.structure.isValid() && a.structure != b.structure)
        found.push_back({"the structure of the outputs", a.structure, b.structure});
    return found;
}

void addDifferentMemory(const ExplainedSide& a, const ExplainedSide& b, const TermTable& terms, const SymbolMapping& mapping,
                        std::vector<Difference>& differences)
{
    const std::size_t most = differences.size() + kMaxDifferences;
    const auto addUselessWrite = [&](TermId place, const HeldTerm& content, const ExplainedSide& side, Side which) {
        if (!mapping.sharesStorages() && content.value != place && content.holds(place) && differences.size() < most)
            differences.push_back(
                {.output = placeName(place, side, which, mapping, terms) + " after the run",
                 .how = "only one program writes to it; its contents stay equal, but a backward pass may need them unmodified",
                 .isDoubtful = true});
    };
    std::unordered_map<TermId, HeldTerm> second(b.outcomes.memory.begin(), b.outcomes.memory.end());
    for (const auto& [place, content] : a.outcomes.memory) {
        const auto found = second.find(place);
        const HeldTerm other = found != second.end() ? found->second : HeldTerm{place, place};
        if (found != second.end())
            second.erase(found);
        else
            addUselessWrite(place, content, a, Side::a);
        if (!other.holdsSame(content) && differences.size() < most)
            differences.push_back(
                {placeName(place, a, Side::a, mapping, terms) + " after the run", content.original, other.original});
    }
    const auto isNew = [&](TermId place) {
        return mapping.sharesStorages() && terms[place].kind == TermKind::tensor && mapping.isNew(terms[place].head);
    };
    for (const auto& [place, content] : b.outcomes.memory) {
        if (second.contains(place))
            addUselessWrite(place, content, b, Side::b);
        if (second.contains(place) && !content.holds(place) && !isNew(place) && differences.size() < most)
            differences.push_back({placeName(place, b, Side::b, mapping, terms) + " after the run", place, content.original});
    }
}

/// Reports a tensor that is one storage in the first program and several in the second, and is written to.
std::optional<Difference> splitStorage(const ExplainedSide& a, const ExplainedSide& b, const TermTable& terms,
                                       const SymbolMapping& mapping)
{
    for (const ExplainedSide* side : {&a, &b})
        for (const auto& [place, content] : side->outcomes.memory)
            if (terms[place].kind == TermKind::tensor && mapping.isSplit(terms[place].head))
                return Difference{placeName(place, *side, side == &a ? Side::a : Side::b, mapping, terms)
                                      + " after the run (it shares memory in the first program only)",
                                  {},
                                  {}};
    return std::nullopt;
}

/// Returns the numbers of the storages whose contents change during the run.
std::unordered_set<std::uint32_t> writtenStorages(const Outcomes& outcomes, const TermTable& terms)
{
    std::unordered_set<std::uint32_t> written;
    for (const auto& [place, content] : outcomes.memory)
        if (terms[place].kind == TermKind::tensor && !content.holds(place))
            written.insert(terms[place].head);
    return written;
}

/// Reports a tensor that one program writes to and whose counterpart of the same name has different memory.
std::optional<Difference> tensorElsewhere(const ExplainedSide& a, const ExplainedSide& b, const TermTable& terms,
                                          const SymbolMapping& mapping)
{
    if (mapping.elsewhere().empty())
        return std::nullopt;
    const std::unordered_set<std::uint32_t> first = writtenStorages(a.outcomes, terms);
    const std::unordered_set<std::uint32_t> second = writtenStorages(b.outcomes, terms);
    for (const auto& [mine, theirs] : mapping.elsewhere())
        if (first.contains(mapping.storage(Side::a, mine)) || second.contains(mapping.storage(Side::b, theirs)))
            return Difference{"tensor " + a.program.tensors[mine].fqn.str()
                                  + " after the run (it shares memory with different tensors in the two programs)",
                              {},
                              {}};
    return std::nullopt;
}

std::optional<Difference> differentEffects(const Outcomes& a, const Outcomes& b)
{
    if (a.effects != b.effects)
        return Difference{"the order of side effects", a.effects, b.effects};
    if (a.assertions != b.assertions) {
        std::vector<TermId> first;
        std::vector<TermId> second;
        std::ranges::set_difference(a.assertions, b.assertions, std::back_inserter(first));
        std::ranges::set_difference(b.assertions, a.assertions, std::back_inserter(second));
        return Difference{.output = "the set of assertions",
                          .a = first.empty() ? TermId() : first.front(),
                          .b = second.empty() ? TermId() : second.front(),
                          .isDoubtful = true};
    }
    if (a.random != b.random)
        return Difference{"the sequence of random numbers", a.random, b.random};
    if (a.state != b.state || a.gradientState != b.gradientState)
        return Difference{
            "the global state after the run", {}, {}, "one program leaves a setting changed that the other restores"};
    return std::nullopt;
}

} // namespace

std::vector<Difference> findDifferences(const ExplainedSide& a, const ExplainedSide& b, const TermTable& terms,
                                        const SymbolMapping& mapping)
{
    std::vector<Difference> found = differentOutputs(a, b, terms, mapping);
    addDifferentMemory(a, b, terms, mapping, found);
    if (!found.empty())
        return found;
    std::optional<Difference> other = splitStorage(a, b, terms, mapping);
    if (!other)
        other = tensorElsewhere(a, b, terms, mapping);
    if (!other)
        other = differentEffects(a.outcomes, b.outcomes);
    if (other)
        found.push_back(std::move(*other));
    return found;
}

std::string placeName(TermId place, const ExplainedSide& side, Side which, const SymbolMapping& mapping, const TermTable& terms)
{
    const Term& term = terms[place];
    if (term.kind == TermKind::input) {
        std::size_t position = 0;
        for (const NodeId id : side.program.rootGraph().nodes()) {
            if (side.program.rootGraph().node(id).op != Op::placeholder)
                continue;
            const InputSlot& slot = mapping.inputs(which)[position++];
            if (slot.kind == InputSlot::Kind::user && slot.index == term.bits)
                return "input " + side.program.rootGraph().node(id).name.str();
        }
    }
    for (std::size_t i = 0; i < side.program.tensors.size(); ++i)
        if (mapping.tensor(which, TensorId(i)) == place)
            return std::string(name(side.program.tensors[TensorId(i)].role)) + ' ' + side.program.tensors[TensorId(i)].fqn.str();
    return "an attribute";
}

} // namespace sunder
