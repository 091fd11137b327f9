#include "verify/difference.h"

#include "verify/value_facts.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

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

/// The memory of the results of one program.
class Results {
public:
    Results(const ExplainedSide& side, bool usesSignature, const TermTable& terms)
        : m_side(side), m_terms(terms), m_stepOf(side.trace.values.size(), kNone)
    {
        for (std::size_t i = 0; i < side.trace.steps.size(); ++i) {
            const Step& step = side.trace.steps[i];
            const std::size_t result = step.result.index();
            const bool isArgument = std::ranges::find(side.trace.at(step.arguments), step.result)
                != side.trace.at(step.arguments).end(); // written in place
            if (m_stepOf[result] == kNone && !isArgument)
                m_stepOf[result] = static_cast<std::uint32_t>(i);
        }
        if (usesSignature)
            collectBySignature();
        else
            collect(side.trace.output);
    }

    [[nodiscard]] std::size_t size() const { return m_values.size(); }

    /// Returns the first result that shares memory with this one; the result itself for constants.
    [[nodiscard]] std::size_t firstWith(std::size_t result) const
    {
        const bool isTensor = m_side.trace.values[m_bases[result].index()].kind == ValueKind::leaf;
        return isTensor ? m_first.at(m_bases[result]) : result;
    }

    /// Returns the input, parameter, buffer, or attribute that a result is a view of; invalid if there is none.
    [[nodiscard]] TermId rootOf(std::size_t result) const
    {
        // If a result is also written to an input or a buffer, running the program returns the input or buffer itself.
        if (const auto written = m_written.find(m_values[result]); written != m_written.end())
            return written->second;
        const TermId term = m_side.trace.values[m_bases[result].index()].term;
        return m_stepOf[m_bases[result].index()] == kNone ? term : TermId();
    }

    /// Returns the tensor that a result was copied into, and whose strides it has; invalid if there is none.
    [[nodiscard]] TermId filledPlace(std::size_t result) const
    {
        const std::uint32_t step = m_stepOf[m_values[result].index()];
        if (step == kNone || m_side.outcomes.outputs.size() != m_values.size())
            return {};
        const TermId place = m_side.evaluator.results()[step];
        const TermId content = m_side.outcomes.outputs[result].value;
        return place == content || m_terms[content].kind == TermKind::read ? TermId() : place;
    }

private:
    static constexpr std::uint32_t kNone = 0xffffffffU;

    /// Collects the results of an exported program, and the values written to inputs and buffers.
    void collectBySignature()
    {
        const Value& output = m_side.trace.values[m_side.trace.output.index()];
        const std::vector<OutputSpec>& specs = m_side.program.signature->outputs;
        if (output.kind != ValueKind::container || output.itemCount != specs.size())
            return;
        for (std::size_t i = 0; i < specs.size(); ++i) {
            const ValueId item = m_side.trace.items(output)[i];
            if (specs[i].kind == OutputKind::user || specs[i].kind == OutputKind::loss || specs[i].kind == OutputKind::gradient)
                collect(item);
            else if (const TermId place = m_side.evaluator.placeOf(specs[i]); place.isValid())
                m_written.emplace(item, place);
        }
    }

    void collect(ValueId id)
    {
        constexpr std::size_t kMaxResults = 100'000;
        const Value& value = m_side.trace.values[id.index()];
        if (value.kind == ValueKind::container) {
            for (const ValueId item : m_side.trace.items(value))
                if (m_values.size() < kMaxResults)
                    collect(item);
            return;
        }
        const ValueId base = baseOf(id);
        m_first.emplace(base, m_values.size());
        m_values.push_back(id);
        m_bases.push_back(base);
    }

    /// Returns the tensor that a value is a view of.
    [[nodiscard]] ValueId baseOf(ValueId id) const
    {
        while (m_side.trace.values[id.index()].kind == ValueKind::leaf && m_stepOf[id.index()] != kNone) {
            const Step& step = m_side.trace.steps[m_stepOf[id.index()]];
            if (step.reading != Reading::firstByLocation || step.arguments.count == 0)
                break;
            const ValueId viewed = m_side.trace.at(step.arguments).front();
            if (viewed.index() >= id.index())
                break;
            id = viewed;
        }
        return id;
    }

    const ExplainedSide& m_side;
    const TermTable& m_terms;
    std::vector<std::uint32_t> m_stepOf; ///< by ValueId: the step that produces it
    std::vector<ValueId> m_values;       ///< leaves of the output, in order
    std::vector<ValueId> m_bases;        ///< the tensor that each is a view of
    std::unordered_map<ValueId, std::size_t> m_first;
    std::unordered_map<ValueId, TermId> m_written; ///< value → the place that the signature writes it to
};

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

std::string sharedOtherwise(const ExplainedSide& a, const ExplainedSide& b, const TermTable& terms, const SymbolMapping& mapping)
{
    const Results first(a, mapping.usesSignature(Side::a), terms);
    const Results second(b, mapping.usesSignature(Side::b), terms);
    if (first.size() != second.size())
        return {}; // different results are reported elsewhere
    for (std::size_t i = 0; i < first.size(); ++i) {
        const std::string result = "output " + std::to_string(i);
        if (first.firstWith(i) != second.firstWith(i))
            return result + " shares memory with another output in only one program, which is visible once either is written to";
        if (first.rootOf(i) != second.rootOf(i))
            return result
                + " shares memory with an input or a tensor of the model in only one program, which is visible once either is written to";
        if (first.filledPlace(i) != second.filledPlace(i))
            return result + " is copied to different tensors in the two programs, whose strides may differ";
    }
    return {};
}

} // namespace sunder
