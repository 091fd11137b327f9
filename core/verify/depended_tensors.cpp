#include "verify/depended_tensors.h"

#include <algorithm>
#include <unordered_map>

namespace sunder {
namespace {

/// Marks terms and all that they are made of.
class Marks {
public:
    explicit Marks(const TermTable& terms) : m_terms(terms), m_marked(terms.size(), false) {}

    void mark(TermId term)
    {
        if (term.isValid())
            m_marked[term.index()] = true;
    }
    void mark(const Outcomes& outcomes)
    {
        for (const TermId term : {outcomes.structure, outcomes.effects, outcomes.random, outcomes.state})
            mark(term);
        for (const HeldTerm& output : outcomes.outputs)
            mark(output.value), mark(output.original);
        for (const auto& [place, content] : outcomes.memory)
            mark(content.value), mark(content.original);
        for (const TermId term : outcomes.assertions)
            mark(term);
    }
    /// Children have smaller ids than their parents.
    void spread()
    {
        for (std::size_t i = m_marked.size(); i-- > 0;)
            if (m_marked[i])
                for (const TermId child : m_terms.children(TermId(i)))
                    m_marked[child.index()] = true;
    }
    [[nodiscard]] bool operator[](TermId term) const { return m_marked[term.index()]; }
    [[nodiscard]] std::size_t size() const { return m_marked.size(); }

private:
    const TermTable& m_terms;
    std::vector<bool> m_marked;
};

/// Of several tensors that lie in one place, the one of this name, else the first.
TensorId named(const std::vector<TensorId>& found, const TensorTable& table, InternedString fqn)
{
    const auto same = std::ranges::find_if(found, [&](TensorId id) { return table[id].fqn == fqn; });
    return same != found.end() ? *same : found.front();
}

using Fields = std::vector<ModuleAttribute>;
using FieldsByPath = std::unordered_map<InternedString, const Fields*>;

/// The fields of leaf modules, as far as the file tells them, by the path that both programs know them by. O(modules).
FieldsByPath fieldsByPath(const Program& program, const Correspondence& correspondence, Side side)
{
    FieldsByPath fields;
    for (std::size_t i = 0; i < program.modules.size(); ++i)
        if (const Module& object = program.modules[program.modules.object(ModuleId(i))]; object.attributes)
            fields.emplace(correspondence.modulePath(side, ModuleId(i)), &*object.attributes);
    return fields;
}

/// The first field that only `some` has, or has with another value.
const ModuleAttribute* otherField(const Fields& some, const Fields& others)
{
    const auto found = std::ranges::find_if(
        some, [&](const ModuleAttribute& field) { return std::ranges::find(others, field) == others.end(); });
    return found != some.end() ? &*found : nullptr;
}

/// A field that only one of two modules has, or that has another value in each; null when there is none.
const ModuleAttribute* differentField(const Fields& a, const Fields& b)
{
    const ModuleAttribute* other = otherField(a, b);
    return other != nullptr ? other : otherField(b, a);
}

} // namespace

DependedTensors dependedTensors(const ExplainedSide& a, const ExplainedSide& b, const TermTable& terms,
                                const Correspondence& correspondence)
{
    Marks reached(terms);
    reached.mark(a.outcomes);
    reached.mark(b.outcomes);
    reached.spread();
    Marks called(terms);
    for (const ExplainedSide* side : {&a, &b})
        for (const TermId result : side->evaluator.results())
            called.mark(result);
    called.spread();

    DependedTensors found;
    std::unordered_map<TermId, std::vector<TensorId>> first;
    for (std::size_t i = 0; i < a.program.tensors.size(); ++i)
        if (const TermId term = correspondence.tensor(Side::a, TensorId(i)); reached[term] || called[term])
            first[term].push_back(TensorId(i));
    for (std::size_t i = 0; i < b.program.tensors.size(); ++i) {
        const TermId term = correspondence.tensor(Side::b, TensorId(i));
        const auto other = first.find(term);
        if (other == first.end() || b.program.tensors.object(TensorId(i)) != TensorId(i))
            continue;
        const TensorPair pair{named(other->second, a.program.tensors, b.program.tensors[TensorId(i)].fqn), TensorId(i)};
        (reached[term] ? found.reached : found.called).push_back(pair);
    }
    const FieldsByPath fieldsInA = fieldsByPath(a.program, correspondence, Side::a);
    const FieldsByPath fieldsInB = fieldsByPath(b.program, correspondence, Side::b);
    for (std::size_t i = 0; i < reached.size(); ++i) {
        const Term& term = terms[TermId(i)];
        if (!reached[TermId(i)])
            continue;
        if (term.kind == TermKind::attribute)
            found.objects.push_back(InternedString::ofId(term.head).str());
        if (term.kind != TermKind::module)
            continue;
        const InternedString path = terms.textOf(terms.children(TermId(i))[0]);
        const auto mine = fieldsInA.find(path);
        const auto theirs = fieldsInB.find(path);
        if (mine == fieldsInA.end() || theirs == fieldsInB.end())
            found.objects.push_back(path.str());
        else if (const ModuleAttribute* other = differentField(*mine->second, *theirs->second);
                 other != nullptr && found.otherModule.empty())
            found.otherModule = "the module " + path.str() + " has another field \"" + other->name.str()
                + "\" in the second program";
    }
    return found;
}

} // namespace sunder
