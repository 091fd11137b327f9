#include "analysis/legality/memory_locations.h"

#include "ir/getitem.h"
#include "ir/ids.h"

#include <numeric>

namespace sunder {
namespace {

constexpr std::uint32_t kNoThing = NodeId::kInvalid;

bool keepsEffects(const Node& node)
{
    static const InternedString kTarget = intern("torch.ops.higher_order.with_effects");
    return node.op == Op::callFunction && node.target == kTarget;
}

} // namespace

MemoryLocations::MemoryLocations(const Program& program, const RankedGraph& graph, const MemoryClasses& classes)
    : random(graph.size()), effects(random + 1), m_table(memoryTable(program.tensors)), m_reads(program, m_table),
      m_thingOf(effects + 1 + m_table.bytes.size()), m_ofMemory(m_table.bytes.size()), m_isKnown(m_thingOf.size(), 1),
      m_standsFor(graph.graph().idBound(), StandsFor::call), m_names(m_thingOf.size())
{
    std::iota(m_thingOf.begin(), m_thingOf.end(), 0U);
    for (std::uint32_t rank = 0; rank < graph.size(); ++rank)
        m_thingOf[rank] = classes.of(rank);
    std::iota(m_ofMemory.begin(), m_ofMemory.end(), effects + 1);
    const std::vector<TensorId> tensors = tensorsOfNodes(program);
    for (std::uint32_t rank = 0; rank < graph.size(); ++rank)
        if (const TensorId tensor = tensors[graph.id(rank).index()])
            m_ofMemory[m_table.memoryOf[tensor.index()]] = classes.of(rank);
    joinWhatMayShare(program);
    noteWhatNodesAre(program);
    nameThings(program, graph);
}

std::uint32_t MemoryLocations::find(std::uint32_t thing) const
{
    while (m_thingOf[thing] != thing)
        thing = m_thingOf[thing];
    return thing;
}

/// Merges tensors without a storage in the file, which may all share memory.
void MemoryLocations::joinWhatMayShare(const Program& program)
{
    std::uint32_t first = kNoThing;
    for (std::size_t i = 0; i < program.tensors.size(); ++i) {
        const TensorId tensor(static_cast<std::uint32_t>(i));
        if (program.tensors[program.tensors.object(tensor)].storage.isValid())
            continue;
        const std::uint32_t thing = find(m_ofMemory[m_table.memoryOf[i]]);
        if (first == kNoThing)
            first = thing;
        else if (thing != first) {
            m_thingOf[thing] = first;
            m_isKnown[first] = 0;
        }
    }
}

void MemoryLocations::noteWhatNodesAre(const Program& program)
{
    const Graph& graph = program.rootGraph();
    std::size_t place = 0;
    for (const NodeId id : graph.nodes()) {
        StandsFor& what = m_standsFor[id.index()];
        if (graph[id].op == Op::getAttr)
            what = StandsFor::state;
        else if (const std::optional<std::int64_t> item = itemNumber(graph[id]);
                 item == 0 && keepsEffects(graph[graph[id].args[0].asNode()]))
            what = StandsFor::token;
        if (graph[id].op != Op::placeholder)
            continue;
        what = StandsFor::input;
        if (!program.signature || place == program.signature->inputs.size())
            continue;
        const InputKind kind = program.signature->inputs[place++].kind;
        if (kind != InputKind::user)
            what = kind == InputKind::token ? StandsFor::token : StandsFor::state;
    }
}

void MemoryLocations::nameThings(const Program& program, const RankedGraph& graph)
{
    const auto name = [this](std::uint32_t thing, InternedString as) {
        if (InternedString& known = m_names[find(thing)]; known.empty())
            known = as;
    };
    for (std::size_t memory = 0; memory < m_ofMemory.size(); ++memory)
        name(m_ofMemory[memory], program.tensors[m_table.firstTensor[memory]].fqn);
    for (std::uint32_t rank = 0; rank < graph.size(); ++rank)
        name(rank, graph.node(rank).name);
}

} // namespace sunder
