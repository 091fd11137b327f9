#include "layout/compose/trailing_nodes.h"

#include "layout/compose/extent.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace sunder::compose {
namespace {

class TrailingNodes {
public:
    TrailingNodes(const std::vector<ChildBox>& children, std::span<const Link> links, PlacedBody& column)
        : m_children(children), m_links(links), m_column(column)
    {
    }

    void shift()
    {
        std::vector<Index> frames;
        for (Index i = 0; i < m_children.size(); ++i) {
            if (m_children[i].exitAside > 0)
                frames.push_back(i);
        }
        std::sort(frames.begin(), frames.end(),
                  [&](Index a, Index b) { return std::pair(m_column.centers[a].y, a) < std::pair(m_column.centers[b].y, b); });
        for (const Index frame : frames)
            shiftBelow(frame);
    }

private:
    [[nodiscard]] float topOf(Index child) const { return m_column.centers[child].y - m_children[child].box.size.height / 2; }
    [[nodiscard]] float bottomOf(Index child) const { return m_column.centers[child].y + m_children[child].box.size.height / 2; }

    /// Returns the children below the frame, or nothing if a child is next to it.
    [[nodiscard]] std::optional<std::vector<Index>> childrenBelow(Index frame) const
    {
        std::vector<Index> below;
        for (Index i = 0; i < m_children.size(); ++i) {
            if (i == frame || bottomOf(i) <= topOf(frame))
                continue;
            if (topOf(i) < bottomOf(frame))
                return std::nullopt;
            below.push_back(i);
        }
        return below;
    }

    /// The same for routes.
    [[nodiscard]] std::optional<std::vector<Index>> routesBelow(Index frame) const
    {
        std::vector<Index> below;
        for (Index i = 0; i < m_links.size(); ++i) {
            const BezierPath& route = m_column.routes[i];
            if (route.empty() || route.back().y <= topOf(frame))
                continue;
            if (m_links[i].from != m_children[frame].entry && route.front().y < bottomOf(frame))
                return std::nullopt;
            below.push_back(i);
        }
        return below;
    }

    void shiftBelow(Index frame)
    {
        const auto children = childrenBelow(frame);
        const auto routes = routesBelow(frame);
        if (!children || !routes)
            return;
        Extent below;
        for (const Index child : *children)
            below.addX(m_column.centers[child].x + m_children[child].box.size.width / 2 + m_children[child].box.extraRight);
        for (const Index link : *routes) {
            for (const Point& point : m_column.routes[link])
                below.addX(point.x);
        }
        const float right = m_column.centers[frame].x + m_children[frame].box.size.width / 2 + m_children[frame].box.extraRight;
        const float by = std::min(m_children[frame].exitAside, right - below.right);
        if (by <= 0 || routes->empty())
            return;
        for (const Index child : *children)
            m_column.centers[child].x += by;
        for (const Index link : *routes) {
            for (Point& point : m_column.routes[link])
                point.x += by;
        }
        if (m_column.mainPort && !m_column.comesIn)
            *m_column.mainPort += by;
    }

    const std::vector<ChildBox>& m_children;
    std::span<const Link> m_links;
    PlacedBody& m_column;
};

} // namespace

void putBelowExits(const std::vector<ChildBox>& children, std::span<const Link> links, PlacedBody& column)
{
    TrailingNodes(children, links, column).shift();
}

} // namespace sunder::compose
