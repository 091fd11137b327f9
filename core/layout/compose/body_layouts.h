#pragma once

#include "layout/box_layout.h"

#include <string>
#include <unordered_map>

namespace sunder::compose {

/// Layouts of bodies by all that decides them, so that equal bodies are laid out once and look the same wherever they stand.
class BodyLayouts {
public:
    BodyLayouts(const LayoutEngine& engine, ProgressMonitor& monitor) : m_engine(engine), m_monitor(monitor) {}

    /// The layout stays where it is. Fails as the engine does.
    Result<const BoxLayout*> of(const BoxGraph& graph);

private:
    const LayoutEngine& m_engine;
    ProgressMonitor& m_monitor;
    std::unordered_map<std::string, BoxLayout> m_known;
};

} // namespace sunder::compose
