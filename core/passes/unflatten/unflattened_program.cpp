#include "passes/unflatten/unflattened_program.h"

#include "ir/graph_values.h"
#include "ir/module_tree.h"
#include "ir/program.h"
#include "passes/building/module_carrier.h"
#include "passes/building/result_program.h"
#include "passes/unflatten/flat_tensors.h"
#include "passes/unflatten/shared_memory.h"
#include "support/flat_map.h"
#include "support/number_set.h"
#include "support/progress_monitor.h"
#include "verify/symbol_mapping.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace sunder {
namespace {

/// Writes the tensors of modules into a program. Tensors of a group are one object with several names. Where PyTorch copies one of
/// several views of a memory, the copy gets new memory, at offset 0.
class TensorWriter {
public:
    TensorWriter(const Program& flat, const TensorGroups& tensors, Program& target);

    /// Writes the tensors of a module at `path`: parameters, buffers, constants.
    void write(const std::vector<AssignedTensor>& tensors, std::string_view path);

private:
    struct Written {
        TensorId entry;
        bool persistent = true;
    };

    void write(const AssignedTensor& tensor, std::string_view path);
    [[nodiscard]] InternedString fqnOf(const AssignedTensor& tensor, std::string_view path) const;
    TensorEntry described(const TensorGroups::Group& group, InternedString fqn);
    StorageId storageFor(StorageId source, const TensorGroups::Group& group, TensorMeta& meta, InternedString fqn);
    StorageId copied(StorageId source);

