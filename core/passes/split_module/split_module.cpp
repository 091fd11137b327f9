#include "passes/split_module/split_module.h"

#include "ir/module_tree.h"
#include "ir/program.h"
#include "passes/building/result_program.h"
#include "passes/building/split_assembly.h"
#include "passes/split_module/partition_plan.h"
#include "passes/split_module/split_graphs.h"
#include "support/flat_map.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

// torch.fx's split_module. Unlike tags, partitions need no given order: one pass over the graph finds the values that cross
// between them, and the call order follows from these. Each partition is then built in one go, so that per-node tables of the
// source serve all partitions and the cost is linear. Regions of autocast and grad mode that span several partitions are closed
// and reopened in each. torch follows data edges only: in-place writes may be reordered, and of two modules whose names differ
// only in "." and "_" only the later one is called. Results equal PyTorch's; verification detects those that are not equivalent.

namespace sunder {
namespace {

/// The module tree of a GraphModule that PyTorch creates from a graph and a table of its targets. Names with fewer dots are
/// registered first. Plain modules hold the children of dotted names. A later registration under the same name replaces the
/// earlier one. Parts are nested GraphModules of the same kind.
class RegisteredModules {
public:
    /// A name, and its target in the source.
    using Attribute = std::pair<InternedString, InternedString>;

    /// An object registered under a name of the root.
    struct Entry {
        InternedString name;
        InternedString attribute = {};            ///< target in the source; empty for a part
        GraphId part = {};                        ///< graph of a part
        /// targets of the part's nodes, in order; for duplicate names the last entry applies
        std::span<const Attribute> inside = {};
    };

    /// Registers all targets of the root graph, in node order; for duplicate names the last entry applies.
    void add(std::span<const Entry> entries);
    /// Creates the modules, their tensors and their graphs, depth first. Linear.
    void emit(Program& program, ModuleCarrier& carrier) const;

private:
    struct Slot {
        InternedString name;
        InternedString path = {}; ///< empty if it does not follow from the names
        InternedString attribute = {}; ///< target in the source; empty for a part and for a plain module
        GraphId part = {};
        std::vector<std::uint32_t> children = {};
    };

    void forgetHolder(std::uint32_t slot);
    std::uint32_t place(InternedString path);
    std::uint32_t holder(std::string_view path);
    std::uint32_t child(std::uint32_t parent, InternedString path, std::string_view name);

