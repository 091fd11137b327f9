#pragma once

#include "layout/layout_memory.h"

namespace sunder::compose {

/// Layouts of the bodies of one picture; equal ones are laid out once.
class BodyLayouts {
public:
    BodyLayouts(const LayoutEngine& engine, ProgressMonitor& monitor) : m_engine(engine), m_monitor(monitor) {}

    /// Valid until the next call. Fails as the engine does.
    Result<const BoxLayout*> of(const BoxGraph& graph);

private:
    const LayoutEngine& m_engine;
    ProgressMonitor& m_monitor;
    LayoutMemory m_known;
};

} // namespace sunder::compose
