#include "verify/contents_verdict.h"

#include "verify/verdict_text.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <unordered_map>

namespace sunder {
namespace {

std::string nameOf(const Program& program, TensorId id)
{
    return program.tensors[id].fqn.str();
}

/// Returns the node of the root graph that reads a tensor; invalid if only other graphs read it.
NodeRef readerOf(const Program& program, TensorId tensor)
{
    const InternedString fqn = program.tensors[tensor].fqn;
    std::size_t at = 0;
    for (const NodeId id : program.rootGraph().nodes()) {
        const Node& node = program.rootGraph().node(id);
        const std::size_t input = node.op == Op::placeholder ? at++ : 0;
        const bool isInput = node.op == Op::placeholder && program.signature && input < program.signature->inputs.size()
            && program.signature->inputs[input].target == fqn;
        if (isInput || (node.op == Op::getAttr && node.target == fqn))
            return {program.root, id};
    }
    return {};
}

std::string position(const std::vector<std::uint64_t>& indices)
{
    std::string text;
    for (const std::uint64_t index : indices)
        text += (text.empty() ? "" : ", ") + std::to_string(index);
    return text;
}

void putDifference(const Program& a, const Program& b, const ContentsDifference& found, bool isReached, VerifyReport& report)
{
    const std::string first = nameOf(a, found.pair.a);
    const std::string second = nameOf(b, found.pair.b);
    const std::string what = std::string(name(a.tensors[found.pair.a].role)) + ' ' + first
        + (first == second ? "" : " (" + second + " in the second program)");
    const std::string how = what
        + " has different values: " + (found.position.empty() ? "" : "element [" + position(found.position) + "] is ")
        + found.valueA + " in the first program, " + found.valueB + " in the second";
    report.nodeA = readerOf(a, found.pair.a);
    report.nodeB = readerOf(b, found.pair.b);
    report.nameA = report.nodeA.node.isValid() ? a.node(report.nodeA).name.str() : first;
    report.nameB = report.nodeB.node.isValid() ? b.node(report.nodeB).name.str() : second;
    report.basis = VerdictBasis::none;
    report.verdict = isReached ? Verdict::different : Verdict::undecided;
    report.why = isReached ? how
                           : "the results are equal, but " + how + ", and a call with an unused result reads it and may fail";
}

std::string doubtText(const TakenNames& doubt)
{
    return "the contents of " + doubt.names.front() + (doubt.names.size() > 1 ? " and others" : "") + " may differ: " + doubt.why;
}

void take(ContentsReport& report, std::vector<std::string> names, const std::string& why)
{
    if (names.empty())
        return;
    const auto known = std::ranges::find(report.taken, why, &TakenNames::why);
    if (known == report.taken.end())
        report.taken.push_back({.why = why, .names = std::move(names)});
    else
        std::ranges::move(names, std::back_inserter(known->names));
}

} // namespace

Result<void> settleContents(const Program& a, const Program& b, const TensorDependencies& dependencies,
                            const VerifyOptions& options, VerifyReport& report, ProgressMonitor& monitor)
{
    if (!isProof(report.verdict))
        return {};
    if (options.sharedStorages) {
        report.basis = VerdictBasis::ownMemory;
        return {};
    }
    std::vector<TensorPair> pairs = dependencies.reached;
    std::ranges::copy(dependencies.called, std::back_inserter(pairs));
    report.basis = VerdictBasis::contents;
    const auto isOther = [&](const TensorPair& pair) {
        return a.tensors[a.tensors.object(pair.a)].extra != b.tensors[b.tensors.object(pair.b)].extra;
    };
    if (const auto other = std::ranges::find_if(pairs, isOther); other != pairs.end()) {
        report.basis = VerdictBasis::none;
        report.verdict = Verdict::undecided;
        report.why = "the graphs are equivalent, but the files state different properties of " + nameOf(a, other->a);
        return {};
    }
    if (options.contents != nullptr) {
        SUNDER_TRY(ContentsReport compared, options.contents->compare(a, b, pairs, dependencies.bytes, monitor));
        report.contents = std::move(compared);
    } else {
        std::vector<std::string> names;
        for (const TensorPair& pair : pairs)
            names.push_back(nameOf(a, pair.a));
        take(report.contents, std::move(names), options.whyNames);
    }
    if (report.contents.difference) {
        const TensorPair pair = report.contents.difference->pair;
        const bool isReached = std::ranges::any_of(
            dependencies.reached, [&](const TensorPair& known) { return known.a == pair.a && known.b == pair.b; });
        putDifference(a, b, *report.contents.difference, isReached, report);
        return {};
    }
    std::string doubt = dependencies.doubt;
    for (std::size_t i = 0; i < report.contents.doubts.size() && doubt.empty(); ++i)
        doubt = doubtText(report.contents.doubts[i]);
    if (!doubt.empty()) {
        report.basis = VerdictBasis::none;
        report.verdict = Verdict::undecided;
        report.why = "the graphs are equivalent, but " + doubt;
        return {};
    }
    take(report.contents, dependencies.objects, "the files do not record the fields of these modules");
    if (!report.contents.taken.empty()) {
        report.basis = VerdictBasis::names;
        report.notes.push_back(basisText(report));
    }
    return {};
}

namespace {

/// Marks terms and their operands, transitively.
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

/// Returns the tensor with this name among several at one place; otherwise the first.
TensorId named(const std::vector<TensorId>& found, const TensorTable& table, InternedString fqn)
{
    const auto same = std::ranges::find_if(found, [&](TensorId id) { return table[id].fqn == fqn; });
    return same != found.end() ? *same : found.front();
}

using Fields = std::vector<ModuleAttribute>;

/// Returns the first field of `some` that `others` lacks or that has a different value there.
const ModuleAttribute* otherField(const Fields& some, const Fields& others)
{
    const auto found = std::ranges::find_if(
        some, [&](const ModuleAttribute& field) { return std::ranges::find(others, field) == others.end(); });
    return found != some.end() ? &*found : nullptr;
}

/// Returns a field that only one of two modules has, or that differs; null if there is none.
const ModuleAttribute* differentField(const Fields& a, const Fields& b)
{
    const ModuleAttribute* other = otherField(a, b);
    return other != nullptr ? other : otherField(b, a);
}

/// Compares the facts that two files state about a leaf module and its descendants, except for tensors.
class LeafComparison {
public:
    LeafComparison(const Program& a, const Program& b) : m_a(a.modules), m_b(b.modules) {}

