#pragma once

#include "passes/unflatten/outline_draft.h"

#include <unordered_set>

namespace sunder {

/// Intermediate values of buffers that enter a module with a preserved signature implicitly. Depending on the options, either the
/// buffer carries them: the producer copies the value to the buffer, and the consumer reads the buffer. Or each value gets its
/// own buffer, `__ival__NAME`, in every module that produces or reads it.
class CrossingReads final {
public:
    CrossingReads(OutlineDraft& draft, const UnflattenOptions& options) : m_draft(draft), m_options(options) {}

    /// Records that a module reads a value from the side.
    void note(NodeId flat) { m_values.insert(flat); }
    /// Adds the attribute that holds a value to the module of a frame, and returns its read.
    NodeId readAttribute(std::size_t frame, NodeId flat);
    /// Returns whether a value was read without being an argument.
    [[nodiscard]] bool contains(NodeId flat) const { return m_values.contains(flat); }
    /// Adds the writes of all such values to their holders, at the producers.
    void write();

private:
    void writeOne(const OutlinePair& pair, ObjectId owner);

    OutlineDraft& m_draft;
    const UnflattenOptions& m_options;
    std::unordered_set<NodeId> m_values;
};

/// Resolves values in a module. A value from outside becomes a placeholder, and the caller, in which the same value is resolved,
/// passes it on. A module with a preserved signature accepts only its own arguments: cheap values are recomputed inside. All
/// others are treated as intermediate values of a mutated buffer and read from the buffer.
class FrameValues final {
public:
    /// All arguments must outlive this object.
    FrameValues(OutlineDraft& draft, CrossingReads& crossings, CrossingValues crossing)
        : m_draft(draft), m_crossings(crossings), m_crossing(crossing)
    {
    }

    /// Returns the counterpart of a flat node in a frame's graph; creates it on first use. Invalid if the draft has failed.
    NodeId of(std::size_t frame, NodeId flat);
    /// Replaces all nodes in arguments of the flat graph by their counterparts.
    template <class Values>
    [[nodiscard]] Values in(std::size_t frame, const Values& flat)
    {
        return mapNodes(flat, [&](NodeId input) {
            const NodeId found = of(frame, input);
            return found ? Argument::node(found) : Argument();
        });
    }

private:
    NodeId make(std::size_t frame, NodeId flat);
    NodeId passDown(std::size_t frame, NodeId flat);
    NodeId recompute(std::size_t frame, NodeId flat);

    OutlineDraft& m_draft;
    CrossingReads& m_crossings;
    CrossingValues m_crossing;
    std::uint32_t m_depth = 0; ///< recursion depth of values that request others
};

} // namespace sunder
