#include "analysis/sizes.h"

#include "analysis/run_order/call_effects.h"
#include "ir/getitem.h"
#include "ir/value_kind.h"
#include "support/flat_map.h"
#include "support/progress_monitor.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace sunder {
namespace {

constexpr std::uint32_t kNoSlot = 0xffffffffU;

/// Returns the module that holds a tensor: the longest prefix of its name that is a path in the tree.
ModuleId holderOf(const ModuleTree& modules, std::string_view fqn)
{
    std::string_view prefix = fqn;
    while (!prefix.empty()) {
        const std::size_t dot = prefix.rfind('.');
        prefix = prefix.substr(0, dot == std::string_view::npos ? 0 : dot);
        if (const ModuleId found = modules.find(intern(prefix)); found)
            return found;
    }
    return ModuleTree::root();
}

/// Per module, the memories at and below it. A memory below two children of a module counts once for the module.
class ModuleMemories {
public:
    ModuleMemories(const Program& program, const MemoryTable& memory) : m_program(program), m_own(program.modules.size())
    {
        for (std::size_t i = 0; i < program.tensors.size(); ++i) {
            const ModuleId holder = holderOf(program.modules, program.tensors[TensorId(i)].fqn.view());
            m_own[program.modules.object(holder).index()].push_back(memory.memoryOf[i]);
        }
    }

    /// Calls `visit(memory)` for each memory at and below the object behind `id`; may repeat memories.
    template <typename Visit>
    void forEach(ModuleId id, const Visit& visit)
    {
        ++m_stamp;
        m_seen.resize(m_own.size(), 0);
        std::vector<ModuleId> todo = {m_program.modules.object(id)};
        while (!todo.empty()) {
            const ModuleId at = todo.back();
            todo.pop_back();
            if (std::exchange(m_seen[at.index()], m_stamp) == m_stamp)
                continue;
            for (const std::uint32_t memory : m_own[at.index()])
                visit(memory);
            for (const ModuleId child : m_program.modules[at].children)
                todo.push_back(m_program.modules.object(child));
        }
    }

private:
    const Program& m_program;
    std::vector<std::vector<std::uint32_t>> m_own; ///< per module object: the memories of its own tensors
    std::vector<std::uint32_t> m_seen;
    std::uint32_t m_stamp = 0;
};

} // namespace

MemoryTable memoryTable(const TensorTable& tensors)
{
    MemoryTable table;
    table.memoryOf.resize(tensors.size(), kNoSlot);
    std::vector<std::uint32_t> ofStorage(tensors.storageCount(), kNoSlot);
    std::vector<std::uint64_t> largest;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        const TensorId object = tensors.object(TensorId(i));
        const TensorEntry& entry = tensors[object];
        std::uint32_t& slot = entry.storage ? ofStorage[entry.storage.index()] : table.memoryOf[object.index()];
        if (slot == kNoSlot) {
            slot = static_cast<std::uint32_t>(table.bytes.size());
            table.bytes.push_back(entry.storage ? tensors[entry.storage].byteCount.value_or(0) : 0);
            table.firstTensor.emplace_back(i);
            table.isUnknown.push_back(1);
            largest.push_back(0);
        }
        const std::optional<std::uint64_t> size = byteSize(entry.meta);
        largest[slot] = std::max(largest[slot], size.value_or(0));
        if (size || (entry.storage && tensors[entry.storage].byteCount))
            table.isUnknown[slot] = 0;
        table.memoryOf[i] = slot;
    }
    for (std::size_t m = 0; m < largest.size(); ++m)
        if (table.bytes[m] == 0)
            table.bytes[m] = largest[m];
    return table;
}

std::vector<TensorId> sharingMemory(const MemoryTable& memory, TensorId id)
{
    std::vector<TensorId> others;
    for (std::size_t i = 0; i < memory.memoryOf.size(); ++i)
        if (i != id.index() && memory.memoryOf[i] == memory.memoryOf[id.index()])
            others.emplace_back(i);
    return others;
}

FlatMap<TensorId> liftedTensors(const Program& program)
{
    FlatMap<TensorId> lifted;
    if (program.signature)
        for (const InputSpec& input : program.signature->inputs)
            if (!input.target.empty() && !input.name.empty())
                lifted.emplace(input.name, program.tensors.find(input.target));
    return lifted;
}

std::vector<TensorId> tensorsOfNodes(const Program& program)
{
    return *tensorsOfNodes(program, ProgressMonitor::none());
}

Result<std::vector<TensorId>> tensorsOfNodes(const Program& program, ProgressMonitor& monitor)
{
    const Graph& graph = program.rootGraph();
    std::vector<TensorId> tensors(graph.idBound());
    const FlatMap<TensorId> lifted = liftedTensors(program);
    StepMonitor steps(monitor);
    for (const NodeId id : graph.nodes()) {
        SUNDER_PROPAGATE(steps.step());
        const Node& node = graph.node(id);
        if (node.op == Op::getAttr)
            tensors[id.index()] = program.tensorAt(node.target);
        else if (node.op == Op::placeholder && !node.name.empty())
            if (const TensorId* found = lifted.find(node.name))
                tensors[id.index()] = *found;
    }
    return tensors;
}

MemoryReads::MemoryReads(const Program& program, const MemoryTable& memory)
    : MemoryReads(*build(program, memory, ProgressMonitor::none()))
{
}

