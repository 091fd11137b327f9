#pragma once

#include "analysis/run_order/call_effects.h"
#include "layout/picture/picture.h"
#include "test_support.h"

#include <QString>

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

/// Programs for picture tests, and checks of pictures.
namespace sunder::test {

inline Picture pictureOf(const Program& program, const PictureOptions& options = {})
{
    Result<Picture> picture = buildPicture(program, program.root, options, *makeLayeredEngine());
    if (!picture)
        throw std::runtime_error(picture.error().message);
    return std::move(*picture);
}

/// A small decoder: layers of norm, attention, and a sum, with one mask for all.
inline std::string decoder(int layers)
{
    std::string text = "x = placeholder() : 1x8\nmask = placeholder() : 8x8\ne = embed(x) : 1x8x4 @ embed Embedding\n";
    std::string last = "e";
    for (int i = 0; i < layers; ++i) {
        const std::string n = std::to_string(i);
        const std::string layer = " : 1x8x4 @ layers." + n + " Layer";
        text += "n" + n + " = norm(" + last + ")" + layer + " > layers." + n + ".norm Norm\n";
        text += "q" + n + " = linear(n" + n + ")" + layer + " > layers." + n + ".attn Attention > layers." + n
            + ".attn.q Linear\n";
        text += "a" + n + " = attend(q" + n + ", mask)" + layer + " > layers." + n + ".attn Attention\n";
        text += "s" + n + " = add(" + last + ", a" + n + ")" + layer + "\n";
        last = "s" + n;
    }
    return text + "h = linear(" + last + ") : 1x8x64 @ head Linear\noutput(h)\n";
}

/// Titles and subtitles, indented by two spaces per frame.
inline QString outlineOf(const Picture& picture)
{
    QString text;
    for (const Item& item : picture.items) {
        const char* opened = item.kind == ItemKind::frame ? "- " : "";
        text += QString(int(item.depth) * 2, u' ') + opened + QString::fromStdString(item.title) + " | "
            + QString::fromStdString(item.subtitle) + "\n";
    }
    return text;
}

inline const Item* itemTitled(const Picture& picture, const std::string& title)
{
    const auto found = std::find_if(picture.items.begin(), picture.items.end(),
                                    [&](const Item& item) { return item.title == title; });
    return found != picture.items.end() ? &*found : nullptr;
}

/// Edges as "producer → reader" by title, one per line.
inline QString edgesOf(const Picture& picture)
{
    QString text;
    for (const PictureEdge& edge : picture.edges)
        text += QString::fromStdString(picture.items[edge.from.index()].title + " > " + picture.items[edge.to.index()].title
                                       + "\n");
    return text;
}

/// Checks the invariants of pictures.
class PictureChecker {
public:
    PictureChecker(const Program& program, const Picture& picture)
        : m_graph(program.rootGraph()), m_picture(picture), m_isFolded(deadAndAssertNodes(program, program.root))
    {
    }

    QString run()
    {
        checkNodes();
        checkFrames();
        checkOverlaps();
        checkCircles();
        checkValues();
        checkEdges();
        checkCuts();
        checkReach();
        return m_faults;
    }

private:
    void fault(const QString& text)
    {
        if (m_faults.size() < 2000)
            m_faults += text + "\n";
    }

    [[nodiscard]] QString nameOf(NodeId id) const { return QString::fromStdString(m_graph.node(id).name.str()); }
    [[nodiscard]] const Item& item(ItemId id) const { return m_picture.items[id.index()]; }
    [[nodiscard]] QString titleOf(ItemId id) const { return QString::fromStdString(item(id).title + " " + item(id).subtitle); }
    [[nodiscard]] ItemId itemOf(NodeId id) const { return m_picture.itemOf[id.index()]; }

    void checkNodes()
    {
        std::vector<std::size_t> expected(m_picture.items.size(), 0);
        for (const NodeId id : m_graph.nodes()) {
            const Node& node = m_graph.node(id);
            ItemId shown = itemOf(id);
            if (!shown && (node.isCall() || node.op == Op::output))
                fault(nameOf(id) + " is in no item");
            if (shown && item(shown).kind == ItemKind::frame)
                fault(nameOf(id) + " is shown by a frame");
            for (; shown; shown = item(shown).parent) {
                const std::vector<NodeId>& nodes = item(shown).nodes;
                ++expected[shown.index()];
                if (std::count(nodes.begin(), nodes.end(), id) != 1)
                    fault(titleOf(shown) + " has not once " + nameOf(id));
            }
        }
        for (std::size_t i = 0; i < expected.size(); ++i) {
            if (m_picture.items[i].nodes.size() != expected[i])
                fault(titleOf(ItemId(i)) + " has nodes that are shown elsewhere");
        }
    }

