#include "passes/building/module_carrier.h"

#include "ir/graph_values.h"
#include "ir/module_tree.h"
#include "ir/program.h"
#include "support/flat_map.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace sunder {

/// The module tree that PyTorch builds below a GraphModule for the targets of its graph. Called modules are included with
/// everything below them; read attributes are placed in plain modules along their path. Children are in the order of the targets.
class TargetPaths {
public:
    /// A module of the source, or a plain module that holds its children.
    struct Branch {
        InternedString name;
        ModuleId carried = {}; ///< module of the source, including everything below it
        std::vector<std::uint32_t> children = {}; ///< indices of branches
        std::vector<std::pair<InternedString, TensorId>> tensors = {}; ///< path in the tree, and the tensor of the source
    };

    /// `holders`: per tensor of the source, the module at the parent path of its name; invalid if there is none.
    TargetPaths(const Program& source, std::span<const ModuleId> holders);

    /// Adds a target, to be placed at `path`. A target unknown to the source is a plain attribute and contributes only its path.
    /// O(length of the path), or O(depth) for a tensor in a known module, whose text is not scanned.
    void add(InternedString target, InternedString path);
    /// Branch 0 is the root of the tree.
    [[nodiscard]] const Branch& operator[](std::uint32_t at) const { return m_branches[at]; }

private:
    [[nodiscard]] std::uint32_t holder(std::string_view path);
    [[nodiscard]] std::uint32_t holder(ModuleId module);
    std::uint32_t child(std::uint32_t parent, InternedString path, InternedString name);

    const Program& m_source;
    std::span<const ModuleId> m_holders;
    std::vector<Branch> m_branches;
    FlatMap<std::uint32_t> m_byPath;
    InternedSet m_done;
    std::vector<ModuleId> m_way; ///< scratch: path from a module up to the root
    ModuleId m_lastModule; ///< argument of the last call of holder() …
    std::uint32_t m_lastHolder = 0; ///< … and its result
};

TargetPaths::TargetPaths(const Program& source, std::span<const ModuleId> holders) : m_source(source), m_holders(holders)
{
    m_branches.push_back({.name = {}});
}

void TargetPaths::add(InternedString target, InternedString path)
{
    if (target.empty() || !m_done.insert(target))
        return;
    const TensorId named = m_source.tensors.find(target);
    if (named && m_holders[named.index()]) {
        const std::uint32_t at = holder(m_holders[named.index()]);
        if (!m_branches[at].carried)
            m_branches[at].tensors.emplace_back(path, named);
        return;
    }
    const std::string_view text = target.view();
    const std::size_t dot = text.rfind('.');
    const std::uint32_t at = holder(text.substr(0, dot == std::string_view::npos ? 0 : dot));
    if (m_branches[at].carried)
        return;
    if (const TensorId tensor = m_source.tensorAt(target); tensor) {
        m_branches[at].tensors.emplace_back(path, tensor);
    } else if (const ModuleId module = m_source.modules.resolve(text); module) {
        Branch& branch = m_branches[child(at, target, intern(text.substr(dot + 1)))];
        branch.carried = module;
        branch.children.clear();
        branch.tensors.clear();
        m_lastModule = {};
    }
}

/// Returns the plain module at a path, created on demand, or the carried module that contains the path.
std::uint32_t TargetPaths::holder(std::string_view path)
{
    std::uint32_t at = 0;
    for (std::size_t start = 0; start < path.size() && !m_branches[at].carried;) {
        const std::size_t dot = std::min(path.find('.', start), path.size());
        at = child(at, intern(path.substr(0, dot)), intern(path.substr(start, dot - start)));
        start = dot + 1;
    }
    return at;
}

/// As above, for the path of a source module.
std::uint32_t TargetPaths::holder(ModuleId module)
{
    if (module == m_lastModule)
        return m_lastHolder;
    const ModuleTree& modules = m_source.modules;
    m_way.clear();
    bool areNamesPlain = true;
    for (ModuleId up = module; up != ModuleTree::root(); up = modules[up].parent) {
        m_way.push_back(up);
        areNamesPlain = areNamesPlain && modules[up].name.view().find('.') == std::string_view::npos;
    }
    std::uint32_t at = 0;
    if (areNamesPlain) {
        for (auto next = m_way.rbegin(); next != m_way.rend() && !m_branches[at].carried; ++next)
            at = child(at, modules[*next].path, modules[*next].name);
    } else {
        at = holder(modules[module].path.view());
    }
    m_lastModule = module;
    m_lastHolder = at;
    return at;
}

std::uint32_t TargetPaths::child(std::uint32_t parent, InternedString path, InternedString name)
{
    const auto [at, isNew] = m_byPath.emplace(path, static_cast<std::uint32_t>(m_branches.size()));
    if (isNew) {
        m_branches.push_back({.name = name});
        m_branches[parent].children.push_back(at);
    }
    return at;
}

