#include "layout/picture/picture_bodies.h"

#include "layout/picture/item_looks.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>

namespace sunder {
namespace {

constexpr float kNear = 0.5F; ///< tolerance for points on a border

using BodyIndex = std::uint32_t;

/// The place of a box.
struct BoxPlace {
    BodyIndex body = BodyBox::kNoBody;
    std::uint32_t box = 0;
};

/// Adds the new bodies of one picture.
class BodyCutter {
public:
    BodyCutter(PictureBodies& all, std::unordered_map<std::string, BoxPlace>& waiting, const TextWidth& textWidth)
        : m_all(all), m_picture(*all.pictures.back()), m_waiting(waiting), m_textWidth(textWidth),
          m_index(static_cast<std::uint32_t>(all.pictures.size() - 1)), m_bodyOf(m_picture.items.size(), BodyBox::kNoBody),
          m_boxOf(m_picture.items.size())
    {
    }

    /// Returns whether there are new bodies. Replaces `waiting` by the boxes whose bodies are still missing.
    bool run()
    {
        const std::size_t known = m_all.bodies.size();
        if (m_index == 0)
            m_all.bodies.push_back({.size = m_picture.size});
        for (std::uint32_t i = 0; i < m_picture.items.size(); ++i) // frames precede their contents
            add(ItemId(i));
        m_waiting = std::move(m_next);
        if (m_all.bodies.size() == known)
            return false;
        for (const PictureEdge& edge : m_picture.edges)
            cut(edge);
        return true;
    }

private:
    [[nodiscard]] bool isRight() const { return m_picture.direction == FlowDirection::right; }
    [[nodiscard]] const Item& item(ItemId id) const { return m_picture.items[id.index()]; }
    [[nodiscard]] Rect frameRect(ItemId frame) const { return frame ? item(frame).rect : Rect(); }
    [[nodiscard]] BodyIndex bodyAround(ItemId id) const
    {
        if (const ItemId parent = item(id).parent)
            return m_bodyOf[parent.index()];
        return m_index == 0 ? 0 : BodyBox::kNoBody;
    }

    void add(ItemId id)
    {
        const Item& shown = item(id);
        const bool isFrame = shown.kind == ItemKind::frame;
        const BodyIndex around = bodyAround(id);
        const auto known = isFrame ? m_waiting.find(shown.key) : m_waiting.end();
        if (around == BodyBox::kNoBody && known == m_waiting.end())
            return;
        if (isFrame) {
            m_bodyOf[id.index()] = static_cast<BodyIndex>(m_all.bodies.size());
            m_all.bodies.push_back({.picture = m_index, .frame = id, .size = {shown.rect.width, shown.rect.height}});
        }
        if (around == BodyBox::kNoBody) {
            m_all.bodies[known->second.body].boxes[known->second.box].body = m_bodyOf[id.index()];
            return;
        }
        std::vector<BodyBox>& boxes = m_all.bodies[around].boxes;
        m_boxOf[id.index()] = {around, static_cast<std::uint32_t>(boxes.size())};
        const Rect origin = frameRect(shown.parent);
        boxes.push_back({.picture = m_index,
                         .item = id,
                         .rect = {shown.rect.x - origin.x, shown.rect.y - origin.y, shown.rect.width, shown.rect.height},
                         .closed = isFrame ? closedSize(shown) : Size{shown.rect.width, shown.rect.height},
                         .body = m_bodyOf[id.index()],
                         .isOpen = isFrame});
        if (!isFrame && shown.canOpen)
            m_next.emplace(shown.key, m_boxOf[id.index()]);
    }

    [[nodiscard]] Size closedSize(Item frame) const
    {
        frame.kind = frame.copies > 1 ? ItemKind::run : ItemKind::module;
        collapse::sizeClosed(frame, m_textWidth);
        return {frame.rect.width, frame.rect.height};
    }

    /// Returns the frames around an item, the innermost first.
    [[nodiscard]] std::vector<ItemId> framesAround(ItemId id) const
    {
        std::vector<ItemId> frames;
        for (ItemId frame = item(id).parent; frame; frame = item(frame).parent)
            frames.push_back(frame);
        return frames;
    }