    static bool holds(const Rect& outer, const Rect& inner)
    {
        return inner.x >= outer.x && inner.y >= outer.y && inner.right() <= outer.right() + 0.1F
            && inner.bottom() <= outer.bottom() + 0.1F;
    }

    void checkFrames()
    {
        const Rect whole{0, 0, m_picture.size.width, m_picture.size.height};
        for (std::size_t i = 0; i < m_picture.items.size(); ++i) {
            const Item& inner = m_picture.items[i];
            const Rect around = inner.parent ? item(inner.parent).rect : whole;
            if (!holds(around, inner.rect))
                fault(titleOf(ItemId(i)) + " is not inside its frame");
            for (const Chip& chip : inner.chips) {
                if (!holds(around, chip.rect))
                    fault(titleOf(ItemId(i)) + " has a chip outside the frame");
            }
            if (inner.parent
                && (item(inner.parent).kind != ItemKind::frame || inner.parent.index() >= i
                    || inner.depth != item(inner.parent).depth + 1))
                fault(titleOf(ItemId(i)) + " has a wrong parent");
        }
    }

    static bool overlap(const Rect& a, const Rect& b)
    {
        return a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom();
    }

    void checkOverlaps()
    {
        struct Box {
            Rect rect;
            std::size_t item;
        };
        std::vector<Box> boxes;
        for (std::size_t i = 0; i < m_picture.items.size(); ++i) {
            boxes.push_back({m_picture.items[i].rect, i});
            for (const Chip& chip : m_picture.items[i].chips)
                boxes.push_back({chip.rect, i});
        }
        std::sort(boxes.begin(), boxes.end(), [](const Box& a, const Box& b) { return a.rect.y < b.rect.y; });
        for (std::size_t i = 0; i < boxes.size(); ++i) {
            for (std::size_t k = i + 1; k < boxes.size() && boxes[k].rect.y < boxes[i].rect.bottom(); ++k) {
                const ItemId a(boxes[i].item);
                const ItemId b(boxes[k].item);
                if (item(a).parent == item(b).parent && overlap(boxes[i].rect, boxes[k].rect))
                    fault(titleOf(a) + " overlaps " + titleOf(b));
            }
        }
    }

    /// Returns the ancestors of an item from the outermost one, then the item.
    [[nodiscard]] std::vector<ItemId> pathTo(ItemId id) const
    {
        std::vector<ItemId> path;
        for (; id; id = item(id).parent)
            path.insert(path.begin(), id);
        return path;
    }

    void checkCircles()
    {
        std::set<std::pair<std::uint32_t, std::uint32_t>> edges; // between siblings
        for (const NodeId reader : m_graph.nodes()) {
            if (m_isFolded[reader.index()] != 0)
                continue; // folded into another item, without edges
            for (const NodeId value : m_graph.inputs(reader)) {
                const ItemId from = itemOf(value);
                const ItemId to = itemOf(reader);
                if (!from || !to || from == to || isWeight(value))
                    continue;
                const std::vector<ItemId> a = pathTo(from);
                const std::vector<ItemId> b = pathTo(to);
                std::size_t common = 0;
                while (a[common] == b[common])
                    ++common;
                edges.insert({a[common].index(), b[common].index()});
            }
        }
        std::vector<int> missing(m_picture.items.size(), 0);
        std::vector<std::vector<std::uint32_t>> out(m_picture.items.size());
        for (const auto& [from, to] : edges) {
            ++missing[to];
            out[from].push_back(to);
        }
        std::vector<std::uint32_t> ready;
        for (std::uint32_t i = 0; i < missing.size(); ++i) {
            if (missing[i] == 0)
                ready.push_back(i);
        }
        for (std::size_t i = 0; i < ready.size(); ++i) {
            for (const std::uint32_t to : out[ready[i]]) {
                if (--missing[to] == 0)
                    ready.push_back(to);
            }
        }
        if (ready.size() != missing.size())
            fault("items depend on each other in a circle");
    }

    /// Parameters and similar nodes, which have no edges.
    [[nodiscard]] bool isWeight(NodeId id) const
    {
        const Node& node = m_graph.node(id);
        return node.op == Op::getAttr || (node.op == Op::placeholder && itemOf(id) && item(itemOf(id)).node != id);
    }

