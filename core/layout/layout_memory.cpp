#include "layout/layout_memory.h"

#include <cstring>

namespace sunder {
namespace {

constexpr std::size_t kMaxRemembered = 1'000'000;

} // namespace

std::string LayoutMemory::keyOf(const BoxGraph& graph, const LayoutOptions& options)
{
    std::string key;
    const auto add = [&key](const auto& value) {
        char bytes[sizeof(value)];
        std::memcpy(bytes, &value, sizeof(value));
        key.append(bytes, sizeof(value));
    };
    for (const float gap : {options.boxGap, options.rankGap, options.edgeGap})
        add(gap);
    add(static_cast<std::uint32_t>(graph.boxes.size()));
    for (const BoxGraph::Box& box : graph.boxes) {
        for (const float length : {box.size.width, box.size.height, box.extraRight, box.extraLeft})
            add(length);
    }
    add(static_cast<std::uint32_t>(graph.edges.size()));
    for (const BoxGraph::Edge& edge : graph.edges) {
        add(edge.from);
        add(edge.to);
        add(edge.weight);
    }
    for (const Point& point : options.previousCenters) {
        add(point.x);
        add(point.y);
    }
    return key;
}

const BoxLayout* LayoutMemory::find(const std::string& key) const
{
    const auto found = m_known.find(key);
    return found == m_known.end() ? nullptr : &found->second;
}

const BoxLayout* LayoutMemory::keep(std::string key, BoxLayout layout)
{
    m_size += layout.centers.size() + layout.routes.size();
    if (m_size > kMaxRemembered) {
        m_known.clear();
        m_size = layout.centers.size() + layout.routes.size();
    }
    return &m_known.insert_or_assign(std::move(key), std::move(layout)).first->second;
}

} // namespace sunder
