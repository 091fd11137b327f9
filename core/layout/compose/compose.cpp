#include "layout/compose/compose.h"

#include "ir/tensor_meta.h"
#include "layout/compose/compose_links.h"
#include "layout/compose/compose_path.h"
#include "layout/compose/compose_plan.h"
#include "layout/picture/item_chips.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <unordered_map>

namespace sunder::compose {
namespace {

constexpr float kTitle = 22;  ///< height of a frame's title, which edges cross straight down
constexpr float kFork = 18;   ///< from there to what the frame holds
constexpr float kSide = 14;   ///< beside it
constexpr float kBottom = 16; ///< below it
constexpr float kTitleStart = 20; ///< of a title's text, behind the triangle
constexpr float kTitleGap = 12;   ///< between and behind its texts
constexpr float kMostAside = 72;  ///< a frame gets so much wider to keep the main path off its title
constexpr float kPictureEdge = 8; ///< around the whole picture

/// Where an edge crosses the border of a frame, from the frame's left.
using PortPlaces = std::unordered_map<std::uint64_t, float>;

std::uint64_t portKey(Index frame, Index producer)
{
    return (std::uint64_t{frame} << 32U) | producer;
}

/// What encloses the children and routes of a body, in the engine's coordinates.
struct Extent {
    float left = std::numeric_limits<float>::max();
    float right = std::numeric_limits<float>::lowest();
    float top = std::numeric_limits<float>::max();
    float bottom = std::numeric_limits<float>::lowest();

    void addX(float x)
    {
        left = std::min(left, x);
        right = std::max(right, x);
    }
};

class Composer {
public:
    Composer(const Graph& graph, const collapse::Collapsed& collapsed, const std::vector<collapse::Dependency>& dependencies,
             const LayoutEngine& engine, const PictureOptions& options, Picture& picture, ProgressMonitor& monitor)
        : m_collapsed(collapsed), m_dependencies(dependencies), m_engine(engine), m_options(options), m_picture(picture),
          m_monitor(monitor), m_links(linksOf(collapsed, dependencies)), m_routes(m_links.links.size()),
          m_axis(collapsed.entries.size(), 0)
    {
        for (const Index entry : collapsed.roots) {
            m_allBytes += static_cast<double>(picture.items[entry].bytes);
            m_allOps += picture.items[entry].opCount;
        }
        noteValues(graph);
        if (options.previous != nullptr)
            notePrevious(*options.previous);
    }

    Result<void> run()
    {
        const auto bodies = static_cast<Index>(m_collapsed.entries.size() + 1);
        for (Index body = bodies; body-- > 0;) { // frames come before what they hold
            if (body > 0 && m_collapsed.entries[body - 1].kind != ItemKind::frame)
                continue;
            if (Result<void> placed = placeBody(body); !placed)
                return placed;
            m_monitor.report(1 - static_cast<double>(body) / bodies, "Placing");
        }
        makeAbsolute();
        drawEdges();
        return {};
    }

private:
    [[nodiscard]] const std::vector<Index>& childrenOf(Index body) const
    {
        return body == 0 ? m_collapsed.roots : m_collapsed.entries[body - 1].children;
    }

    Result<void> placeBody(Index body)
    {
        std::vector<ChildBox> children;
        for (const Index entry : childrenOf(body))
            children.push_back({entry, boxOf(entry), workOf(entry)});
        const BodyPlan plan = planBody(children, m_links.linksOf(body));
        Result<const BoxLayout*> layout = layOut(plan, children);
        if (!layout)
            return forward(layout);
        settle(body, plan, children, **layout);
        return {};
    }

    /// Shares of all bytes read, of all bytes handed on and of all ops: the main path is where most happens.
    [[nodiscard]] double workOf(Index entry) const
    {
        const Item& item = m_picture.items[entry];
        const double values = m_valueBytes[entry] / m_allValueBytes;
        return values + static_cast<double>(item.bytes) / m_allBytes + (1.0 + item.opCount) / m_allOps;
    }

    /// A frame's box is centred at its axis, where the main path runs through it.
    [[nodiscard]] BoxGraph::Box boxOf(Index entry) const
    {
        const Item& item = m_picture.items[entry];
        if (item.kind != ItemKind::frame)
            return {{item.rect.width, item.rect.height}, collapse::widthOfChips(item)};
        const float left = m_axis[entry];
        const float right = item.rect.width - left;
        const float half = std::min(left, right);
        return {{2 * half, item.rect.height}, right - half, left - half};
    }

    Result<const BoxLayout*> layOut(const BodyPlan& plan, const std::vector<ChildBox>& children)
    {
        LayoutOptions options;
        if (!m_previous.empty())
            options.previousCenters = previousCenters(plan, children);
        const std::string key = keyOf(plan.graph, options);
        const auto found = m_cache.find(key);
        if (found != m_cache.end())
            return &found->second;
        Result<BoxLayout> layout = m_engine.layout(plan.graph, options, m_monitor);
        if (!layout)
            return forward(layout);
        return &m_cache.emplace(key, std::move(*layout)).first->second;
    }