    const Program& m_flat;
    const TensorGroups& m_tensors;
    Program& m_target;
    std::vector<std::optional<Written>> m_written; ///< per group
    std::vector<StorageId> m_storageOf; ///< per storage of the source: its counterpart in the target
    std::vector<char> m_isOwned; ///< per storage of the source: a copied tensor owns it
    std::vector<char> m_isShared; ///< per storage of the source: shared by overlapping tensors
    FlatMap<TensorGroupId> m_firstGroup; ///< by fqn
    NumberSet m_again; ///< (group, fqn) for further groups with a name
};

/// Describes the bytes of the memory `from` that a tensor in it occupies, if known.
void copyPiece(const Storage& from, const TensorMeta& tensor, Storage& own)
{
    const auto [first, end] = extentOf(tensor);
    const std::optional<std::uint64_t> size = elementSize(tensor.dtype.view());
    std::uint64_t begin = 0;
    std::uint64_t length = 0;
    if (from.record.empty() || !size || first < 0 || end < first || end == std::numeric_limits<std::int64_t>::max()
        || __builtin_mul_overflow(static_cast<std::uint64_t>(first), *size, &begin)
        || __builtin_mul_overflow(static_cast<std::uint64_t>(end - first), *size, &length))
        return;
    if (own.byteCount != 0U)
        own.byteCount = length;
    own.copyOf = CopiedPiece{from.file, from.record, begin, from.placeExtra};
}

TensorWriter::TensorWriter(const Program& flat, const TensorGroups& tensors, Program& target)
    : m_flat(flat), m_tensors(tensors), m_target(target), m_written(tensors.groups.size()),
      m_storageOf(flat.tensors.storageCount()), m_isOwned(flat.tensors.storageCount()), m_isShared(flat.tensors.storageCount())
{
    m_firstGroup.reserve(flat.tensors.size());
    for (const TensorGroups::Group& group : tensors.groups)
        if (group.shares)
            m_isShared[flat.tensors[flat.tensors.object(group.source)].storage.index()] = 1;
}

void TensorWriter::write(const std::vector<AssignedTensor>& tensors, std::string_view path)
{
    for (const TensorRole role : {TensorRole::parameter, TensorRole::buffer, TensorRole::constant})
        for (const AssignedTensor& tensor : tensors)
            if (tensor.role == role)
                write(tensor, path);
}

void TensorWriter::write(const AssignedTensor& tensor, std::string_view path)
{
    const InternedString fqn = fqnOf(tensor, path);
    const auto [first, isNew] = m_firstGroup.emplace(fqn, tensor.group);
    if (!isNew && (first == tensor.group || !m_again.insert(static_cast<std::uint64_t>(tensor.group.index()) << 32U | fqn.id())))
        return;
    std::optional<Written>& written = m_written[tensor.group.index()];
    if (written) {
        TensorEntry entry{.fqn = fqn, .role = tensor.role, .same = written->entry, .persistent = {}};
        if (tensor.persistent != written->persistent)
            entry.persistent = tensor.persistent;
        m_target.tensors.add(std::move(entry));
        return;
    }
    TensorEntry entry = described(m_tensors.groups[tensor.group.index()], fqn);
    entry.role = tensor.role;
    entry.persistent = tensor.persistent;
    written = Written{m_target.tensors.add(std::move(entry)), tensor.persistent};
}

/// Fast path: most tensors keep their name, which avoids interning it again.
InternedString TensorWriter::fqnOf(const AssignedTensor& tensor, std::string_view path) const
{
    const std::string_view name = tensor.name.view();
    if (const TensorId source = m_tensors.groups[tensor.group.index()].source; source && !path.empty()) {
        const InternedString known = m_flat.tensors[source].fqn;
        const std::string_view text = known.view();
        if (text.size() == path.size() + 1 + name.size() && text[path.size()] == '.' && text.starts_with(path)
            && text.ends_with(name))
            return known;
    }
    return internPath(path, name);
}

TensorEntry TensorWriter::described(const TensorGroups::Group& group, InternedString fqn)
{
    TensorEntry entry{.fqn = fqn, .persistent = {}};
    if (!group.source) {
        entry.meta = m_flat.rootGraph().node(group.value).meta.val->asTensor();
        entry.meta.storage = {};
        entry.meta.requiresGrad = false;
        if (!hasKnownStorages(m_flat.tensors))
            return entry;
        entry.storage = m_target.tensors.addStorage({.id = intern("made:" + fqn.str()), .byteCount = byteSize(entry.meta)});
        entry.meta.storage = m_target.tensors[entry.storage].id;
        entry.meta.offset = Argument::integer(0);
        return entry;
    }
    const TensorEntry& source = m_flat.tensors[m_flat.tensors.object(group.source)];
    entry.meta = source.meta;
    entry.extra = source.extra;
    // torch.export.load() lets a buffer require gradients if it shares memory with a parameter. A buffer that occupies exactly
    // the memory of a parameter is loaded as that parameter.
    if (source.role == TensorRole::buffer && group.isParameter)
        entry.meta.requiresGrad = false;
    if (source.storage) {
        entry.storage = storageFor(source.storage, group, entry.meta, fqn);
        entry.meta.storage = m_target.tensors[entry.storage].id;
    }
    return entry;
}

StorageId TensorWriter::copied(StorageId source)
{
    StorageId& target = m_storageOf[source.index()];
    if (!target)
        target = m_target.tensors.addStorage(m_flat.tensors[source]);
    return target;
}

/// The first copy that starts at the start of a memory keeps the memory's id, and thereby the location of its data. So do tensors
/// that PyTorch does not copy.
StorageId TensorWriter::storageFor(StorageId source, const TensorGroups::Group& group, TensorMeta& meta, InternedString fqn)
{
    const Argument zero = Argument::integer(0);
    if (group.shares || (!group.copied && !m_isOwned[source.index()]))
        return copied(source);
    if (group.copied && !m_isShared[source.index()] && meta.offset.value_or(zero) == zero && !m_storageOf[source.index()]) {
        m_isOwned[source.index()] = 1;
        return copied(source);
    }
    // New memory, filled from its source.
    if (Storage own = m_flat.tensors[source]; !own.record.empty() && (!group.copied || meta.offset.value_or(zero) == zero)) {
        own.id = intern(own.id.str() + ":" + fqn.str());
        return m_target.tensors.addStorage(std::move(own));
    }
    Storage own{.id = intern(m_flat.tensors[source].id.str() + ":" + fqn.str()), .byteCount = byteSize(meta)};
    if (group.copied) {
        copyPiece(m_flat.tensors[source], meta, own);
        meta.offset = zero;
    }
    return m_target.tensors.addStorage(std::move(own));
}

constexpr std::string_view kInterpreter = "torch.export.unflatten.InterpreterModule";
constexpr std::string_view kDispatcher = "torch.export.unflatten.InterpreterModuleDispatcher";
constexpr std::string_view kRoot = "torch.export.unflatten.UnflattenedModule";
constexpr std::string_view kPlain = "torch.nn.modules.module.Module";

/// Returns the nesting of the program's inputs and outputs; their nodes in the flat graph no longer exist.
ModuleCall nestingOfWhole(const Program& source)
{
    ModuleCall whole = source.calls.front();
    whole.inputs = {};
    whole.outputs = {};
    return whole;
}

class Writer {
public:
    Writer(const Program& source, const Program& flat, std::span<const ReplacedNode> replaced, Outline& outline,
           const TensorGroups& tensors, UnflattenResult& result, ProgressMonitor& monitor)
        : m_source(source), m_flat(flat), m_replaced(replaced), m_outline(outline), m_result(result), m_program(result.program),
          m_carrier(flat, result.program, result.map), m_tensors(flat, tensors, result.program), m_monitor(monitor),
          m_steps(monitor), m_moduleOf(outline.objects.size()), m_graphOf(outline.objects.graphCount())
    {
    }

