#pragma once

#include "support/progress_monitor.h"
#include "verify/symbol_mapping.h"
#include "verify/trace.h"
#include "verify/verify.h"

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace sunder {

/// The contents of an output or of memory.
struct HeldTerm {
    TermId value;
    TermId original; ///< if the value is a clone of a value that was overwritten later: that value; otherwise the value itself

    [[nodiscard]] bool holds(TermId term) const { return value == term || original == term; }
    /// Whether the contents are equal. A clone has the contents of its original.
    [[nodiscard]] bool holdsSame(const HeldTerm& other) const { return holds(other.value) || holds(other.original); }
};

/// All observable results of a program, as terms.
struct Outcomes {
    TermId structure;                ///< outputs with their nesting; invalid for the flat outputs of an exported program
    std::vector<HeldTerm> outputs;   ///< leaves in order
    /// Places with changed contents and their new contents. All other memory is unchanged.
    std::vector<std::pair<TermId, HeldTerm>> memory;
    std::vector<TermId> assertions;  ///< sorted, without duplicates
    TermId effects;
    TermId random;
    TermId state;
    TermId gradientState;
};

/// Computes the terms of a trace in one pass over its steps. Each region of memory has a current version, and each read carries
/// the version that it sees.
class Evaluator {
public:
    /// `orderedRandomness`: whether the order in which random numbers are drawn matters.
    Evaluator(const Program& program, Side side, Trace& trace, TermTable& terms, const SymbolMapping& mapping,
              bool orderedRandomness, std::uint64_t mostTermBytes);
    /// Evaluates the trace. Call once. `progress` counts steps. Fails with ErrorCode::cancelled.
    Result<Outcomes> evaluate(StepMonitor& progress);

    /// Returns the calls that this program makes and `other` does not: results may not depend on them, but they could fail. Omits
    /// items of tuples, clones of tensors, and the copies by which functional programs write results back.
    [[nodiscard]] std::vector<TermId> callsOutside(const Evaluator& other) const;
    /// Returns the tensor or input that a mutation of the signature writes to; invalid if there is none.
    [[nodiscard]] TermId placeOf(const OutputSpec& spec) const;
    /// Returns the result of each step.
    [[nodiscard]] std::span<const TermId> results() const { return m_results; }
    /// `detail` of a version of memory that may have changed the shapes, strides, or storages of tensors.
    static constexpr std::uint8_t kReshapes = 1;
    /// Returns the index of the first step that computed a term; kNoStep if there is none.
    static constexpr std::uint32_t kNoStep = 0xffffffffU;
    [[nodiscard]] std::uint32_t stepOf(TermId term) const
    {
        return term.index() < m_origins.size() ? m_origins[term.index()] : kNoStep;
    }

private:
    /// Index of the first argument among the children of a call without closures.
    static constexpr std::size_t kFirstArgument = 4;

    [[nodiscard]] bool takesKnownItem(const Step& step) const;
    Result<void> run(std::uint32_t first, std::uint32_t end, StepMonitor& progress);
    Result<void> runStep(std::uint32_t index, StepMonitor& progress);
    Result<TermId> runBody(const Body& body, bool& random, StepMonitor& progress);
    TermId call(const Step& step, std::span<const TermId> bodies);
    void writeAll(std::uint32_t index, TermId call, TermId content);
    void write(const Step& step, ValueId value, TermId call, TermId content);
    void setLocation(const Step& step, TermId call);
    TermId read(ValueId value, bool location);
    TermId copiedOver(TermId before, TermId content);
    TermId overwritten(TermId place, TermId target, TermId content);
    void overwrite(std::uint32_t region, TermId place, TermId content, bool otherStrides = false);
    TermId readLeaf(const Value& value, ValueId id, bool location);
    [[nodiscard]] bool isInitial(TermId place, TermId version) const;
    /// Returns the contents of a place. `asLeft`: its contents after the run, regardless of strides.
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
    const SymbolMapping& m_mapping;
    bool m_orderedRandomness;
    std::uint64_t m_mostTermBytes;
    NodeIndex m_rootNodes;
    std::vector<TermId> m_locations; ///< by ValueId
    std::vector<TermId> m_versions; ///< by region
    /// Terms of containers, with the write count for which they are valid.
    std::vector<std::pair<TermId, std::uint32_t>> m_containers;
    std::unordered_map<ValueId, std::pair<TermId, std::uint32_t>> m_containerPlaces; ///< the same for the places of their items
    std::unordered_map<TermId, TermId> m_viewed; ///< view → its base
    std::unordered_map<TermId, TermId>
        /// Results of unknown calls and parameters of closures, with the version of their memory at that time.
        m_born;
    std::unordered_set<TermId> m_otherStrides; ///< versions whose strides differ from those of the copied tensor
    /// By equal results: the number of further such results so far, and whether one of them is modified as an object.
    std::unordered_map<TermId, std::pair<std::uint32_t, bool>> m_objects;
    std::unordered_set<ValueId> m_changedObjects; ///< tensors whose shape, strides, or requires_grad changes
    std::unordered_map<std::uint64_t, std::uint32_t> m_again; ///< number of equal results in a region so far
    std::vector<TermId> m_results; ///< by step
    std::vector<char> m_filled; ///< by step: whether its target then held exactly the copied value
    std::vector<std::uint32_t> m_origins;
    std::vector<std::uint8_t> m_gradients;
    std::vector<TermId> m_assertions;
    std::vector<std::pair<TermId, TermId>> m_mutations; ///< mutations of the signature: place and content
    TermId m_random = TermTable::nothing();
    TermId m_effects = TermTable::nothing();
    std::uint32_t m_writes = 0;
    std::uint32_t m_closures = 0;
};

} // namespace sunder