    /// Everything that decides a layout, as bytes.
    static std::string keyOf(const BoxGraph& graph, const LayoutOptions& options)
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
        for (const Point& point : options.previousCenters) {
            add(point.x);
            add(point.y);
        }
        return key;
    }

    void noteValues(const Graph& graph)
    {
        m_valueBytes.assign(m_collapsed.entries.size(), 0);
        for (const collapse::Dependency& dependency : m_dependencies) {
            double bytes = 0;
            for (const NodeId value : dependency.values) {
                const std::optional<Argument>& val = graph.node(value).meta.val;
                bytes += val ? static_cast<double>(byteSize(*val).value_or(0)) : 0;
            }
            m_valueBytes[dependency.from] = std::max(m_valueBytes[dependency.from], bytes);
        }
        for (const double bytes : m_valueBytes)
            m_allValueBytes += bytes;
    }

    void notePrevious(const Picture& previous)
    {
        for (const Item& item : previous.items) {
            const Rect& at = item.rect;
            const bool isFrame = item.parent.isValid() && item.parent.index() < previous.items.size();
            const Rect around = isFrame ? previous.items[item.parent.index()].rect : Rect();
            m_previous[identity(item)] = {at.center().x - around.x, at.center().y - around.y};
        }
    }

    static std::string identity(const Item& item)
    {
        return item.key.empty() ? "\n" + std::to_string(item.node.index()) : item.key;
    }

    [[nodiscard]] std::vector<Point> previousCenters(const BodyPlan& plan, const std::vector<ChildBox>& children) const
    {
        constexpr float kNew = std::numeric_limits<float>::quiet_NaN();
        std::vector<Point> centers(plan.graph.boxes.size(), Point{kNew, kNew});
        for (Index i = 0; i < children.size(); ++i) {
            const auto found = m_previous.find(identity(m_picture.items[children[i].entry]));
            if (found != m_previous.end())
                centers[plan.firstChild + i] = found->second;
        }
        return centers;
    }

    /// Reads a body's layout back: children and routes relative to the frame's upper left corner.
    void settle(Index body, const BodyPlan& plan, const std::vector<ChildBox>& children, const BoxLayout& layout)
    {
        Extent extent;
        for (Index i = 0; i < children.size(); ++i) {
            Item& item = m_picture.items[children[i].entry];
            const Point center = layout.centers[plan.firstChild + i];
            const bool isFrame = item.kind == ItemKind::frame;
            item.rect.x = center.x - (isFrame ? m_axis[children[i].entry] : item.rect.width / 2);
            item.rect.y = center.y - item.rect.height / 2;
            extent.addX(item.rect.x);
            extent.addX(item.rect.right() + collapse::widthOfChips(item));
            extent.top = std::min(extent.top, item.rect.y);
            extent.bottom = std::max(extent.bottom, item.rect.bottom());
        }
        const std::span<const Link> links = m_links.linksOf(body);
        for (Index i = 0; i < links.size(); ++i) {
            for (const Point& point : layout.routes[i])
                extent.addX(point.x);
        }
        if (children.empty())
            extent = {0, 0, 0, 0};
        const Point origin = body == 0 ? placePicture(extent) : placeFrame(body - 1, plan, layout, extent);
        for (const ChildBox& child : children) {
            m_picture.items[child.entry].rect.x -= origin.x;
            m_picture.items[child.entry].rect.y -= origin.y;
        }
        for (Index i = 0; i < links.size(); ++i)
            m_routes[m_links.bodyStart[body] + i] = routeOf(body, links[i], layout.routes[i], origin, extent);
    }

    Point placePicture(const Extent& extent)
    {
        m_picture.size = {extent.right - extent.left + 2 * kPictureEdge, extent.bottom - extent.top + 2 * kPictureEdge};
        return {extent.left - kPictureEdge, extent.top - kPictureEdge};
    }

    /// Where the texts at the left of a frame's title end.
    [[nodiscard]] float titleEnd(const Item& frame) const
    {
        return kTitleStart + m_options.textWidth(frame.title, TextRole::title) + kTitleGap
            + m_options.textWidth(frame.subtitle, TextRole::mono) + kTitleGap;
    }

    /// Sizes the frame around its body. Returns its upper left corner in the coordinates of the body.
    Point placeFrame(Index frame, const BodyPlan& plan, const BoxLayout& layout, const Extent& extent)
    {
        Item& item = m_picture.items[frame];
        float left = extent.left - kSide;
        const bool comesIn = plan.mainPort != kNone && plan.mainPort < plan.firstChild;
        if (comesIn) // beside the title rather than across it
            left -= std::clamp(titleEnd(item) - (layout.centers[plan.mainPort].x - left), 0.F, kMostAside);
        const float width = extent.right + kSide - left;
        item.rect.width = std::max(std::ceil(width), std::ceil(item.rect.width));
        item.rect.height = extent.bottom - extent.top + kTitle + kFork + kBottom;
        const Point origin{std::floor(left - (comesIn ? 0 : (item.rect.width - width) / 2)), extent.top - kTitle - kFork};
        m_axis[frame] = item.rect.width / 2;
        if (plan.mainPort != kNone)
            m_axis[frame] = std::clamp(layout.centers[plan.mainPort].x - origin.x, 0.F, item.rect.width);
        return origin;
    }