    Result<void> run(const std::vector<std::uint32_t>& merged)
    {
        m_program.origin = resultOrigin(m_source);
        m_program.operators = m_source.operators;
        m_program.fileHints = m_source.fileHints;
        m_program.stacks = m_flat.stacks;
        m_program.modules.reserve(m_outline.objects.size());
        m_program.graphs.reserve(m_graphOf.size());
        m_program.owners.reserve(m_graphOf.size());
        m_program.ranges = m_source.ranges;
        m_program.tags = m_source.tags;
        m_program.calls = {nestingOfWhole(m_source)};
        m_result.map.reserve(m_outline.pairs.size());
        SUNDER_PROPAGATE(writeModules());
        SUNDER_PROPAGATE(m_monitor.check());
        moveGraphs();
        m_carrier.finish();
        SUNDER_PROPAGATE(writeMap(merged));
        SUNDER_PROPAGATE(m_monitor.check());
        m_result.map.finish();
        return {};
    }

private:
    struct Visit {
        ObjectId object;
        ModuleId module;
        std::size_t next;
    };

    Result<void> writeModules()
    {
        std::vector<Visit> stack = {{ModuleObjects::root(), ModuleTree::root(), 0}};
        begin(ModuleObjects::root(), ModuleTree::root());
        while (!stack.empty()) {
            SUNDER_PROPAGATE(m_steps.step());
            Visit& top = stack.back();
            const std::vector<ChildTable::Child>& children = m_outline.objects.table(top.object).entries();
            if (top.next == children.size()) {
                stack.pop_back();
                continue;
            }
            const ChildTable::Child child = children[top.next++];
            if (!child.object)
                continue;
            const ModuleId parent = top.module;
            if (const ModuleId known = m_moduleOf[child.object.index()]; known) {
                const ModuleId alias = m_program.modules.ensureChild(parent, child.name);
                m_program.modules[alias].same = known;
                continue;
            }
            if (m_outline.objects[child.object].kind == ModuleObject::Kind::carried) {
                m_carrier.carryAttribute(m_outline.objects[child.object].carried, parent, child.name);
                m_moduleOf[child.object.index()] = m_program.modules.object(m_program.modules.ensureChild(parent, child.name));
                continue;
            }
            const ModuleId module = m_program.modules.ensureChild(parent, child.name);
            begin(child.object, module);
            stack.push_back({child.object, module, 0});
        }
        return {};
    }

    void begin(ObjectId id, ModuleId module)
    {
        m_moduleOf[id.index()] = module;
        const ModuleObject& object = m_outline.objects[id];
        const InternedString path = m_program.modules[module].path;
        if (object.kind == ModuleObject::Kind::dispatcher)
            return beginDispatcher(object, module, path);
        const bool isRoot = id == ModuleObjects::root();
        const bool plain = object.kind == ModuleObject::Kind::plain;
        m_program.modules[module].cls = intern(isRoot ? kRoot : plain ? kPlain : kInterpreter);
        if (plain)
            m_program.modules[module].leaf = false;
        m_tensors.write(object.tensors, path.view());
        if (!object.graph)
            return;
        GraphId& graph = m_graphOf[object.graph.index()];
        if (!graph) {
            graph = m_program.addGraph(module);
        } else { // also run by a dispatcher
            m_program.modules[module].graph = graph;
            m_program.owners[graph.index()] = module;
        }
    }