    void checkValues()
    {
        std::set<std::pair<std::uint32_t, std::uint32_t>> shown; // reader, value
        for (const PictureEdge& edge : m_picture.edges) {
            for (const NodeId value : edge.values) {
                shown.insert({edge.to.index(), value.index()});
                if (itemOf(value) != edge.from)
                    fault("an edge carries " + nameOf(value) + " of another item");
            }
        }
        std::set<std::uint32_t> reached;
        for (const PictureEdge& edge : m_picture.edges)
            reached.insert(edge.to.index());
        for (std::size_t i = 0; i < m_picture.items.size(); ++i) {
            for (const Chip& chip : m_picture.items[i].chips) {
                shown.insert({std::uint32_t(i), chip.value.index()});
                for (const NodeId value : chip.more)
                    shown.insert({std::uint32_t(i), value.index()});
            }
        }
        for (const NodeId reader : m_graph.nodes()) {
            if (m_isFolded[reader.index()] != 0)
                continue; // folded into another item, without edges
            for (const NodeId value : m_graph.inputs(reader)) {
                const ItemId to = itemOf(reader);
                if (!to || isWeight(value) || isWeight(reader) || itemOf(value) == to)
                    continue;
                if (!shown.contains({to.index(), value.index()}))
                    fault(titleOf(to) + " reads " + nameOf(value) + " unseen");
                if (!reached.contains(to.index()))
                    fault(titleOf(to) + " has no edge to it");
            }
        }
    }

    void checkEdges()
    {
        for (const PictureEdge& edge : m_picture.edges) {
            const QString name = titleOf(edge.from) + " > " + titleOf(edge.to);
            if (edge.path.size() < 4 || edge.path.size() % 3 != 1) {
                fault(name + " has no path");
                continue;
            }
            const Rect& from = item(edge.from).rect;
            const Rect& to = item(edge.to).rect;
            const Point start = edge.path.front();
            const Point end = edge.path.back();
            if (std::fabs(start.y - from.bottom()) > 1 || start.x < from.x || start.x > from.right())
                fault(name + " does not start at the lower border");
            if (std::fabs(end.y - to.y) > 1 || end.x < to.x || end.x > to.right())
                fault(name + " does not end at the upper border");
        }
    }

    /// An edge that is cut at a column has chips at both ends.
    void checkCuts()
    {
        for (const PictureEdge& edge : m_picture.edges) {
            const auto chips = [&](ItemId at, ChipKind kind) {
                const std::vector<Chip>& all = item(at).chips;
                return std::count_if(all.begin(), all.end(), [kind](const Chip& chip) { return chip.kind == kind; });
            };
            if (edge.isCut && (chips(edge.from, ChipKind::goesTo) != 1 || chips(edge.to, ChipKind::comesFrom) == 0))
                fault(titleOf(edge.from) + " > " + titleOf(edge.to) + " is cut without chips at both ends");
        }
    }

    void checkReach()
    {
        std::vector<bool> byEdges(m_picture.items.size(), false);
        for (std::size_t i = 0; i < m_picture.items.size(); ++i) {
            const NodeId node = m_picture.items[i].node;
            byEdges[i] = node && m_graph.node(node).op == Op::placeholder;
        }
        for (const PictureEdge& edge : m_picture.edges) { // by reader, in execution order
            if (byEdges[edge.from.index()])
                byEdges[edge.to.index()] = true;
        }
        std::vector<bool> byNodes(m_graph.idBound(), false);
        for (const NodeId id : m_graph.nodes()) {
            const bool isInput = m_graph.node(id).op == Op::placeholder && !isWeight(id);
            const auto inputs = m_graph.inputs(id);
            const bool depends = std::any_of(inputs.begin(), inputs.end(), [&](NodeId v) { return byNodes[v.index()]; });
            byNodes[id.index()] = isInput || depends;
            if (byNodes[id.index()] && itemOf(id) && !byEdges[itemOf(id).index()])
                fault(nameOf(id) + " is not reached from an input by edges");
        }
    }

    const Graph& m_graph;
    const Picture& m_picture;
    std::vector<char> m_isFolded; ///< per node
    QString m_faults;
};

/// Returns the faults of a picture, or an empty string.
inline QString faultsOf(const Program& program, const Picture& picture)
{
    return PictureChecker(program, picture).run();
}

} // namespace sunder::test
