#include "analysis/legality/written_memory.h"

#include "ir/forward_inputs.h"
#include "ir/getitem.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

namespace sunder {
namespace {

constexpr std::uint32_t kNoNode = NodeId::kInvalid;

bool keepsEffects(const Node& node)
{
    static const InternedString kTarget = intern("torch.ops.higher_order.with_effects");
    return node.op == Op::callFunction && node.target == kTarget;
}

/// Returns the origin of each node's value, per NodeId.
std::vector<StandsFor> originsOf(const Program& program)
{
    const Graph& graph = program.rootGraph();
    std::vector<StandsFor> origins(graph.idBound(), StandsFor::call);
    std::size_t place = 0;
    for (const NodeId id : graph.nodes()) {
        StandsFor& origin = origins[id.index()];
        if (graph[id].op == Op::getAttr)
            origin = StandsFor::state;
        else if (const std::optional<std::int64_t> item = itemNumber(graph[id]);
                 item == 0 && keepsEffects(graph[graph[id].args[0].asNode()]))
            origin = StandsFor::token;
        if (graph[id].op != Op::placeholder)
            continue;
        origin = StandsFor::input;
        if (!program.signature || place == program.signature->inputs.size())
            continue;
        const InputKind kind = program.signature->inputs[place++].kind;
        if (kind != InputKind::user)
            origin = kind == InputKind::token ? StandsFor::token : StandsFor::state;
    }
    return origins;
}

class WrittenMemoryFinder {
public:
    WrittenMemoryFinder(const Program& program, const RankedGraph& graph, const MemoryAccesses& accesses)
        : m_program(program), m_graph(graph), m_accesses(accesses), m_locations(accesses.locations()),
          m_origins(originsOf(program)), m_isWrittenLate(m_locations.count(), 0), m_placeOf(m_locations.count(), kNoNode)
    {
        nameLocations();
    }

    std::vector<WrittenMemory> run()
    {
        const std::vector<NodeId> late = writtenPlaceholders(m_program);
        for (const NodeId target : late)
            if (target)
                m_isWrittenLate[m_locations.ofValue(m_graph.rank(target))] = 1;
        for (std::uint32_t rank = 0; rank < m_graph.size(); ++rank) {
            const bool isCall = m_graph.node(rank).isCall();
            if (!isCall && m_graph.node(rank).op != Op::output)
                continue;
            for (const std::uint32_t input : m_graph.inputs(rank)) {
                const std::uint32_t location = m_locations.ofValue(input);
                const bool isView = m_locations.ofValue(rank) == location;
                if (!isCall || !m_accesses.usesFormOnly(rank) || isView || m_accesses.isReshaped(location))
                    addUse(rank, input);
            }
            if (isCall)
                addHeld(rank);
        }
        addLate(late);
        return std::move(m_found);
    }

private:
    void nameLocations()
    {
        m_names.resize(m_locations.count());
        const auto name = [this](std::uint32_t location, InternedString as) {
            if (InternedString& known = m_names[location]; known.empty())
                known = as;
        };
        for (std::size_t i = 0; i < m_program.tensors.size(); ++i)
            name(m_locations.ofTensor(TensorId(i)), m_program.tensors[TensorId(i)].fqn);
        for (std::uint32_t rank = 0; rank < m_graph.size(); ++rank)
            name(m_locations.ofValue(rank), m_graph.node(rank).name);
    }

    void add(std::uint32_t location, const MemoryUse& use, const AccessDoubts& doubts)
    {
        if (!m_accesses.isWritten(location) && m_isWrittenLate[location] == 0)
            return;
        if (m_placeOf[location] == kNoNode) {
            m_placeOf[location] = static_cast<std::uint32_t>(m_found.size());
            m_found.push_back({.name = m_names[location], .doubts = m_locations.doubts(location), .uses = {}});
        }
        WrittenMemory& memory = m_found[m_placeOf[location]];
        memory.uses.push_back(use);
        memory.doubts |= doubts;
    }

