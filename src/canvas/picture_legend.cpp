#include "canvas/picture_legend.h"

#include "canvas/canvas_overlay.h"
#include "canvas/canvas_scene.h"
#include "canvas/picture_painter.h"
#include "layout/picture/picture_index.h"

#include <QCoreApplication>
#include <QPainter>

#include <array>
#include <utility>

namespace sunder {
namespace {

constexpr Size kSampleRoom{190, 62};

QString legendText(const char* text)
{
    return QCoreApplication::translate("PictureLegend", text);
}

/// Draws ops in sequence; nodes are numbered in order of creation.
class LegendDrawing {
public:
    ItemId op(Rect rect, const char* title, const char* name)
    {
        return add({.kind = ItemKind::node, .rect = rect, .title = title, .subtitle = name}, 1);
    }
    ItemId module(Rect rect, const char* title, const char* cls)
    {
        Item item{.kind = ItemKind::module, .rect = rect, .title = title, .subtitle = cls, .key = title};
        item.canOpen = true;
        return add(std::move(item), 2);
    }
    void edge(ItemId from, ItemId to, bool isCut = false)
    {
        const Rect& a = m_picture.items[from.index()].rect;
        const Rect& b = m_picture.items[to.index()].rect;
        const Point start{a.right(), a.center().y};
        const Point end{b.x, b.center().y};
        const float bend = (end.x - start.x) / 2;
        m_picture.edges.push_back({.from = from,
                                   .to = to,
                                   .path = {start, {start.x + bend, start.y}, {end.x - bend, end.y}, end},
                                   .values = {m_picture.items[from.index()].node},
                                   .isCut = isCut});
    }
    Item& item(ItemId id) { return m_picture.items[id.index()]; }
    Picture finish()
    {
        m_picture.size = kSampleRoom;
        return std::move(m_picture);
    }

private:
    ItemId add(Item item, std::uint32_t nodes)
    {
        const ItemId id(static_cast<std::uint32_t>(m_picture.items.size()));
        for (std::uint32_t i = 0; i < nodes; ++i) {
            item.nodes.emplace_back(static_cast<std::uint32_t>(m_picture.itemOf.size()));
            m_picture.itemOf.push_back(id);
        }
        item.node = item.kind == ItemKind::node ? item.nodes.front() : NodeId();
        item.opCount = nodes;
        m_picture.items.push_back(std::move(item));
        return id;
    }

