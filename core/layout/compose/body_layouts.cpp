#include "layout/compose/body_layouts.h"

namespace sunder::compose {

Result<const BoxLayout*> BodyLayouts::of(const BoxGraph& graph, ProgressMonitor& monitor)
{
    std::string key = LayoutMemory::keyOf(graph, {});
    if (const BoxLayout* known = m_known.find(key))
        return known;
    SUNDER_TRY(BoxLayout layout, m_engine.layout(graph, {}, monitor));
    return m_known.keep(std::move(key), std::move(layout));
}

} // namespace sunder::compose
