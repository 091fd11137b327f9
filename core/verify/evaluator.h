#pragma once

#include "verify/correspondence.h"
#include "verify/pulse.h"
#include "verify/trace.h"
#include "verify/verify.h"

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace sunder {

/// What an output or a piece of memory holds.
struct HeldTerm {
    TermId value;
    TermId original; ///< what the value is a clone of that was overwritten since; else the value itself

    [[nodiscard]] bool holds(TermId term) const { return value == term || original == term; }
    /// Whether both hold the same: a clone holds what its original held.
    [[nodiscard]] bool holdsSame(const HeldTerm& other) const { return holds(other.value) || holds(other.original); }
};

/// Everything that can be seen of a program from outside, as terms.
struct Outcomes {
    TermId structure;                ///< outputs as they are built; invalid for an exported program's flat ones
    std::vector<HeldTerm> outputs;   ///< leaves in order
    /// What was written of what was there before, by where it lies; the rest is as it was.
    std::vector<std::pair<TermId, HeldTerm>> memory;
    std::vector<TermId> assertions;  ///< sorted, each once
    TermId effects;
    TermId random;
    TermId state;
    TermId gradientState;
};

/// Computes the terms of a trace: one pass over its steps. Memory is a version for each region, and what reads it
/// carries the version that it sees.
class Evaluator {
public:
    /// `orderedRandomness`: whether random numbers count in the order in which they are drawn.
    Evaluator(const Program& program, Side side, Trace& trace, TermTable& terms, const Correspondence& correspondence,
              bool orderedRandomness, std::uint64_t mostTermBytes, Pulse& pulse);
    /// Call once. `pulse` beats once a step; once it is cancelled the outcomes mean nothing.
    Outcomes evaluate();

    /// The calls that this program makes and `other` does not. Results may not show them, but they could fail. Items
    /// of tuples, clones of tensors and the copies that functional programs write back with are left out.
    [[nodiscard]] std::vector<TermId> callsOutside(const Evaluator& other) const;
    /// The tensor or input that a mutation of the signature writes to; invalid if there is none.
    [[nodiscard]] TermId placeOf(const OutputSpec& spec) const;
    /// By step, what was computed.
    [[nodiscard]] std::span<const TermId> results() const { return m_results; }
    /// `detail` of a version of memory in which tensors may have other shapes, strides or storages than before.
    static constexpr std::uint8_t kReshapes = 1;
    /// The first step that computed each term, by its index; kNoStep for other terms.
    static constexpr std::uint32_t kNoStep = 0xffffffffU;
    [[nodiscard]] std::uint32_t stepOf(TermId term) const
    {
        return term.index() < m_origins.size() ? m_origins[term.index()] : kNoStep;
    }

private:
    /// Place of the first argument among the children of a call without closures.
    static constexpr std::size_t kFirstArgument = 4;

    [[nodiscard]] bool takesKnownItem(const Step& step) const;
    void run(std::uint32_t first, std::uint32_t end);
    void runStep(std::uint32_t index);
    TermId runBody(const Body& body, bool& random);
    TermId call(const Step& step, std::span<const TermId> bodies);
    void writeAll(std::uint32_t index, TermId call, TermId content);
    void write(const Step& step, ValueId value, TermId call, TermId content);
    void setLocation(const Step& step, TermId call);
    TermId read(ValueId value, bool location);
    TermId copiedOver(TermId before, TermId content);
    TermId overwritten(TermId place, TermId target, TermId content);
    void overwrite(std::uint32_t region, TermId place, TermId content, bool otherStrides = false);
    TermId readLeaf(const Value& value, ValueId id, bool location);
    [[nodiscard]] bool isAsBorn(TermId place, TermId version) const;
    /// What memory holds; `asLeft`: as it is left after the run, however it lies there.
    TermId readPlace(TermId place, std::uint32_t region, bool asLeft = false);
    TermId readBesideWrites(ValueId value, std::span<const std::uint32_t> written, bool& overlaps,
                            std::unordered_map<ValueId, TermId>& known);
    std::vector<std::uint32_t> writtenRegions(const Step& step);
    [[nodiscard]] bool fills(const Step& step);
    std::uint32_t regionOf(ValueId value) { return m_trace.regions.find(m_trace.values[value.index()].region); }
    TermId stateFor(const Step& step, std::span<const TermId> arguments);
    bool mayRequireGradient(TermId term);
    [[nodiscard]] bool makesLeaf(TermId call) const;
    [[nodiscard]] bool requiresGradientOf(TermId value, TermId other) const;
    void remember(TermId term, std::uint32_t step);
    void collectOutputs(Outcomes& outcomes);
    void collectOutput(ValueId value, Outcomes& outcomes);
    HeldTerm held(TermId value);
    void collectMemory(Outcomes& outcomes);
    void writeBack(Outcomes& outcomes);

    const Program& m_program;
    Side m_side;
    Trace& m_trace;
    TermTable& m_terms;
    const Correspondence& m_correspondence;
    bool m_orderedRandomness;
    std::uint64_t m_mostTermBytes;
    Pulse& m_pulse;
    NodeIndex m_rootNodes;
    std::vector<TermId> m_locations;               ///< by ValueId
    std::vector<TermId> m_versions;                ///< by region
    std::vector<std::pair<TermId, std::uint32_t>> m_containers; ///< terms of containers and the write count they hold for
    std::unordered_map<ValueId, std::pair<TermId, std::uint32_t>> m_containerPlaces; ///< the same of where its parts lie
    std::unordered_map<TermId, TermId> m_viewed;                ///< what each view views
    std::unordered_map<TermId, TermId>
        m_born;                  ///< results of unknown calls, and parameters of closures: the version of their memory then
    std::unordered_set<TermId> m_otherStrides; ///< versions that lie otherwise in memory than what was copied there
    /// By equal results: how many others there are so far, and whether one of them is changed as an object.
    std::unordered_map<TermId, std::pair<std::uint32_t, bool>> m_objects;
    std::unordered_set<ValueId> m_changedObjects; ///< tensors whose shape, strides, or requires_grad is changed
    std::unordered_map<std::uint64_t, std::uint32_t> m_again;   ///< equal results in one region so far
    std::vector<TermId> m_results; ///< by step
    std::vector<char> m_filled;    ///< by step: whether its target then held just what was copied
    std::vector<std::uint32_t> m_origins;
    std::vector<std::uint8_t> m_gradients;
    std::vector<TermId> m_assertions;
    std::vector<std::pair<TermId, TermId>> m_mutations; ///< that the signature describes: where, and what
    TermId m_random = TermTable::nothing();
    TermId m_effects = TermTable::nothing();
    std::uint32_t m_writes = 0;
    std::uint32_t m_closures = 0;
};

} // namespace sunder
