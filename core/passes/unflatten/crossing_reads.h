#pragma once

#include "passes/unflatten/outline_draft.h"

namespace sunder {

/// Intermediate values of a buffer that reach a module with a preserved signature by the side. Either the buffer itself
/// carries them: where one is made it is copied to the buffer, and the reader reads the buffer. Or each gets a buffer
/// of its own, `__ival__NAME`, in every module that makes or reads it.
class CrossingReads final {
public:
    CrossingReads(OutlineDraft& draft, const UnflattenOptions& options) : m_draft(draft), m_options(options) {}

    /// What a frame reads for a value that is none of its arguments: a node of its graph, or another flat value that holds it and
    /// is to be asked for; neither when the draft has failed.
    struct Source {
        NodeId node;
        NodeId holder;
    };
    /// `isStep`: asked for as the holder of another.
    Source read(std::size_t frame, NodeId flat, bool isStep);
    /// Whether a value was read where it is no argument.
    [[nodiscard]] bool contains(NodeId flat) const { return m_values.find(flat).isValid(); }
    /// Where values that were read are made: lets them be written to what holds them.
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