Result<MemoryReads> MemoryReads::build(const Program& program, const MemoryTable& memory, ProgressMonitor& monitor)
{
    MemoryReads out;
    const Graph& graph = program.rootGraph();
    SUNDER_TRY(const std::vector<TensorId> tensors, tensorsOfNodes(program, monitor));
    ModuleMemories modules(program, memory);
    std::vector<NodeId> lastReader(memory.bytes.size());
    out.m_begin.reserve(graph.idBound() + 1);
    out.m_begin.push_back(0);
    StepMonitor steps(monitor);
    for (std::size_t i = 0; i < graph.idBound(); ++i, out.m_begin.push_back(static_cast<std::uint32_t>(out.m_memories.size()))) {
        SUNDER_PROPAGATE(steps.step());
        const NodeId id(i);
        const Node& node = graph.node(id);
        if (node.isErased())
            continue;
        const auto read = [&](std::uint32_t at) {
            if (std::exchange(lastReader[at], id) != id)
                out.m_memories.push_back(at);
        };
        const auto readModule = [&](InternedString path) {
            if (const ModuleId module = program.modules.resolve(path.view()))
                modules.forEach(module, read);
        };
        const auto readValue = [&](NodeId value) {
            if (tensors[value.index()])
                read(memory.memoryOf[tensors[value.index()].index()]);
            else if (graph.node(value).op == Op::getAttr && value != id)
                readModule(graph.node(value).target);
        };
        readValue(id);
        if (node.isCall())
            for (const NodeId input : graph.inputs(id))
                readValue(input);
        if (node.op == Op::callModule)
            readModule(node.target);
    }
    return out;
}

ProgramSizes programSizes(const Program& program)
{
    const MemoryTable memory = memoryTable(program.tensors);
    return *programSizes(program, memory, MemoryReads(program, memory), ProgressMonitor::none());
}

Result<ProgramSizes> programSizes(const Program& program, const MemoryTable& memory, const MemoryReads& reads,
                                  ProgressMonitor& monitor)
{
    const Graph& graph = program.rootGraph();
    ProgramSizes sizes{.outputBytes = std::vector<std::uint64_t>(graph.idBound(), 0),
                       .parameterBytes = std::vector<std::uint64_t>(graph.idBound(), 0)};
    ValueBytes values(program, program.root);
    MemorySum counted(memory.bytes);
    StepMonitor steps(monitor);
    for (const NodeId id : graph.nodes()) {
        SUNDER_PROPAGATE(steps.step());
        sizes.outputBytes[id.index()] = values.of(id).value_or(0);
        if (!graph[id].isCall())
            continue;
        sizes.totalOutputBytes += sizes.outputBytes[id.index()];
        sizes.parameterBytes[id.index()] = counted.add(reads.of(id));
    }
    sizes.totalParameterBytes = std::accumulate(memory.bytes.begin(), memory.bytes.end(), std::uint64_t{0});
    return sizes;
}

namespace {

/// Returns the item that a getitem takes from a call, if the call's `val` contains it.
const Argument* itemTaken(const Graph& graph, const Node& node)
{
    const std::optional<std::int64_t> at = itemNumber(node);
    const std::optional<Argument>* whole = at ? &graph[node.args[0].asNode()].meta.val : nullptr;
    const std::span<const Argument> items = whole != nullptr && *whole ? (*whole)->items() : std::span<const Argument>();
    return at && *at >= 0 && static_cast<std::uint64_t>(*at) < items.size() ? &items[static_cast<std::size_t>(*at)] : nullptr;
}

/// Returns the placeholders that are not tensors according to the signature: `None`, numbers, strings, objects, effect tokens.
/// Files omit `val` for some of them.
std::vector<NodeId> inputsWithoutTensor(const Program& program)
{
    std::vector<NodeId> found;
    std::size_t next = 0;
    for (const NodeId id : program.rootGraph().nodes()) {
        if (!program.signature || next == program.signature->inputs.size())
            break;
        if (program.rootGraph()[id].op != Op::placeholder)
            continue;
        const InputSpec& input = program.signature->inputs[next++];
        const bool isLiteral = input.kind == InputKind::user && !input.value.is(ArgumentKind::node);
        if (isLiteral || input.kind == InputKind::object || input.kind == InputKind::token)
            found.push_back(id);
    }
    return found;
}

} // namespace

std::optional<std::uint64_t> ValueBytes::described(const Node& node) const
{
    if (node.meta.val)
        return byteSize(*node.meta.val);
    if (const Argument* item = itemTaken(m_program.graph(m_graph), node); item != nullptr)
        return byteSize(*item);
    if (node.op == Op::getAttr && m_program.modules.resolve(node.target.view()))
        return 0;
    if (node.isCall() && node.userCount() == 0)
        return 0;
    return std::nullopt;
}

bool ValueBytes::holdsTensor(NodeId id) const
{
    const std::optional<Argument>& val = m_program.graph(m_graph)[id].meta.val;
    return val && sunder::holdsTensor(*val);
}

std::optional<std::uint64_t> ValueBytes::of(NodeId id)
{
    const std::optional<std::uint64_t> bytes = described(m_program.graph(m_graph)[id]);
    if (bytes)
        return bytes;
    if (!m_isNothing) {
        m_isNothing = deadAndAssertNodes(m_program, m_graph);
        if (m_graph == m_program.root)
            for (const NodeId input : inputsWithoutTensor(m_program))
                (*m_isNothing)[input.index()] = 1;
    }
    return (*m_isNothing)[id.index()] != 0 ? std::optional<std::uint64_t>(0) : std::nullopt;
}

} // namespace sunder