    void beginDispatcher(const ModuleObject& object, ModuleId module, InternedString path)
    {
        m_program.modules[module].cls = intern(kDispatcher);
        std::vector<GraphId> calls;
        for (const ObjectId call : object.calls) {
            GraphId& graph = m_graphOf[m_outline.objects[call].graph.index()];
            if (!graph)
                graph = m_program.addGraph({});
            calls.push_back(graph);
            m_tensors.write(m_outline.objects[call].tensors, path.view());
        }
        m_program.modules[module].calls = std::move(calls);
    }

    void moveGraphs()
    {
        const bool mayHoldGraphs = std::any_of(m_flat.owners.begin(), m_flat.owners.end(), [](ModuleId owner) { return !owner; });
        for (std::size_t i = 0; i < m_graphOf.size(); ++i) {
            Graph& graph = m_outline.objects.graph(ObjectGraphId(i));
            if (!m_graphOf[i])
                continue;
            if (mayHoldGraphs)
                renumberGraphs(graph, [this](GraphId source) { return m_carrier.carryGraph(source); });
            m_program.graph(m_graphOf[i]) = std::move(graph);
        }
    }

    /// Nodes of merged calls map to those of the remaining call, by position.
    Result<void> writeMap(const std::vector<std::uint32_t>& merged)
    {
        std::vector<ObjectGraphId> keptFor(m_graphOf.size());
        for (std::size_t i = 0; i < merged.size(); ++i)
            keptFor[m_outline.objects[m_outline.calls[i].object].graph.index()] =
                m_outline.objects[m_outline.calls[merged[i]].object].graph;
        std::vector<std::vector<std::uint32_t>> positions(m_graphOf.size());
        std::vector<std::vector<NodeId>> orders(m_graphOf.size());
        const NodeId bound(m_source.rootGraph().idBound());
        std::unordered_map<NodeId, NodeId> originals;
        for (const ReplacedNode& node : m_replaced)
            originals.emplace(node.made, node.original);
        for (const OutlinePair& pair : m_outline.pairs) {
            SUNDER_PROPAGATE(m_steps.step());
            const std::uint32_t graph = pair.graph.index();
            const NodeId read = m_outline.sunk[graph].find(pair.node);
            NodeId node = read ? read : pair.node;
            GraphId target = m_graphOf[graph];
            if (!target && keptFor[graph] && keptFor[graph] != pair.graph) {
                const Graph& dropped = m_outline.objects.graph(pair.graph);
                if (dropped.node(node).isErased())
                    continue;
                if (positions[graph].empty())
                    positions[graph] = dropped.positions();
                target = m_graphOf[keptFor[graph].index()];
                std::vector<NodeId>& order = orders[keptFor[graph].index()];
                if (target && order.empty())
                    order = m_program.graph(target).order();
                node = target ? order[positions[graph][node.index()]] : node;
            }
            const auto original = pair.flat < bound ? originals.end() : originals.find(pair.flat);
            const NodeId from = original != originals.end() ? original->second : pair.flat;
            if (target && from < bound && !m_program.graph(target).node(node).isErased())
                m_result.map.add({m_source.root, from}, {target, node}, pair.created || read.isValid());
        }
        return {};
    }

    const Program& m_source;
    const Program& m_flat;
    std::span<const ReplacedNode> m_replaced;
    Outline& m_outline;
    UnflattenResult& m_result;
    Program& m_program;
    ModuleCarrier m_carrier;
    TensorWriter m_tensors;
    ProgressMonitor& m_monitor;
    StepMonitor m_steps;
    std::vector<ModuleId> m_moduleOf; ///< per object: its first module in the program
    std::vector<GraphId> m_graphOf; ///< per object graph; invalid: not part of the result
};

} // namespace

Result<void> writeProgram(const Program& source, const Program& flat, std::span<const ReplacedNode> replaced, Outline& outline,
                          const TensorGroups& tensors, const std::vector<std::uint32_t>& merged, UnflattenResult& result,
                          ProgressMonitor& monitor)
{
    return Writer(source, flat, replaced, outline, tensors, result, monitor).run(merged);
}

} // namespace sunder