    std::vector<Slot> m_slots = {Slot{}};
    FlatMap<std::uint32_t> m_byPath;
    std::string_view m_lastPath;    ///< argument of the last call of holder() …
    std::uint32_t m_lastHolder = 0; ///< … and its result
};

constexpr std::uint32_t kNowhere = 0xffffffffU;

/// Returns the entries in PyTorch's registration order, without duplicates; for duplicate names the last entry applies.
template <typename Entry, typename NameOf>
std::vector<Entry> inOrderOfDots(std::span<const Entry> entries, const NameOf& nameOf)
{
    std::vector<Entry> distinct;
    distinct.reserve(entries.size());
    FlatMap<std::uint32_t> placeOf;
    placeOf.reserve(entries.size());
    std::vector<std::vector<std::uint32_t>> ofDots; // indexed by number of dots, which is small
    for (const Entry& entry : entries) {
        if (nameOf(entry).empty()) // the root module
            continue;
        const auto [at, isNew] = placeOf.emplace(nameOf(entry), static_cast<std::uint32_t>(distinct.size()));
        if (!isNew) {
            distinct[at] = entry;
            continue;
        }
        const auto dots = static_cast<std::size_t>(std::ranges::count(nameOf(entry).view(), '.'));
        ofDots.resize(std::max(ofDots.size(), dots + 1));
        ofDots[dots].push_back(at);
        distinct.push_back(entry);
    }
    if (ofDots.size() < 2)
        return distinct;
    std::vector<Entry> sorted;
    sorted.reserve(distinct.size());
    for (const std::vector<std::uint32_t>& places : ofDots)
        for (const std::uint32_t at : places)
            sorted.push_back(distinct[at]);
    return sorted;
}

void RegisteredModules::add(std::span<const Entry> entries)
{
    m_slots.reserve(m_slots.size() + entries.size() + entries.size() / 2);
    m_byPath.reserve(m_slots.capacity());
    for (const Entry& entry : inOrderOfDots(entries, [](const Entry& e) { return e.name; })) {
        const std::uint32_t at = place(entry.name);
        if (at == kNowhere)
            continue;
        m_slots[at].attribute = entry.attribute;
        m_slots[at].part = entry.part;
        forgetHolder(at);
        for (const Attribute& attribute : inOrderOfDots(entry.inside, [](const Attribute& a) { return a.first; })) {
            const std::uint32_t inside = place(internPath(entry.name.view(), attribute.first.view()));
            if (inside == kNowhere)
                continue;
            m_slots[inside].attribute = attribute.second;
            forgetHolder(inside);
        }
    }
}

/// Clears the cached holder if the slot invalidates it. Paths below a copied module have no slot.
void RegisteredModules::forgetHolder(std::uint32_t slot)
{
    if (!m_slots[slot].children.empty() || slot == m_lastHolder) {
        m_lastPath = {};
        m_lastHolder = 0;
    }
}

/// Returns the slot at a path, creating plain modules on the way; kNowhere if the path leads into a copied module.
std::uint32_t RegisteredModules::place(InternedString path)
{
    const std::string_view text = path.view();
    const std::size_t dot = text.rfind('.');
    const std::uint32_t at = dot == std::string_view::npos ? 0 : holder(text.substr(0, dot));
    if (at == kNowhere || !m_slots[at].attribute.empty())
        return kNowhere;
    return child(at, path, text.substr(dot + 1));
}

std::uint32_t RegisteredModules::holder(std::string_view path)
{
    if (path == m_lastPath && m_lastHolder != 0)
        return m_lastHolder;
    std::uint32_t at = 0;
    for (std::size_t start = 0; start <= path.size();) {
        if (!m_slots[at].attribute.empty())
            return kNowhere;
        const std::size_t dot = std::min(path.find('.', start), path.size());
        at = child(at, intern(path.substr(0, dot)), path.substr(start, dot - start));
        start = dot + 1;
    }
    m_lastPath = path;
    m_lastHolder = at;
    return at;
}

std::uint32_t RegisteredModules::child(std::uint32_t parent, InternedString path, std::string_view name)
{
    const auto [at, isNew] = m_byPath.emplace(path, static_cast<std::uint32_t>(m_slots.size()));
    if (isNew) {
        const std::size_t above = parent == 0 ? 0 : m_slots[parent].path.view().size() + 1;
        const bool isKnown = path.view().size() == above + name.size(); // false if a name in the path is empty
        m_slots.push_back({.name = intern(name), .path = isKnown ? path : InternedString()});
        m_slots[parent].children.push_back(at);
    }
    return at;
}

void RegisteredModules::emit(Program& program, ModuleCarrier& carrier) const
{
    static const InternedString kPart = intern("torch.fx.graph_module.GraphModule");
    static const InternedString kPlain = intern("torch.nn.modules.module.Module");
    std::vector<std::pair<std::uint32_t, ModuleId>> todo; ///< (slot, parent in the program)
    const auto open = [&](const Slot& slot, ModuleId at) {
        for (auto next = slot.children.rbegin(); next != slot.children.rend(); ++next)
            todo.emplace_back(*next, at);
    };
    open(m_slots[0], ModuleTree::root());
    while (!todo.empty()) {
        const auto [index, parent] = todo.back();
        todo.pop_back();
        const Slot& slot = m_slots[index];
        if (!slot.attribute.empty()) {
            carrier.carryAttribute(slot.attribute, parent, slot.name, slot.path);
            continue;
        }
        const ModuleId made = program.modules.ensureChild(parent, slot.name, slot.path);
        Module& module = program.modules[made];
        module.cls = slot.part ? kPart : kPlain;
        module.graph = slot.part;
        if (slot.part)
            program.owners[slot.part.index()] = made;
        else
            module.leaf = false;
        open(slot, made);
    }
}

constexpr std::uint32_t kNoPlace = SplitModulePlan::kNone;

class RingFinder {
public:
    RingFinder(const Graph& graph, const SplitModulePlan& plan, const std::vector<std::uint32_t>& missing)
        : m_graph(graph), m_plan(plan), m_missing(missing)
    {
    }