/// A branch or a source module that has yet to be added to the target.
struct ModuleCarrier::Pending {
    ModuleId parent; ///< in the target
    InternedString name;
    ModuleId module = {}; ///< of the source; if invalid, `branch` is used
    std::uint32_t branch = 0;
};

ModuleCarrier::ModuleCarrier(const Program& source, Program& target, IdentityMap& map)
    : m_source(source), m_target(target), m_map(map), m_moduleOf(source.modules.size()), m_tensorOf(source.tensors.size()),
      m_storageOf(source.tensors.storageCount()), m_graphOf(source.graphs.size())
{
    target.modules.reserve(source.modules.size());
    target.tensors.reserve(source.tensors.size(), source.tensors.storageCount());
    indexTensors();
}

/// Collects the tensors owned by each module object, in table order. Tensors named below an alias are duplicates of these.
void ModuleCarrier::indexTensors()
{
    m_holders.resize(m_source.tensors.size());
    m_tensorsBegin.assign(m_source.modules.size() + 1, 0);
    std::string_view lastPath;
    ModuleId lastOwner = ModuleTree::root();
    for (std::size_t i = 0; i < m_holders.size(); ++i) {
        const std::string_view fqn = m_source.tensors[TensorId(i)].fqn.view();
        const std::size_t dot = fqn.rfind('.');
        const std::string_view path = fqn.substr(0, dot == std::string_view::npos ? 0 : dot);
        if (path != lastPath) {
            lastPath = path;
            // Tensors are usually stored in module order, which avoids interning each path.
            const ModuleId next(lastOwner ? lastOwner.index() + 1 : 0U);
            const bool isNext = next.index() < m_source.modules.size() && m_source.modules[next].path.view() == path;
            lastOwner = isNext ? next : m_source.modules.find(intern(path));
        }
        m_holders[i] = lastOwner;
        if (lastOwner)
            ++m_tensorsBegin[lastOwner.index() + 1];
    }
    for (std::size_t i = 1; i < m_tensorsBegin.size(); ++i)
        m_tensorsBegin[i] += m_tensorsBegin[i - 1];
    m_tensorsByModule.resize(m_tensorsBegin.back());
    std::vector<std::uint32_t> next(m_tensorsBegin.begin(), m_tensorsBegin.end() - 1);
    for (std::size_t i = 0; i < m_holders.size(); ++i)
        if (m_holders[i])
            m_tensorsByModule[next[m_holders[i].index()]++] = TensorId(i);
}

void ModuleCarrier::carryAllTensors()
{
    for (std::size_t i = 0; i < m_source.tensors.size(); ++i) {
        TensorEntry entry = m_source.tensors[TensorId(i)];
        const TensorId object = m_source.tensors.object(TensorId(i));
        if (entry.storage)
            entry.storage = carryStorage(entry.storage);
        if (entry.same)
            entry.same = m_tensorOf[object.index()];
        const TensorId added = m_target.tensors.add(std::move(entry));
        if (!m_tensorOf[object.index()])
            m_tensorOf[object.index()] = added;
    }
}

void ModuleCarrier::carryAttribute(InternedString target, ModuleId owner, InternedString name, InternedString path)
{
    if (const TensorId tensor = m_source.tensorAt(target); tensor) {
        emitTensor(tensor, path.empty() ? pathBelow(owner, name.view()) : path, true);
        return;
    }
    const ModuleId module = m_source.modules.resolve(target.view());
    if (!module)
        return;
    std::vector<Pending> todo = {{owner, name, module}};
    while (!todo.empty()) {
        const Pending next = todo.back();
        todo.pop_back();
        emitModule(next.module, next.parent, next.name, todo);
    }
}

void ModuleCarrier::carryTargets(const Graph& graph, ModuleId owner)
{
    std::vector<InternedString> targets;
    std::vector<InternedString> paths;
    for (const NodeId id : graph.nodes()) {
        const Node& node = graph.node(id);
        if (node.op != Op::callModule && node.op != Op::getAttr)
            continue;
        targets.push_back(node.target);
        paths.push_back(pathBelow(owner, node.target.view()));
    }
    carryTargets(targets, paths, owner);
}

void ModuleCarrier::carryTargets(std::span<const InternedString> targets, std::span<const InternedString> paths, ModuleId owner)
{
    TargetPaths tree(m_source, m_holders);
    for (std::size_t i = 0; i < targets.size(); ++i)
        tree.add(targets[i], paths[i]);
    emit(tree, owner);
}

