#include "layout/compose/body_layouts.h"

#include <cstdint>
#include <cstring>

namespace sunder::compose {
namespace {

/// Everything that decides a layout, as bytes.
std::string keyOf(const BoxGraph& graph)
{
    std::string key;
    const auto add = [&key](const auto& value) {
        char bytes[sizeof(value)];
        std::memcpy(bytes, &value, sizeof(value));
        key.append(bytes, sizeof(value));
    };
    add(static_cast<std::uint32_t>(graph.boxes.size()));
    for (const BoxGraph::Box& box : graph.boxes) {
        add(box.size.width);
        add(box.size.height);
        add(box.extraRight);
        add(box.extraLeft);
    }
    for (const BoxGraph::Edge& edge : graph.edges) {
        add(edge.from);
        add(edge.to);
        add(edge.weight);
    }
    return key;
}

} // namespace

Result<const BoxLayout*> BodyLayouts::of(const BoxGraph& graph)
{
    std::string key = keyOf(graph);
    const auto found = m_known.find(key);
    if (found != m_known.end())
        return &found->second;
    Result<BoxLayout> layout = m_engine.layout(graph, {}, m_monitor);
    if (!layout)
        return forward(layout);
    return &m_known.emplace(std::move(key), std::move(*layout)).first->second;
}

} // namespace sunder::compose