    /// Returns e.g. "add (partition 1) uses relu (partition 0), mul (partition 0) uses add (partition 1)".
    tl::unexpected<Error> fail() const
    {
        const std::vector<std::uint32_t> ring = find();
        std::string text;
        Location where;
        for (std::size_t i = 0; i < std::min(ring.size(), kMaxNamed); ++i) {
            const auto [user, value] = edge(ring[i], ring[(i + 1) % ring.size()]);
            text += (i > 0 ? ", " : "") + nameOf(user) + " uses " + nameOf(value);
            if (i == 0)
                where = {.node = m_graph[user].name.str(), .other = m_graph[value].name.str()};
        }
        if (ring.size() > kMaxNamed)
            text += ", and so on through " + std::to_string(ring.size()) + " partitions";
        return sunder::fail(ErrorCode::refused,
                            "partitions depend on each other in a cycle: " + text
                                + "; put all nodes between them into one partition, or cut elsewhere",
                            std::move(where));
    }

private:
    static constexpr std::size_t kMaxNamed = 6;

    /// Returns partitions that form a cycle: each depends on the next, and the last on the first. Follows dependencies, since a
    /// walk along dependents could leave the cycle; every remaining partition has a remaining dependency.
    [[nodiscard]] std::vector<std::uint32_t> find() const
    {
        std::vector<std::uint32_t> needed(m_plan.size(), kNoPlace);
        std::uint32_t start = kNoPlace;
        for (std::uint32_t from = 0; from < m_plan.size(); ++from) {
            if (m_missing[from] == 0)
                continue;
            start = start == kNoPlace ? from : start;
            for (const std::uint32_t to : m_plan.dependents[from])
                if (needed[to] == kNoPlace)
                    needed[to] = from;
        }
        std::vector<std::uint32_t> path;
        std::vector<char> isOnPath(m_plan.size(), 0);
        for (std::uint32_t at = start; isOnPath[at] == 0; at = needed[at]) {
            isOnPath[at] = 1;
            path.push_back(at);
        }
        path.erase(path.begin(), std::ranges::find(path, needed[path.back()]));
        std::rotate(path.begin(), std::ranges::min_element(path), path.end());
        return path;
    }

    /// Returns a node of `part` and a value of `of` that it uses. If only a symbol crosses, returns the first call of the
    /// partition.
    [[nodiscard]] std::pair<NodeId, NodeId> edge(std::uint32_t part, std::uint32_t of) const
    {
        for (const NodeId call : m_plan.callsOf(part))
            for (const NodeId input : m_graph.inputs(call))
                if (part != of && m_plan.partOf[input.index()] == of && stateSetterOf(m_graph[call]) == StateSetter::none)
                    return {call, input};
        for (const NodeId value : m_plan.inputs[part])
            if (m_plan.partOf[value.index()] == of)
                return {m_plan.callsOf(part).front(), value};
        return {m_plan.callsOf(part).front(), m_plan.callsOf(of).front()};
    }

    [[nodiscard]] std::string nameOf(NodeId id) const
    {
        return m_graph[id].name.str() + " (partition " + m_plan.ids[m_plan.partOf[id.index()]].text.str() + ")";
    }