/// Emits depth first, so that an alias always follows the module that it refers to.
void ModuleCarrier::emit(const TargetPaths& paths, ModuleId owner)
{
    std::vector<Pending> todo;
    const auto open = [&](const TargetPaths::Branch& branch, ModuleId at) {
        for (const auto& [path, tensor] : branch.tensors)
            emitTensor(tensor, path, true);
        for (auto child = branch.children.rbegin(); child != branch.children.rend(); ++child)
            todo.push_back({at, paths[*child].name, paths[*child].carried, *child});
    };
    static const InternedString kPlain = intern("torch.nn.modules.module.Module");
    open(paths[0], owner);
    while (!todo.empty()) {
        const Pending next = todo.back();
        todo.pop_back();
        if (next.module) {
            emitModule(next.module, next.parent, next.name, todo);
            continue;
        }
        const ModuleId holder = m_target.modules.ensureChild(next.parent, next.name);
        m_target.modules[holder].cls = kPlain;
        m_target.modules[holder].leaf = false;
        open(paths[next.branch], holder);
    }
}

void ModuleCarrier::emitModule(ModuleId source, ModuleId parent, InternedString name, std::vector<Pending>& todo)
{
    const ModuleId object = m_source.modules.object(source);
    const ModuleId added = m_target.modules.ensureChild(parent, name);
    if (m_moduleOf[object.index()]) {
        m_target.modules[added].same = m_moduleOf[object.index()];
        return;
    }
    m_moduleOf[object.index()] = added;
    const Module& from = m_source.modules[object];
    Module& to = m_target.modules[added];
    to.cls = from.cls;
    to.leaf = from.leaf;
    to.attributes = from.attributes;
    to.implied = from.implied;
    to.recipe = from.recipe;
    to.unknown = from.unknown;
    to.extra = from.extra;
    for (std::uint32_t i = m_tensorsBegin[object.index()]; i < m_tensorsBegin[object.index() + 1]; ++i) {
        const std::string_view fqn = m_source.tensors[m_tensorsByModule[i]].fqn.view();
        emitTensor(m_tensorsByModule[i], pathBelow(added, fqn.substr(fqn.rfind('.') + 1)), false);
    }
    if (from.graph)
        m_target.modules[added].graph = carryGraph(from.graph, added);
    if (from.calls) {
        std::vector<GraphId> calls;
        for (const GraphId graph : *from.calls)
            calls.push_back(carryGraph(graph));
        m_target.modules[added].calls = std::move(calls);
    }
    for (auto child = from.children.rbegin(); child != from.children.rend(); ++child)
        todo.push_back({added, m_source.modules[*child].name, *child});
}

void ModuleCarrier::emitTensor(TensorId source, InternedString fqn, bool asAttribute)
{
    const TensorId object = m_source.tensors.object(source);
    const TensorEntry& facts = m_source.tensors[object];
    TensorEntry entry{.fqn = fqn, .role = m_source.tensors[source].role, .persistent = m_source.tensors[source].persistent};
    if (!entry.persistent)
        entry.persistent = facts.persistent;
    if (asAttribute && entry.role != TensorRole::parameter) {
        entry.role = TensorRole::buffer;
        entry.persistent = true;
    }
    if (m_tensorOf[object.index()]) {
        entry.same = m_tensorOf[object.index()];
        m_target.tensors.add(std::move(entry));
        return;
    }
    entry.meta = facts.meta;
    entry.extra = facts.extra;
    if (facts.storage)
        entry.storage = carryStorage(facts.storage);
    m_tensorOf[object.index()] = m_target.tensors.add(std::move(entry));
}

InternedString ModuleCarrier::pathBelow(ModuleId owner, std::string_view name) const
{
    return internPath(m_target.modules[owner].path.view(), name);
}

StorageId ModuleCarrier::carryStorage(StorageId source)
{
    StorageId& carried = m_storageOf[source.index()];
    if (!carried)
        carried = m_target.tensors.addStorage(m_source.tensors[source]);
    return carried;
}

GraphId ModuleCarrier::carryGraph(GraphId source, ModuleId owner)
{
    if (m_graphOf[source.index()])
        return m_graphOf[source.index()];
    const GraphId added(m_target.graphs.size());
    m_target.graphs.push_back(m_source.graph(source));
    m_target.owners.push_back(owner);
    m_graphOf[source.index()] = added;
    m_carried.push_back(added);
    for (const NodeId id : m_source.graph(source).nodes())
        m_map.add({source, id}, {added, id});
    return added;
}

void ModuleCarrier::finish()
{
    for (std::size_t next = 0; next < m_carried.size(); ++next) {
        Graph graph = std::move(m_target.graph(m_carried[next])); // adding graphs may reallocate the table
        renumberGraphs(graph, [this](GraphId source) { return carryGraph(source); });
        m_target.graph(m_carried[next]) = std::move(graph);
    }
}

} // namespace sunder