    void addUse(std::uint32_t rank, std::uint32_t input)
    {
        const NodeId value = m_graph.id(input);
        const StandsFor from = m_origins[value.index()];
        if (from == StandsFor::token)
            return;
        const bool isCall = m_graph.node(rank).isCall();
        const CallEffects& does = m_accesses.effects(rank);
        const bool writes = std::ranges::find(does.written, value) != does.written.end();
        add(m_locations.ofValue(input),
            {.call = isCall ? m_graph.id(rank) : NodeId(), .value = value, .from = from, .writes = writes},
            {.isUnknownCall = !does.known});
    }

    /// Adds tensors of the called module or graph, except inputs of the call, whose uses are already added.
    void addHeld(std::uint32_t rank)
    {
        m_locations.forEachHeld(m_graph.id(rank), [&](std::uint32_t location) {
            const auto isInput = [&](std::uint32_t input) { return m_locations.ofValue(input) == location; };
            if (std::ranges::none_of(m_graph.inputs(rank), isInput))
                add(location,
                    {.call = m_graph.id(rank), .value = {}, .from = StandsFor::state, .writes = m_accesses.writesHeld(rank)},
                    {.isUnknownCall = !m_accesses.effects(rank).known});
        });
    }

    void addLate(const std::vector<NodeId>& late)
    {
        const std::span<const Argument> results = flatResults(m_graph.graph());
        for (std::size_t i = 0; i < std::min(late.size(), results.size()); ++i) {
            if (!late[i])
                continue;
            const bool isComputed = results[i].is(ArgumentKind::node) && m_graph.graph()[results[i].asNode()].isCall();
            add(m_locations.ofValue(m_graph.rank(late[i])),
                {.call = isComputed ? results[i].asNode() : NodeId(),
                 .value = late[i],
                 .from = m_origins[late[i].index()],
                 .writes = true,
                 .isLate = true},
                {});
        }
    }

    const Program& m_program;
    const RankedGraph& m_graph;
    const MemoryAccesses& m_accesses;
    const MemoryLocations& m_locations;
    std::vector<StandsFor> m_origins;          ///< per NodeId
    std::vector<std::uint8_t> m_isWrittenLate; ///< per location: by the signature, after all calls
    std::vector<std::uint32_t> m_placeOf;      ///< per location: index in m_found
    std::vector<InternedString> m_names;       ///< per location
    std::vector<WrittenMemory> m_found;
};

} // namespace

std::vector<WrittenMemory> writtenMemories(const Program& program, const RankedGraph& graph, const MemoryAccesses& accesses)
{
    return WrittenMemoryFinder(program, graph, accesses).run();
}

std::vector<NodeId> writtenPlaceholders(const Program& program)
{
    std::vector<NodeId> found;
    if (!program.signature)
        return found;
    const std::vector<InputSpec>& inputs = program.signature->inputs;
    std::unordered_map<InternedString, NodeId> byName;
    std::unordered_map<InternedString, NodeId> byTarget;
    std::size_t place = 0;
    for (const NodeId id : program.rootGraph().nodes()) {
        if (program.rootGraph()[id].op != Op::placeholder || place == inputs.size())
            continue;
        const InputSpec& input = inputs[place++];
        byName.emplace(program.rootGraph()[id].name, id);
        if (input.kind != InputKind::user && !input.target.empty())
            byTarget.emplace(input.target, id);
    }
    for (const OutputSpec& output : program.signature->outputs) {
        const bool isState = output.kind == OutputKind::bufferMutation || output.kind == OutputKind::parameterMutation;
        const bool isWritten = isState || output.kind == OutputKind::inputMutation;
        const std::unordered_map<InternedString, NodeId>& placeholders = isState ? byTarget : byName;
        const auto at = placeholders.find(output.target);
        found.push_back(isWritten && at != placeholders.end() ? at->second : NodeId());
    }
    return found;
}

} // namespace sunder