    /// A link's route relative to `origin`: its ends are moved to where the frames' borders are crossed.
    BezierPath routeOf(Index body, const Link& link, const BezierPath& engineRoute, Point origin, const Extent& extent)
    {
        BezierPath route = engineRoute;
        if (route.empty())
            return route;
        for (Point& point : route) {
            point.x -= origin.x;
            point.y -= origin.y;
        }
        if (link.to == kNone)
            pressBottom(route, extent.bottom - origin.y);
        if (link.from == kNone) {
            pressTop(route, extent.top - origin.y);
            m_entryPorts[portKey(body - 1, link.producer)] = route.front().x;
        } else if (m_collapsed.entries[link.from].kind == ItemKind::frame) {
            moveStart(route, m_picture.items[link.from].rect.x + m_exitPorts[portKey(link.from, link.producer)]);
        }
        if (link.to == kNone)
            m_exitPorts[portKey(body - 1, link.producer)] = route.back().x;
        else if (m_collapsed.entries[link.to].kind == ItemKind::frame)
            moveEnd(route, m_picture.items[link.to].rect.x + m_entryPorts[portKey(link.to, link.producer)]);
        return route;
    }

    /// Squeezes what lies below the children into the frame's lower margin.
    static void pressBottom(BezierPath& route, float bottom)
    {
        const float end = route.back().y;
        for (Point& point : route) {
            if (point.y > bottom && end > bottom)
                point.y = bottom + (point.y - bottom) * kBottom / (end - bottom);
        }
        route.back().y = bottom + kBottom;
    }

    /// The same for what lies above them, and on to the upper border.
    static void pressTop(BezierPath& route, float top)
    {
        const float start = route.front().y;
        for (Point& point : route) {
            if (point.y < top && start < top)
                point.y = top - (top - point.y) * kFork / (top - start);
        }
        const Point fork{route.front().x, route.front().y};
        const Point border{fork.x, 0};
        route.front() = fork;
        route.insert(route.begin(), {border, {fork.x, fork.y / 3}, {fork.x, fork.y * 2 / 3}});
    }

    void makeAbsolute()
    {
        for (Item& item : m_picture.items) { // frames first
            if (item.parent) {
                item.rect.x += m_picture.items[item.parent.index()].rect.x;
                item.rect.y += m_picture.items[item.parent.index()].rect.y;
            }
            for (Chip& chip : item.chips) {
                chip.rect.x += item.rect.x;
                chip.rect.y += item.rect.y;
            }
        }
    }

    void drawEdges()
    {
        for (Index d = 0; d < m_dependencies.size(); ++d) {
            PictureEdge edge{ItemId(m_dependencies[d].from), ItemId(m_dependencies[d].to), {}, m_dependencies[d].values};
            for (Index i = m_links.pathStart[d]; i < m_links.pathStart[d + 1]; ++i) {
                const Index link = m_links.path[i];
                const Index body = m_links.links[link].body;
                const Rect around = body == 0 ? Rect() : m_picture.items[body - 1].rect;
                append(edge.path, m_routes[link], {around.x, around.y});
            }
            m_picture.edges.push_back(std::move(edge));
        }
    }

    const collapse::Collapsed& m_collapsed;
    const std::vector<collapse::Dependency>& m_dependencies;
    const LayoutEngine& m_engine;
    const PictureOptions& m_options;
    Picture& m_picture;
    ProgressMonitor& m_monitor;
    const Links m_links;
    std::vector<BezierPath> m_routes; ///< per link, from the upper left corner of the body's frame
    std::vector<float> m_axis;        ///< per entry of a frame: where the main path runs, from its left
    double m_allBytes = 1;
    double m_allOps = 1;
    double m_allValueBytes = 1;
    std::vector<double> m_valueBytes; ///< per entry: of the values that it makes
    PortPlaces m_entryPorts;
    PortPlaces m_exitPorts;
    std::unordered_map<std::string, BoxLayout> m_cache;
    std::unordered_map<std::string, Point> m_previous; ///< former centres, from the corner of the frame around
};

} // namespace

Result<void> composePicture(const Graph& graph, const collapse::Collapsed& collapsed,
                            const std::vector<collapse::Dependency>& dependencies, const LayoutEngine& engine,
                            const PictureOptions& options, Picture& picture, ProgressMonitor& monitor)
{
    return Composer(graph, collapsed, dependencies, engine, options, picture, monitor).run();
}

} // namespace sunder::compose
