#include "layout/compose/composer.h"

#include "ir/tensor_meta.h"
#include "layout/compose/compose_plan.h"
#include "layout/picture/item_chips.h"
#include "support/progress_monitor.h"

#include <algorithm>
#include <cmath>

namespace sunder::compose {
namespace {

constexpr float kTitle = 22;  ///< height of a frame's title, which edges cross vertically
constexpr float kTitleBend = 16; ///< extra height if edges cross the title at another x than below it
constexpr float kFork = 18;   ///< from there to the contents
constexpr float kSide = 14;   ///< left and right of the contents
constexpr float kBottom = 16; ///< below the contents
constexpr float kTitleStart = 20; ///< x of the title text, after the triangle
constexpr float kTitleGap = 12;   ///< between and after title texts
constexpr float kTitleRest = 22;  ///< around the right-hand text
constexpr float kMaxAside = 72;  ///< maximum widening of a frame to keep the main path off its title
constexpr float kPictureEdge = 8; ///< around the whole picture
constexpr float kSameX = 0.25F;   ///< smaller offsets get no bend

std::uint64_t portKey(Index frame, Index producer)
{
    return (std::uint64_t{frame} << 32U) | producer;
}

/// Compresses the route below the children into the frame's bottom margin.
void pressBottom(BezierPath& route, float bottom, float margin)
{
    const float end = route.back().y;
    for (Point& point : route) {
        if (point.y > bottom && end > bottom)
            point.y = bottom + (point.y - bottom) * margin / (end - bottom);
    }
    route.back().y = bottom + margin;
}

/// Compresses the route above the children likewise.
void pressTop(BezierPath& route, float top)
{
    const float start = route.front().y;
    for (Point& point : route) {
        if (point.y < top && start < top)
            point.y = top - (top - point.y) * kFork / (top - start);
    }
}

/// Extends a route through the title to the top border.
void leadThroughTitle(BezierPath& route, float border)
{
    const Point fork = route.front();
    if (std::fabs(border - fork.x) > kSameX) {
        const float middle = (kTitle + fork.y) / 2;
        route.insert(route.begin(), {{border, kTitle}, {border, middle}, {fork.x, middle}});
    }
    const float below = route.front().y;
    route.insert(route.begin(), {{border, 0}, {border, below / 3}, {border, below * 2 / 3}});
    route[3].x = border;
}

} // namespace

Composer::Composer(const Composition& composition, BodyLayouts& layouts, ColumnRule rule, std::vector<Item>& items,
                   ProgressMonitor& monitor)
    : m_of(composition), m_placer(layouts, rule), m_items(items), m_monitor(monitor), m_routes(composition.links.links.size()),
      m_axis(composition.collapsed.entries.size(), 0), m_columnOf(composition.collapsed.entries.size(), 0),
      m_hasColumns(composition.collapsed.entries.size(), false)
{
    for (const Index entry : composition.collapsed.roots) {
        m_allBytes += static_cast<double>(items[entry].bytes);
        m_allOps += items[entry].opCount;
    }
    noteValues();
    if (isRight()) {
        for (Item& item : items)
            std::swap(item.rect.width, item.rect.height);
    }
}

Result<void> Composer::run()
{
    const auto bodies = static_cast<Index>(m_of.collapsed.entries.size() + 1);
    const auto all = static_cast<double>(bodies);
    double done = 0;
    for (Index body = bodies; body-- > 0;) { // inner frames first; enclosing frames have lower entries
        if (body > 0 && m_of.collapsed.entries[body - 1].kind != ItemKind::frame)
            continue;
        const double after = done + static_cast<double>(childrenOf(body).size()) / all;
        SubProgress section(m_monitor, done, after);
        SUNDER_PROPAGATE(placeBody(body, section));
        done = after;
        m_monitor.report(done, "Placing");
    }
    return {};
}

std::vector<PictureEdge> Composer::finish(const std::vector<bool>& isCut)
{
    makeAbsolute();
    std::vector<PictureEdge> edges;
    edges.reserve(m_of.dependencies.size());
    for (Index d = 0; d < m_of.dependencies.size(); ++d) {
        const collapse::Dependency& dependency = m_of.dependencies[d];
        PictureEdge edge{ItemId(dependency.from), ItemId(dependency.to), {}, dependency.values};
        edge.isCut = isCut[d];
        for (Index i = m_of.links.pathStart[d]; i < m_of.links.pathStart[d + 1]; ++i) {
            const Index index = m_of.links.path[i];
            const Link& link = m_of.links.links[index];
            if (m_routes[index].empty() && m_columns.contains(link.body)) {
                append(edge.path, columnRouteOf(link), {});
                continue;
            }
            const Rect around = link.body == 0 ? Rect() : m_items[link.body - 1].rect;
            append(edge.path, m_routes[index], {around.x, around.y});
        }
        edges.push_back(std::move(edge));
    }
    if (isRight())
        exchangeAxes(edges);
    placeChipsAbsolutely();
    return edges;
}

/// Converts the layout from downward edges to edges to the right.
void Composer::exchangeAxes(std::vector<PictureEdge>& edges)
{
    std::swap(m_size.width, m_size.height);
    for (Item& item : m_items)
        item.rect = {item.rect.y, item.rect.x, item.rect.height, item.rect.width};
    for (PictureEdge& edge : edges) {
        for (Point& point : edge.path)
            std::swap(point.x, point.y);
    }
}

const std::vector<Index>& Composer::childrenOf(Index body) const
{
    return body == 0 ? m_of.collapsed.roots : m_of.collapsed.entries[body - 1].children;
}

Result<void> Composer::placeBody(Index body, ProgressMonitor& monitor)
{
    std::vector<ChildBox> children;
    const std::span<const Link> links = m_of.links.linksOf(body);
    for (const Index entry : childrenOf(body)) {
        children.push_back({entry, boxOf(entry), workOf(entry), m_items[entry].kind != ItemKind::node, m_hasColumns[entry],
                            m_hasColumns[entry] ? exitAside(entry, links) : 0});
    }
    SUNDER_TRY(const PlacedBody placed, m_placer.place(children, links, monitor));
    settle(body, placed, children);
    if (body > 0) {
        const auto isFurther = [](Index column) { return column > 0; };
        const auto holdsColumns = [](const ChildBox& child) { return child.hasColumns; };
        m_hasColumns[body - 1] = std::any_of(placed.columnOf.begin(), placed.columnOf.end(), isFurther)
            || std::any_of(children.begin(), children.end(), holdsColumns);
    }
    return {};
}

/// Work of an entry: the sum of its shares of all weight bytes read, of all value bytes produced, and of all ops.
double Composer::workOf(Index entry) const
{
    const Item& item = m_items[entry];
    const double values = m_valueBytes[entry] / m_allValueBytes;
    return values + static_cast<double>(item.bytes) / m_allBytes + (1.0 + item.opCount) / m_allOps;
}

/// Centers a frame's box at its axis, because the main path runs through it.
BoxGraph::Box Composer::boxOf(Index entry) const
{
    const Item& item = m_items[entry];
    if (item.kind != ItemKind::frame)
        return {{item.rect.width, item.rect.height}, chipRoom(item)};
    const float left = m_axis[entry];
    const float right = item.rect.width - left;
    const float half = std::min(left, right);
    return {{2 * half, item.rect.height}, right - half, left - half};
}

/// Distance from a frame's axis to the exit of its largest value, to the right.
float Composer::exitAside(Index entry, std::span<const Link> links) const
{
    Index main = kNone;
    for (const Link& link : links) {
        if (link.from == entry && (main == kNone || m_valueBytes[link.producer] > m_valueBytes[main]))
            main = link.producer;
    }
    const auto exit = m_exitPorts.find(portKey(entry, main));
    return exit == m_exitPorts.end() ? 0 : exit->second - m_axis[entry];
}

/// Space for chips to the right of an item.
float Composer::chipRoom(const Item& item) const
{
    float end = item.rect.width;
    for (const Chip& chip : item.chips)
        end = std::max(end, isRight() ? chip.rect.bottom() : chip.rect.right());
    return end - item.rect.width;
}

void Composer::noteValues()
{
    m_valueBytes.assign(m_of.collapsed.entries.size(), 0);
    for (const collapse::Dependency& dependency : m_of.dependencies) {
        double bytes = 0;
        for (const NodeId value : dependency.values) {
            const std::optional<Argument>& val = m_of.graph.node(value).meta.val;
            bytes += val ? static_cast<double>(byteSize(*val).value_or(0)) : 0;
        }
        m_valueBytes[dependency.from] = std::max(m_valueBytes[dependency.from], bytes);
    }
    for (const double bytes : m_valueBytes)
        m_allValueBytes += bytes;
}

/// Applies a body's layout: children and routes become relative to the frame's top-left corner.
void Composer::settle(Index body, const PlacedBody& placed, const std::vector<ChildBox>& children)
{
    Extent extent;
    for (Index i = 0; i < children.size(); ++i) {
        Item& item = m_items[children[i].entry];
        const Point center = placed.centers[i];
        const bool isFrame = item.kind == ItemKind::frame;
        m_columnOf[children[i].entry] = placed.columnOf[i];
        item.rect.x = center.x - (isFrame ? m_axis[children[i].entry] : item.rect.width / 2);
        item.rect.y = center.y - item.rect.height / 2;
        extent.addX(item.rect.x);
        extent.addX(item.rect.right() + chipRoom(item));
        extent.addY(item.rect.y);
        extent.addY(item.rect.bottom());
    }
    for (const BezierPath& route : placed.routes) {
        for (const Point& point : route)
            extent.addX(point.x);
    }
    if (children.empty())
        extent = {0, 0, 0, 0};
    const Point origin = body == 0 ? placePicture(extent)
        : isRight()                ? placeFrameToTheRight(body - 1, placed, extent)
                                   : placeFrame(body - 1, placed, extent);
    for (const ChildBox& child : children) {
        m_items[child.entry].rect.x -= origin.x;
        m_items[child.entry].rect.y -= origin.y;
    }
    if (!placed.gaps.empty()) {
        BodyColumns& columns = m_columns[body];
        columns = {placed.gaps, extent.top - origin.y, extent.bottom - origin.y}; // relative to the frame until makeAbsolute()
        for (float& gap : columns.gaps)
            gap -= origin.x;
    }
    const std::span<const Link> links = m_of.links.linksOf(body);
    for (Index i = 0; i < links.size(); ++i)
        m_routes[m_of.links.bodyStart[body] + i] = routeOf(body, links[i], placed.routes[i], origin, extent);
}

Point Composer::placePicture(const Extent& extent)
{
    m_size = {extent.right - extent.left + 2 * kPictureEdge, extent.bottom - extent.top + 2 * kPictureEdge};
    return {extent.left - kPictureEdge, extent.top - kPictureEdge};
}

/// End of the left-hand texts of a frame's title.
float Composer::titleEnd(const Item& frame) const
{
    return kTitleStart + m_of.textWidth(frame.title, TextRole::title) + kTitleGap + m_of.textWidth(frame.subtitle, TextRole::mono)
        + kTitleGap;
}

/// Start of the right-hand text of a frame's title, measured from the right border.
float Composer::titleRest(const Item& frame) const
{
    return frame.detail.empty() ? kTitleGap : m_of.textWidth(frame.detail, TextRole::mono) + kTitleRest;
}

TitlePorts Composer::titlePorts(Index body, const PlacedBody& placed) const
{
    TitlePorts ports;
    const std::span<const Link> links = m_of.links.linksOf(body);
    for (Index i = 0; i < links.size(); ++i) {
        if (links[i].from == kNone && !placed.routes[i].empty())
            ports.add(links[i].producer, placed.routes[i].front().x);
    }
    return ports;
}

/// Sizes the frame to fit its body. Returns its top-left corner in the coordinates of the body.
Point Composer::placeFrame(Index frame, const PlacedBody& placed, const Extent& extent)
{
    Item& item = m_items[frame];
    TitlePorts ports = titlePorts(frame + 1, placed);
    const bool comesIn = placed.comesIn && !ports.isEmpty();
    const float title = titleEnd(item);
    const float rest = titleRest(item);
    float least = std::ceil(item.rect.width);
    if (!ports.isEmpty())
        least = std::max(least, title + ports.leastRoom() + rest);
    float left = extent.left - kSide;
    if (comesIn) { // put the main path next to the title instead of bending it
        const float aside = std::max(kMaxAside, least - (extent.right + kSide - left));
        left -= std::clamp(title - (*placed.mainPort - left), 0.F, aside);
    }
    const float width = extent.right + kSide - left;
    item.rect.width = std::ceil(std::max(width, least));
    const float x = std::floor(left - (comesIn ? 0 : (item.rect.width - width) / 2));
    const float bend = ports.place(x + title, x + item.rect.width - rest) ? kTitleBend : 0;
    item.rect.height = extent.bottom - extent.top + kTitle + bend + kFork + kBottom;
    const std::span<const Link> links = m_of.links.linksOf(frame + 1);
    for (Index i = 0; i < links.size(); ++i) {
        if (links[i].from == kNone && !placed.routes[i].empty())
            m_entryPorts[portKey(frame, links[i].producer)] = ports.borderOf(links[i].producer) - x;
    }
    m_axis[frame] = item.rect.width / 2;
    if (placed.mainPort) {
        const float main = comesIn ? ports.borderAt(*placed.mainPort) : *placed.mainPort;
        m_axis[frame] = std::clamp(main - x, 0.F, item.rect.width);
    }
    return {x, extent.top - kTitle - bend - kFork};
}

/// The same for edges to the right. The title runs along the side, where no edge crosses it, and the frame is at least as high as
/// the title is long.
Point Composer::placeFrameToTheRight(Index frame, const PlacedBody& placed, const Extent& extent)
{
    Item& item = m_items[frame];
    const float left = extent.left - kTitle - kSide;
    item.rect.width = std::ceil(extent.right + kSide - left);
    item.rect.height = std::ceil(std::max(item.rect.height, extent.bottom - extent.top + kFork + kBottom));
    const std::span<const Link> links = m_of.links.linksOf(frame + 1);
    for (Index i = 0; i < links.size(); ++i) {
        if (links[i].from == kNone && !placed.routes[i].empty())
            m_entryPorts[portKey(frame, links[i].producer)] = placed.routes[i].front().x - left;
    }
    m_axis[frame] = std::clamp(placed.mainPort ? *placed.mainPort - left : item.rect.width / 2, 0.F, item.rect.width);
    return {left, extent.top - kFork};
}

/// Returns a link's route relative to `origin`, with its ends moved to the crossings of the frames' borders.
BezierPath Composer::routeOf(Index body, const Link& link, const BezierPath& engineRoute, Point origin, const Extent& extent)
{
    BezierPath route = engineRoute;
    if (route.empty())
        return route;
    for (Point& point : route) {
        point.x -= origin.x;
        point.y -= origin.y;
    }
    if (link.to == kNone)
        pressBottom(route, extent.bottom - origin.y, m_items[body - 1].rect.height - (extent.bottom - origin.y));
    if (link.from == kNone) {
        pressTop(route, extent.top - origin.y);
        if (!isRight())
            leadThroughTitle(route, m_entryPorts[portKey(body - 1, link.producer)]);
    } else if (m_of.collapsed.entries[link.from].kind == ItemKind::frame) {
        moveStart(route, m_items[link.from].rect.x + portAt(m_exitPorts, link.from, link.producer));
    }
    if (link.to == kNone)
        m_exitPorts[portKey(body - 1, link.producer)] = route.back().x;
    else if (m_of.collapsed.entries[link.to].kind == ItemKind::frame)
        moveEnd(route, m_items[link.to].rect.x + portAt(m_entryPorts, link.to, link.producer));
    return route;
}

/// Returns the x, from the left of the frame, where values of a producer cross its border. Without a port they cross at the axis.
float Composer::portAt(const PortPlaces& ports, Index frame, Index producer) const
{
    const auto found = ports.find(portKey(frame, producer));
    return found == ports.end() ? m_axis[frame] : found->second;
}

/// In absolute coordinates; requires makeAbsolute().
BezierPath Composer::columnRouteOf(const Link& link) const
{
    const Rect around = link.body == 0 ? Rect() : m_items[link.body - 1].rect;
    const auto portOf = [&](Index entry, const PortPlaces& ports) {
        const Item& item = m_items[entry];
        return item.rect.x + (item.kind == ItemKind::frame ? portAt(ports, entry, link.producer) : item.rect.width / 2);
    };
    ColumnEnds ends{.producer = link.producer};
    if (link.from != kNone) {
        ends.from = m_columnOf[link.from];
        ends.start = {portOf(link.from, m_exitPorts), m_items[link.from].rect.bottom()};
    } else {
        ends.start = {portOf(link.body - 1, m_entryPorts), around.y};
    }
    if (link.to != kNone) {
        ends.to = m_columnOf[link.to];
        ends.end = {portOf(link.to, m_entryPorts), m_items[link.to].rect.y};
    } else {
        ends.end = {portOf(link.body - 1, m_exitPorts), around.bottom()};
    }
    return columnRoute(ends, m_columns.at(link.body));
}

void Composer::makeAbsolute()
{
    for (Item& item : m_items) { // frames precede their contents
        if (item.parent) {
            item.rect.x += m_items[item.parent.index()].rect.x;
            item.rect.y += m_items[item.parent.index()].rect.y;
        }
    }
    for (auto& [body, columns] : m_columns) {
        const Rect around = body == 0 ? Rect() : m_items[body - 1].rect;
        for (float& gap : columns.gaps)
            gap += around.x;
        columns.top += around.y;
        columns.bottom += around.y;
    }
}

void Composer::placeChipsAbsolutely()
{
    for (Item& item : m_items) {
        for (Chip& chip : item.chips) {
            chip.rect.x += item.rect.x;
            chip.rect.y += item.rect.y;
        }
    }
}

} // namespace sunder::compose
