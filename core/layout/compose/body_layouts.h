#pragma once

#include "layout/layout_memory.h"

namespace sunder::compose {

/// Caches the layouts of the bodies of one picture; equal bodies are laid out once.
class BodyLayouts {
public:
    explicit BodyLayouts(const LayoutEngine& engine) : m_engine(engine) {}

    /// The result is valid until the next call. Fails like the engine.
    Result<const BoxLayout*> of(const BoxGraph& graph, ProgressMonitor& monitor);

private:
    const LayoutEngine& m_engine;
    LayoutMemory m_known;
};

} // namespace sunder::compose