    /// Returns the difference as half a sentence; empty if there is none. Linear in the number of descendants.
    std::string difference(ModuleId a, ModuleId b)
    {
        a = m_a.object(a);
        b = m_b.object(b);
        if (!m_met.emplace(a.index(), b.index()).second)
            return {};
        const Module& mine = m_a[a];
        const Module& theirs = m_b[b];
        const std::string which = "module " + mine.path.str();
        if (mine.cls != theirs.cls)
            return which + " has class " + mine.cls.str() + " in the first program, " + theirs.cls.str() + " in the second";
        if (mine.attributes.has_value() != theirs.attributes.has_value())
            return "only one file records the fields of " + which;
        if (mine.attributes)
            if (const ModuleAttribute* other = differentField(*mine.attributes, *theirs.attributes))
                return "field \"" + other->name.str() + "\" of " + which + " differs";
        if (mine.unknown != theirs.unknown)
            return which + " has hooks or custom code that the files do not record";
        if (mine.recipe != theirs.recipe || mine.extra != theirs.extra)
            return which + " has different or unknown fields in the second program";
        if (mine.children.size() != theirs.children.size())
            return which + " has a different number of submodules in the second program";
        for (const ModuleId child : mine.children) {
            const auto other = std::ranges::find(theirs.children, m_a[child].name, [&](ModuleId id) { return m_b[id].name; });
            if (other == theirs.children.end())
                return which + " has no submodule " + m_a[child].name.str() + " in the second program";
            if (std::string inside = difference(child, *other); !inside.empty())
                return inside;
        }
        return {};
    }

private:
    const ModuleTree& m_a;
    const ModuleTree& m_b;
    std::set<std::pair<std::uint32_t, std::uint32_t>> m_met;
};

using ModulesByPath = std::unordered_map<InternedString, ModuleId>;

/// Returns the modules without graphs by the path that both programs use. O(modules).
ModulesByPath modulesByPath(const Program& program, const SymbolMapping& mapping, Side side)
{
    ModulesByPath modules;
    for (std::size_t i = 0; i < program.modules.size(); ++i)
        if (!program.modules[program.modules.object(ModuleId(i))].graph.isValid())
            modules.emplace(mapping.modulePath(side, ModuleId(i)), ModuleId(i));
    return modules;
}

using ValuesByPath = std::unordered_map<InternedString, const Argument*>;

/// Returns the values of attributes that are neither tensors nor modules, as stated by the file, by the path that both programs
/// use. O(nodes).
ValuesByPath attributeValues(const Program& program, const SymbolMapping& mapping, Side side)
{
    ValuesByPath values;
    const std::vector<ModuleId> owners = readersOfGraphs(program);
    for (std::size_t g = 0; g < program.graphs.size(); ++g) {
        const std::string_view owner = owners[g].isValid() ? program.modules[owners[g]].path.view() : std::string_view();
        for (const NodeId id : program.graphs[g].nodes()) {
            const Node& node = program.graphs[g][id];
            if (node.op == Op::getAttr && node.meta.val)
                values.emplace(mapping.attributePath(side, joinPath(owner, node.target.view())), &*node.meta.val);
        }
    }
    return values;
}

/// Whether a value represents an opaque object, which is equal only in files from the same export.
bool isUnknown(const Argument& value)
{
    const bool isObject = value.is(ArgumentKind::object) || value.is(ArgumentKind::opaque) || value.is(ArgumentKind::unknown);
    return (isObject && value.text().view().find('#') == std::string_view::npos) || std::ranges::any_of(value.items(), isUnknown);
}

/// Returns the reason why an attribute may hold different values in the programs; empty if it cannot.
std::string attributeDoubt(InternedString path, const ValuesByPath& a, const ValuesByPath& b)
{
    const auto mine = a.find(path);
    const auto theirs = b.find(path);
    if (mine == a.end() || theirs == b.end() || isUnknown(*mine->second))
        return "the files do not record the value of attribute " + path.str();
    return *mine->second == *theirs->second ? std::string()
                                            : "attribute " + path.str() + " may have another value in the second program";
}

/// Returns the reason why a call of this function may differ between the programs; empty if it cannot. Local functions have a
/// name, but capture values that no file states.
std::string functionDoubt(InternedString target)
{
    const std::string_view name = target.view();
    const bool isLocal = name.find("<locals>") != std::string_view::npos || name.find("<lambda>") != std::string_view::npos;
    return isLocal ? "the files do not record the behavior of the local function " + target.str() : std::string();
}

} // namespace

static TensorDependencies dependedBy(const Marks& reached, const Marks& called, const Program& a, const Program& b,
                                     const TermTable& terms, const SymbolMapping& mapping)
{
    TensorDependencies found;
    std::unordered_map<TermId, std::vector<TensorId>> first;
    for (std::size_t i = 0; i < a.tensors.size(); ++i)
        if (const TermId term = mapping.tensor(Side::a, TensorId(i)); reached[term] || called[term])
            first[term].push_back(TensorId(i));
    for (std::size_t i = 0; i < b.tensors.size(); ++i) {
        const TermId term = mapping.tensor(Side::b, TensorId(i));
        const auto other = first.find(term);
        if (other == first.end() || b.tensors.object(TensorId(i)) != TensorId(i))
            continue;
        const TensorPair pair{named(other->second, a.tensors, b.tensors[TensorId(i)].fqn), TensorId(i)};
        (reached[term] ? found.reached : found.called).push_back(pair);
    }
    const ModulesByPath modulesInA = modulesByPath(a, mapping, Side::a);
    const ModulesByPath modulesInB = modulesByPath(b, mapping, Side::b);
    const ValuesByPath valuesInA = attributeValues(a, mapping, Side::a);
    const ValuesByPath valuesInB = attributeValues(b, mapping, Side::b);
    LeafComparison leaves(a, b);
    for (std::size_t i = 0; i < reached.size() && found.doubt.empty(); ++i) {
        const Term& term = terms[TermId(i)];
        if (!reached[TermId(i)])
            continue;
        if (term.kind == TermKind::attribute) {
            const InternedString path = InternedString::ofId(term.head);
            found.doubt = attributeDoubt(path, valuesInA, valuesInB);
            if (found.doubt.empty() && valuesInA.at(path)->is(ArgumentKind::tensor))
                found.objects.push_back(path.str()); // the file does not list such a tensor
        }
        const auto constant = static_cast<ArgumentKind>(term.detail);
        if (term.kind == TermKind::constant && (constant == ArgumentKind::function || constant == ArgumentKind::unknown))
            found.doubt = functionDoubt(terms.textOf(TermId(i)));
        if (term.kind != TermKind::module)
            continue;
        const InternedString path = terms.textOf(terms.children(TermId(i))[0]);
        const auto mine = modulesInA.find(path);
        const auto theirs = modulesInB.find(path);
        if (mine == modulesInA.end() || theirs == modulesInB.end())
            continue;
        found.doubt = leaves.difference(mine->second, theirs->second);
        if (!a.modules[a.modules.object(mine->second)].attributes)
            found.objects.push_back(path.str());
    }
    return found;
}

TensorDependencies dependedTensors(const ExplainedSide& a, const ExplainedSide& b, const TermTable& terms,
                                   const SymbolMapping& mapping)
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
    return dependedBy(reached, called, a.program, b.program, terms, mapping);
}

TensorDependencies allTensors(const Program& a, const Program& b, const TermTable& terms, const SymbolMapping& mapping)
{
    Marks all(terms);
    for (std::size_t i = 0; i < terms.size(); ++i)
        all.mark(TermId(i));
    TensorDependencies found = dependedBy(all, all, a, b, terms, mapping);
    found.bytes = ComparedBytes::memories;
    return found;
}

} // namespace sunder
