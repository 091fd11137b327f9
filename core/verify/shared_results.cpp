#include "verify/shared_results.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

namespace sunder {
namespace {

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
