#pragma once

#include "analysis/run_order/memory_classes.h"
#include "analysis/run_order/ranked_graph.h"
#include "analysis/sizes.h"
#include "ir/program.h"

#include <cstdint>
#include <vector>

namespace sunder {

/// The origin of a value.
enum class StandsFor : std::uint8_t {
    call,  ///< the result of a call
    input, ///< an input of the program
    state, ///< a parameter, buffer, constant or object of the program
    token, ///< an effect token, which holds no data
};

/// The objects that calls access: memory classes (identified by ranks), then two streams (random numbers and effects), then
/// tensors without a node.
class MemoryLocations {
public:
    MemoryLocations(const Program& program, const RankedGraph& graph, const MemoryClasses& classes);

    [[nodiscard]] std::size_t count() const { return m_thingOf.size(); }
    [[nodiscard]] std::uint32_t ofValue(std::uint32_t rank) const { return find(rank); }
    [[nodiscard]] bool isKnown(std::uint32_t thing) const { return m_isKnown[thing] != 0; }
    [[nodiscard]] StandsFor standsFor(NodeId id) const { return m_standsFor[id.index()]; }
    /// Returns the name of the first tensor in a thing, otherwise of the first value.
    [[nodiscard]] InternedString nameOf(std::uint32_t thing) const { return m_names[thing]; }
    [[nodiscard]] bool readsAny(NodeId id) const { return !m_reads.of(id).empty(); }
    template <typename Visit>
    void forEachHeld(NodeId id, const Visit& visit) const
    {
        for (const std::uint32_t memory : m_reads.of(id))
            visit(find(m_ofMemory[memory]));
    }

    const std::uint32_t random;
    const std::uint32_t effects;

private:
    [[nodiscard]] std::uint32_t find(std::uint32_t thing) const;
    void joinWhatMayShare(const Program& program);
    void noteWhatNodesAre(const Program& program);
    void nameThings(const Program& program, const RankedGraph& graph);

    MemoryTable m_table;
    MemoryReads m_reads;
    std::vector<std::uint32_t> m_thingOf; ///< per thing: itself, or a thing that it may share memory with
    std::vector<std::uint32_t> m_ofMemory; ///< per memory
    std::vector<std::uint8_t> m_isKnown; ///< per thing: 0 if it is uncertain whether its tensors share memory
    std::vector<StandsFor> m_standsFor; ///< per NodeId
    std::vector<InternedString> m_names; ///< per thing
};

} // namespace sunder
