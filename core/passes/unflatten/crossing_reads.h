#pragma once

#include "passes/unflatten/outline_draft.h"

namespace sunder {

/// Intermediate values of buffers that enter a module with a preserved signature implicitly. Depending on the options, either the
/// buffer carries them: the producer copies the value to the buffer, and the consumer reads the buffer. Or each value gets its
/// own buffer, `__ival__NAME`, in every module that produces or reads it.
class CrossingReads final {
public:
    CrossingReads(OutlineDraft& draft, const UnflattenOptions& options) : m_draft(draft), m_options(options) {}

    /// Where a frame gets a value that is not one of its arguments: a node of its graph, or another flat value that holds it and
    /// must be resolved next. Both are invalid if the draft has failed.
    struct Source {
        NodeId node;
        NodeId holder;
    };
    /// Resolves a value. `isStep`: it is requested as the holder of another value.
    Source read(std::size_t frame, NodeId flat, bool isStep);
    /// Returns whether a value was read without being an argument.
    [[nodiscard]] bool contains(NodeId flat) const { return m_values.find(flat).isValid(); }
    /// Adds the writes of all such values to their holders, at the producers.
    void write();

private:
    void giveUp(std::size_t frame, NodeId flat);
    NodeId readAttribute(std::size_t frame, NodeId flat);
    void writeOne(const OutlinePair& pair, ObjectId owner);

    OutlineDraft& m_draft;
    const UnflattenOptions& m_options;
    NodeTable m_values;
};

} // namespace sunder