    Picture m_picture;
};

constexpr Rect kSampleOp{35, 11, 120, 40};
constexpr Rect kFirstOp{8, 16, 62, 30};
constexpr Rect kSecondOp{120, 16, 62, 30};

Picture oneOp()
{
    LegendDrawing drawn;
    drawn.op(kSampleOp, "linear", "linear_3");
    return drawn.finish();
}

Picture oneModule()
{
    LegendDrawing drawn;
    drawn.module(kSampleOp, "layers.0", "Block");
    return drawn.finish();
}

Picture twoOps(bool isCut)
{
    LegendDrawing drawn;
    const ItemId from = drawn.op(kFirstOp, "add", "");
    const ItemId to = drawn.op(kSecondOp, "relu", "");
    drawn.edge(from, to, isCut);
    return drawn.finish();
}

Picture opWithChip(const char* text, ChipKind kind)
{
    LegendDrawing drawn;
    const ItemId op = drawn.op({8, 11, 100, 40}, "add", "add_1");
    drawn.item(op).chips.push_back({.rect = {114, 23, 68, 16}, .text = text, .value = NodeId(0U), .kind = kind});
    return drawn.finish();
}

/// Gives all nodes this tag.
std::function<void(PictureStyle&)> withTag(std::int32_t tag)
{
    return [tag](PictureStyle& style) { style.tagOf.assign(8, tag); };
}

/// Adds the first node of the picture to this set.
std::function<void(PictureStyle&)> inSet(NodeSet PictureStyle::* set)
{
    return [set](PictureStyle& style) { (style.*set).insert(NodeId(0U)); };
}

void addColors(std::vector<LegendEntry>& all)
{
    const QString group = legendText("Colors");
    all.push_back({group, legendText("An op without a tag"), oneOp()});
    all.push_back({group, legendText("An op with a tag: its color, and its code at the right"), oneOp(), withTag(0)});
    all.push_back({group, legendText("A closed module: the strip divides its parameter bytes among its tags"), oneModule(),
                   [](PictureStyle& style) { style.tagOf = {0, 1}; }});
    all.push_back(
        {group, legendText("With a pattern: a part of a run, or one of the tags after the eighth"), oneOp(), withTag(2)});
    LegendDrawing pointed;
    const ItemId before = pointed.op({4, 16, 50, 30}, "mul", "");
    const ItemId at = pointed.op({70, 16, 50, 30}, "add", "");
    const ItemId after = pointed.op({136, 16, 50, 30}, "relu", "");
    pointed.edge(before, at);
    pointed.edge(at, after);
    all.push_back(
        {group, legendText("At the pointer: teal for the inputs of the op, orange for its users"), pointed.finish(), {}, at});
}

void addRings(std::vector<LegendEntry>& all)
{
    const QString group = legendText("Rings");
    all.push_back({group, legendText("Selected"), oneOp(), inSet(&PictureStyle::selected)});
    all.push_back({group, legendText("Dashed: contains selected items"), oneModule(), inSet(&PictureStyle::selected)});
    all.push_back({group, legendText("A second ring: found by the search"), oneOp(), inSet(&PictureStyle::found)});
    all.push_back({group, legendText("Dotted: the counterpart of the item under the pointer in another pane"), oneOp(),
                   inSet(&PictureStyle::counterparts)});
}

void addMarks(std::vector<LegendEntry>& all)
{
    const QString group = legendText("Marks");
    all.push_back({group, legendText("Red diamond and dashed border: it blocks the split, e.g. because it has no tag"), oneOp(),
                   inSet(&PictureStyle::marked)});
    all.push_back({group, legendText("Amber diamond: it has a note, e.g. on a weight that several parts would duplicate"),
                   oneOp(), [](PictureStyle& style) {
                       style.tagOf.assign(8, 0);
                       style.noted.insert(NodeId(0U));
                   }});
    all.push_back({group, legendText("Triangle: a closed module, which opens with a double-click or Enter"), oneModule()});
}

void addEdges(std::vector<LegendEntry>& all)
{
    const QString group = legendText("Edges");
    all.push_back({group, legendText("The second op uses a value of the first"), twoOps(false)});
    all.push_back({group, legendText("Thin: the edge leads into another column"), twoOps(true)});
    all.push_back({group, legendText("Red and dashed: it runs backward, from a later tag to an earlier one"), twoOps(false),
                   [](PictureStyle& style) {
                       style.tagOf = {1, 0};
                       style.backward.push_back({NodeId(0U), NodeId(1U), {}, {}});
                   }});
    all.push_back({group, legendText("A label: a value from elsewhere that many ops use"), opWithChip("mask", ChipKind::value)});
    all.push_back({group, legendText("An arrow in it: the other end of the edge is in another column"),
                   opWithChip("→ layers.4", ChipKind::goesTo)});
    LegendEntry small{group, legendText("A dot: such a label, too small to be read at this zoom"),
                      opWithChip("mask", ChipKind::value)};
    small.zoom = 0.6;
    all.push_back(std::move(small));
}

} // namespace

std::vector<LegendEntry> pictureLegend()
{
    std::vector<LegendEntry> all;
    addColors(all);
    addRings(all);
    addMarks(all);
    addEdges(all);
    return all;
}

QPixmap legendSample(const LegendEntry& entry, const Theme& theme, double pixelRatio)
{
    CanvasScene scene;
    scene.setPicture(scenePictureOf(std::make_shared<const Picture>(entry.picture)));
    PictureStyle& style = scene.editStyle();
    style.theme = &theme;
    style.tags = tagLooks(theme, {intern("stage0"), intern("stage1"), intern("part2")});
    style.tags.back().style = tagStyle(theme, theme.tags.size() + 2);
    style.tagOf.assign(8, PictureStyle::kUntagged);
    if (entry.style)
        entry.style(style);
    QPixmap sample(kLegendSample * pixelRatio);
    sample.setDevicePixelRatio(pixelRatio);
    sample.fill(theme.canvas);
    QPainter painter(&sample);
    const PaintContext context{.picture = scene.picture(),
                               .style = scene.style(),
                               .looks = scene.looks(),
                               .camera = Camera::fitting(scene.bounds(), kLegendSample, 0, entry.zoom),
                               .view = QRectF(QPointF(), kLegendSample),
                               .pixelRatio = pixelRatio};
    paintPicture(painter, context, scene.index());
    paintRelations(painter, context, scene, entry.pointed);
    return sample;
}

} // namespace sunder
