#include "analysis/legality/written_memory.h"

#include "ir/forward_inputs.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace sunder {
namespace {

constexpr std::uint32_t kNoNode = NodeId::kInvalid;

class WrittenMemoryFinder {
public:
    WrittenMemoryFinder(const Program& program, const RankedGraph& graph, const MemoryLocations& things,
                        std::span<const CallEffects> effects)
        : m_program(program), m_graph(graph), m_things(things), m_effects(effects), m_isWritten(things.count(), 0),
          m_placeOf(things.count(), kNoNode)
    {
    }

    std::vector<WrittenMemory> run(std::span<const std::uint8_t> asksForm, std::span<const std::uint8_t> isReshaped)
    {
        const std::vector<NodeId> late = writtenPlaceholders(m_program);
        findWritten(late);
        for (std::uint32_t rank = 0; rank < m_graph.size(); ++rank) {
            const bool isCall = m_graph.node(rank).isCall();
            if (!isCall && m_graph.node(rank).op != Op::output)
                continue;
            for (const std::uint32_t input : m_graph.inputs(rank)) {
                const std::uint32_t thing = m_things.ofValue(input);
                const bool isView = m_things.ofValue(rank) == thing;
                if (!isCall || asksForm[rank] == 0 || isView || isReshaped[thing] != 0)
                    addUse(rank, input);
            }
            if (isCall)
                addHeld(rank);
        }
        addLate(late);
        return std::move(m_found);
    }

private:
    [[nodiscard]] bool writesHeld(std::uint32_t rank) const
    {
        return m_effects[rank].writesBuffers || m_effects[rank].writesHeld;
    }

    void findWritten(const std::vector<NodeId>& late)
    {
        for (std::uint32_t rank = 0; rank < m_graph.size(); ++rank) {
            for (const NodeId id : m_effects[rank].written)
                m_isWritten[m_things.ofValue(m_graph.rank(id))] = 1;
            if (writesHeld(rank))
                m_things.forEachHeld(m_graph.id(rank), [this](std::uint32_t thing) { m_isWritten[thing] = 1; });
        }
        for (const NodeId target : late)
            if (target)
                m_isWritten[m_things.ofValue(m_graph.rank(target))] = 1;
    }

    void add(std::uint32_t thing, const MemoryUse& use, bool isKnown)
    {
        if (m_isWritten[thing] == 0)
            return;
        if (m_placeOf[thing] == kNoNode) {
            m_placeOf[thing] = static_cast<std::uint32_t>(m_found.size());
            m_found.push_back({.name = m_things.nameOf(thing), .isKnown = m_things.isKnown(thing), .uses = {}});
        }
        WrittenMemory& memory = m_found[m_placeOf[thing]];
        memory.uses.push_back(use);
        memory.isKnown = memory.isKnown && isKnown;
    }

    void addUse(std::uint32_t rank, std::uint32_t input)
    {
        const NodeId value = m_graph.id(input);
        const StandsFor from = m_things.standsFor(value);
        if (from == StandsFor::token)
            return;
        const bool isCall = m_graph.node(rank).isCall();
        const bool writes = std::ranges::find(m_effects[rank].written, value) != m_effects[rank].written.end();
        add(m_things.ofValue(input),
            {.call = isCall ? m_graph.id(rank) : NodeId(), .value = value, .from = from, .writes = writes},
            m_effects[rank].known);
    }

    /// Adds tensors of the called module or graph, except inputs of the call, whose uses are already added.
    void addHeld(std::uint32_t rank)
    {
        m_things.forEachHeld(m_graph.id(rank), [&](std::uint32_t thing) {
            const auto isInput = [&](std::uint32_t input) { return m_things.ofValue(input) == thing; };
            if (std::ranges::none_of(m_graph.inputs(rank), isInput))
                add(thing, {.call = m_graph.id(rank), .value = {}, .from = StandsFor::state, .writes = writesHeld(rank)},
                    m_effects[rank].known);
        });
    }

    void addLate(const std::vector<NodeId>& late)
    {
        const std::span<const Argument> results = flatResults(m_graph.graph());
        for (std::size_t i = 0; i < std::min(late.size(), results.size()); ++i) {
            if (!late[i])
                continue;
            const bool isComputed = results[i].is(ArgumentKind::node) && m_graph.graph()[results[i].asNode()].isCall();
            add(m_things.ofValue(m_graph.rank(late[i])),
                {.call = isComputed ? results[i].asNode() : NodeId(),
                 .value = late[i],
                 .from = m_things.standsFor(late[i]),
                 .writes = true,
                 .isLate = true},
                true);
        }
    }

    const Program& m_program;
    const RankedGraph& m_graph;
    const MemoryLocations& m_things;
    std::span<const CallEffects> m_effects;
    std::vector<std::uint8_t> m_isWritten; ///< per thing
    std::vector<std::uint32_t> m_placeOf;  ///< per thing: index in m_found
    std::vector<WrittenMemory> m_found;
};

} // namespace

std::vector<WrittenMemory> writtenMemories(const Program& program, const RankedGraph& graph, const MemoryLocations& things,
                                           std::span<const CallEffects> effects, std::span<const std::uint8_t> asksForm,
                                           std::span<const std::uint8_t> isReshaped)
{
    return WrittenMemoryFinder(program, graph, things, effects).run(asksForm, isReshaped);
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
