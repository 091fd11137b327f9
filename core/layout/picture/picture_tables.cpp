#include "layout/picture/picture_tables.h"

#include <algorithm>

namespace sunder {

PictureTables::PictureTables(const Picture& picture)
    : m_into(edgesBy(picture, &PictureEdge::to)), m_from(edgesBy(picture, &PictureEdge::from))
{
    m_nodes.begin.reserve(picture.items.size() + 1);
    m_nodes.begin.push_back(0);
    m_nodes.values.reserve(picture.items.size());
    m_rects.reserve(picture.items.size());
    m_frames.reserve(picture.items.size());
    for (const Item& item : picture.items) {
        m_rects.push_back(item.rect);
        m_frames.push_back(item.kind == ItemKind::frame ? 1 : 0);
        m_nodes.values.insert(m_nodes.values.end(), item.nodes.begin(), item.nodes.end());
        m_nodes.begin.push_back(static_cast<std::uint32_t>(m_nodes.values.size()));
    }
    for (std::uint32_t i = 0; i < m_frames.size(); ++i) {
        if (m_frames[i] != 0)
            m_framesBySize.emplace_back(i);
    }
    const auto areaOf = [this](ItemId id) { return m_rects[id.index()].width * m_rects[id.index()].height; };
    std::stable_sort(m_framesBySize.begin(), m_framesBySize.end(), [&](ItemId a, ItemId b) { return areaOf(a) > areaOf(b); });
}

PictureTables::Runs<std::uint32_t> PictureTables::edgesBy(const Picture& picture, ItemId PictureEdge::* end)
{
    Runs<std::uint32_t> runs;
    runs.begin.assign(picture.items.size() + 1, 0);
    for (const PictureEdge& edge : picture.edges)
        ++runs.begin[(edge.*end).index() + 1];
    for (std::size_t i = 1; i < runs.begin.size(); ++i)
        runs.begin[i] += runs.begin[i - 1];
    runs.values.resize(picture.edges.size());
    std::vector<std::uint32_t> next(runs.begin);
    for (std::uint32_t i = 0; i < picture.edges.size(); ++i)
        runs.values[next[(picture.edges[i].*end).index()]++] = i;
    return runs;
}

} // namespace sunder