    /// Divides an edge at the borders of the frames that it crosses.
    void cut(const PictureEdge& edge)
    {
        if (edge.path.empty())
            return;
        std::vector<ItemId> left = framesAround(edge.from);
        std::vector<ItemId> entered = framesAround(edge.to);
        ItemId common;
        while (!left.empty() && !entered.empty() && left.back() == entered.back()) {
            common = left.back();
            left.pop_back();
            entered.pop_back();
        }
        std::size_t at = 0;
        ItemId from = edge.from;
        for (const ItemId frame : left) {
            const std::size_t end = leaves(edge.path, at, item(frame).rect);
            addEdge(edge, frame, from, ItemId(), at, end);
            from = frame;
            at = end;
        }
        std::reverse(entered.begin(), entered.end());
        ItemId around = common;
        for (const ItemId frame : entered) {
            const std::size_t end = enters(edge.path, at, item(frame).rect);
            addEdge(edge, around, from, frame, at, end);
            around = frame;
            from = ItemId();
            at = end;
        }
        addEdge(edge, around, from, edge.to, at, edge.path.size() - 1);
    }

    /// Returns the first end of a curve from `at` on that is on the border where edges leave the frame.
    [[nodiscard]] std::size_t leaves(const BezierPath& path, std::size_t at, const Rect& frame) const
    {
        while (at + 3 < path.size() && (isRight() ? path[at].x < frame.right() - kNear : path[at].y < frame.bottom() - kNear))
            at += 3;
        return at;
    }

    /// The same for the border where edges enter.
    [[nodiscard]] std::size_t enters(const BezierPath& path, std::size_t at, const Rect& frame) const
    {
        const auto isOn = [&](Point point) {
            const bool isWithin = isRight() ? point.y >= frame.y - kNear && point.y <= frame.bottom() + kNear
                                            : point.x >= frame.x - kNear && point.x <= frame.right() + kNear;
            return isWithin && std::fabs(isRight() ? point.x - frame.x : point.y - frame.y) <= kNear;
        };
        while (at + 3 < path.size() && !isOn(path[at]))
            at += 3;
        return at;
    }

    /// Adds a piece of an edge to the body of a frame; invalid items: its border.
    void addEdge(const PictureEdge& edge, ItemId frame, ItemId from, ItemId to, std::size_t begin, std::size_t end)
    {
        const BodyIndex body = frame ? m_bodyOf[frame.index()] : m_index == 0 ? 0 : BodyBox::kNoBody;
        if (body == BodyBox::kNoBody)
            return;
        BodyEdge piece{.values = edge.values, .bytes = edge.bytes, .isCut = edge.isCut};
        if (from)
            piece.from = m_boxOf[from.index()].box;
        if (to)
            piece.to = m_boxOf[to.index()].box;
        // A value that leaves for several consumers has one exit.
        if (!to && !m_exits.emplace(body, piece.from, piece.values).second)
            return;
        const Rect origin = frameRect(frame);
        for (std::size_t i = begin; i <= end; ++i)
            piece.path.push_back({edge.path[i].x - origin.x, edge.path[i].y - origin.y});
        m_all.bodies[body].edges.push_back(std::move(piece));
    }

    PictureBodies& m_all;
    const Picture& m_picture;
    std::unordered_map<std::string, BoxPlace>& m_waiting; ///< by key: boxes whose bodies are in this picture
    std::unordered_map<std::string, BoxPlace> m_next;     ///< by key: boxes whose bodies are in the next one
    const TextWidth& m_textWidth;
    std::uint32_t m_index;
    std::vector<BodyIndex> m_bodyOf; ///< per item: of new frames
    std::vector<BoxPlace> m_boxOf;   ///< per item in a new body
    std::set<std::tuple<BodyIndex, std::uint32_t, std::vector<NodeId>>> m_exits;
};

} // namespace

Result<PictureBodies> pictureBodies(const Program& program, GraphId graph, std::shared_ptr<const Picture> picture,
                                    PictureOptions options, const LayoutEngine& engine, ProgressMonitor& monitor)
{
    PictureBodies all;
    std::unordered_map<std::string, BoxPlace> waiting;
    all.pictures.push_back(std::move(picture));
    options.columns = {};
    options.previous = nullptr;
    double done = 0; // the number of levels is not known
    while (BodyCutter(all, waiting, options.textWidth).run() && !waiting.empty()) {
        for (const auto& [key, place] : waiting) {
            options.open.insert(key);
            options.closed.erase(key);
        }
        SubProgress section(monitor, done, (done + 1) / 2);
        SUNDER_TRY(Picture next, buildPicture(program, graph, options, engine, section));
        all.pictures.push_back(std::make_shared<const Picture>(std::move(next)));
        done = (done + 1) / 2;
    }
    return all;
}

} // namespace sunder