    const Graph& m_graph;
    const SplitModulePlan& m_plan;
    const std::vector<std::uint32_t>& m_missing;
};

/// Returns the order in which PyTorch's split_module calls the partitions. Partitions without dependencies are pushed to a stack in
/// order of appearance. Each partition popped pushes the dependents for which it was the last missing dependency. Refuses a cycle
/// of partitions, and names its partitions and nodes. O(partitions + dependencies).
Result<std::vector<std::uint32_t>> orderPartitions(const Graph& graph, const SplitModulePlan& plan)
{
    std::vector<std::uint32_t> missing(plan.size(), 0); ///< number of dependencies that are not ordered yet
    for (const std::vector<std::uint32_t>& dependents : plan.dependents)
        for (const std::uint32_t dependent : dependents)
            ++missing[dependent];
    std::vector<std::uint32_t> ready;
    for (std::uint32_t part = 0; part < plan.size(); ++part)
        if (missing[part] == 0)
            ready.push_back(part);
    std::vector<std::uint32_t> order;
    order.reserve(plan.size());
    while (!ready.empty()) {
        const std::uint32_t part = ready.back();
        ready.pop_back();
        order.push_back(part);
        for (const std::uint32_t dependent : plan.dependents[part])
            if (--missing[dependent] == 0)
                ready.push_back(dependent);
    }
    if (order.size() != plan.size())
        return RingFinder(graph, plan, missing).fail();
    return order;
}

std::vector<InternedString> namesOf(const SplitModulePlan& plan, std::span<const std::uint32_t> order,
                                    const SplitModuleOptions& options)
{
    const std::string prefix = options.partitionAffix ? "submod_" + *options.partitionAffix + "_" : "submod_";
    std::vector<InternedString> names;
    for (const std::uint32_t part : order)
        names.push_back(intern(prefix + plan.ids[part].text.str()));
    return names;
}

void addModules(SplitAssembly& split, const SplitModuleGraphs& graphs, std::span<const std::uint32_t> order)
{
    std::vector<RegisteredModules::Entry> entries;
    entries.reserve(graphs.registered().size());
    for (const auto& [name, at] : graphs.registered()) {
        if (at == SplitModuleGraphs::kAttribute)
            entries.push_back({.name = name, .attribute = name});
        else
            entries.push_back({.name = name, .part = split.graphOf(at), .inside = graphs.targets(order[at])});
    }
    RegisteredModules modules;
    modules.add(entries);
    modules.emit(split.program(), split.carrier());
}

void noteNames(SplitAssembly& split, const SplitModuleGraphs& graphs, std::span<const std::uint32_t> order)
{
    std::unordered_map<InternedString, std::size_t> placeOf;
    for (std::size_t i = 0; i < order.size(); ++i) {
        for (const auto& [name, source] : graphs.calledModules(order[i])) {
            const InternedString path = intern(joinPath(split.partNames()[i].view(), name.view()));
            const auto [at, isNew] = placeOf.emplace(path, split.fqnMap().size());
            if (isNew)
                split.fqnMap().emplace_back(source, path);
            else
                split.fqnMap()[at->second].first = source;
        }
    }
}

} // namespace

Result<SplitResult> splitModule(const Program& source, const PartitionAssignment& partitions, const SplitModuleOptions& options,
                                ProgressMonitor& monitor)
{
    SUNDER_TRY(const SplitModulePlan plan, planPartitions(source.rootGraph(), partitions, monitor));
    SUNDER_PROPAGATE(checkTargets(source, plan.targeting));
    SUNDER_TRY(std::vector<std::uint32_t> order, orderPartitions(source.rootGraph(), plan));
    if (options.keepOriginalOrder)
        std::iota(order.begin(), order.end(), 0U);
    const auto naming = options.keepOriginalNodeNames ? SubgraphBuilder::Naming::unique : SubgraphBuilder::Naming::fromTarget;
    SplitAssembly split(source, {.naming = naming, .returnsTuple = options.tupleReturn}, namesOf(plan, order, options));
    SplitModuleGraphs graphs(source, plan, options, split);
    SUNDER_PROPAGATE(
        split.buildParts([&](std::size_t place, StepMonitor& steps) { return graphs.buildPart(order[place], steps); }, monitor));
    SUNDER_PROPAGATE(graphs.buildBase(order));
    noteNames(split, graphs, order);
    SUNDER_TRY(SplitResult result, split.finish([&] { addModules(split, graphs, order); }, monitor));
    result.numbersInputs = options.dropOriginalInputNames;
    return result;
}

} // namespace sunder
