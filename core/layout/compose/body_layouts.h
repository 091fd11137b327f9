#pragma once

#include "layout/layout_memory.h"

namespace sunder::compose {

/// Layouts of the bodies of one picture; equal ones are laid out once.
class BodyLayouts {
public:
    explicit BodyLayouts(const LayoutEngine& engine) : m_engine(engine) {}

    /// Valid until the next call. Fails as the engine does.
    Result<const BoxLayout*> of(const BoxGraph& graph, ProgressMonitor& monitor);

private:
    const LayoutEngine& m_engine;
    LayoutMemory m_known;
};

} // namespace sunder::compose
