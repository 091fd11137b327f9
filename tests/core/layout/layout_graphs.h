#pragma once

#include "layout/box_layout.h"

#include <QString>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

/// Graphs for layout tests, and checks of layouts.
namespace sunder::test {

inline BoxGraph chainOf(unsigned count)
{
    BoxGraph graph;
    for (unsigned i = 0; i < count; ++i) {
        graph.boxes.push_back({{90.0F + float(i * 37 % 120), 34.0F + float(i % 3) * 8}});
        if (i > 0)
            graph.edges.push_back({i - 1, i});
    }
    return graph;
}

inline BoxGraph chainWithMask(unsigned count)
{
    BoxGraph graph = chainOf(count);
    graph.boxes.push_back({{120, 40}});
    for (unsigned i = 1; i < count; ++i)
        graph.edges.push_back({count, i, 0.5F});
    return graph;
}

/// "chain", "residual", "u-net", and so on. In these three, all boxes are on the main path.
inline BoxGraph graphOfKind(const QString& kind)
{
    BoxGraph graph;
    if (kind == "one box")
        graph = chainOf(1);
    else if (kind == "chain")
        graph = chainOf(12);
    else if (kind == "residual") {
        graph = chainOf(13);
        for (unsigned i = 0; i + 3 < 13; i += 3)
            graph.edges.push_back({i, i + 3});
    } else if (kind == "u-net") {
        graph = chainOf(21);
        for (unsigned i = 0; i < 9; ++i)
            graph.edges.push_back({i, 20 - i});
    } else if (kind == "dense") {
        graph = chainOf(8);
        for (unsigned i = 0; i < 8; ++i) {
            for (unsigned k = i + 2; k < 8; ++k)
                graph.edges.push_back({i, k});
        }
    } else if (kind == "experts") {
        graph = chainOf(18);
        graph.edges = {{0, 1}};
        for (unsigned i = 2; i < 10; ++i)
            graph.edges.insert(graph.edges.end(), {{1, i}, {i, 10}});
        graph.edges.push_back({10, 11});
        for (unsigned i = 12; i < 17; ++i)
            graph.edges.insert(graph.edges.end(), {{11, i}, {i, 17}});
    } else if (kind == "mask")
        graph = chainWithMask(30);
    else if (kind == "encoder") {
        graph = chainOf(16);
        for (unsigned i = 9; i < 16; ++i)
            graph.edges.push_back({7, i});
    } else if (kind == "loose boxes") {
        graph = chainOf(20);
        graph.edges = {{0, 1}, {1, 2}, {5, 6}};
    } else if (kind == "parallel edges") {
        graph = chainOf(5);
        graph.edges.insert(graph.edges.end(), {{0, 1}, {0, 1}, {0, 4}, {0, 4}, {1, 4}});
    } else if (kind == "zero-sized boxes") {
        graph = chainOf(12);
        graph.edges.insert(graph.edges.end(), {{0, 5}, {0, 7}, {2, 11}});
        graph.boxes[0].size = graph.boxes[11].size = {0, 0};
    } else if (kind == "tall next to small") {
        graph = chainOf(8);
        graph.boxes[2].size = {500, 900};
        graph.boxes[5].size = {300, 600};
        graph.edges = {{0, 1}, {1, 2}, {2, 7}, {0, 3}, {3, 4}, {4, 7}, {1, 5}, {5, 7}, {6, 7}};
    }
    return graph;
}

/// Each box but the first reads 1 to `fan` of the previous `reach` boxes.
inline BoxGraph randomGraph(unsigned seed, unsigned count, unsigned fan, unsigned reach)
{
    std::mt19937 generator(seed);
    const auto random = [&generator] { return static_cast<unsigned>(generator()); };
    BoxGraph graph = chainOf(count);
    graph.edges.clear();
    for (unsigned i = 0; i < count; ++i) {
        graph.boxes[i].extraRight = random() % 5 == 0 ? 60.0F : 0.0F;
        graph.boxes[i].extraLeft = random() % 9 == 0 ? 40.0F : 0.0F;
        for (unsigned k = random() % (fan + 1); i > 0 && k > 0; --k)
            graph.edges.push_back({i - 1 - random() % std::min(i, reach), i});
    }
    return graph;
}

inline void dropParallelEdges(BoxGraph& graph)
{
    const auto ends = [](const BoxGraph::Edge& e) { return std::pair{e.from, e.to}; };
    std::sort(graph.edges.begin(), graph.edges.end(), [&](const auto& a, const auto& b) { return ends(a) < ends(b); });
    graph.edges.erase(
        std::unique(graph.edges.begin(), graph.edges.end(), [&](const auto& a, const auto& b) { return ends(a) == ends(b); }),
        graph.edges.end());
}

inline Rect rectOf(const BoxGraph::Box& box, Point center)
{
    return {center.x - box.size.width / 2, center.y - box.size.height / 2, box.size.width, box.size.height};
}

inline bool overlap(const Rect& a, const Rect& b)
{
    return a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom();
}

/// Returns the first two boxes that overlap, including their side margins, or a box outside the drawing.
inline QString overlapOf(const BoxGraph& graph, const BoxLayout& layout)
{
    std::vector<Rect> rects;
    for (std::size_t i = 0; i < graph.boxes.size(); ++i) {
        rects.push_back(rectOf(graph.boxes[i], layout.centers[i]));
        rects.back().x -= graph.boxes[i].extraLeft;
        rects.back().width += graph.boxes[i].extraLeft + graph.boxes[i].extraRight;
        if (rects.back().x < -0.01F || rects.back().y < -0.01F || rects.back().right() > layout.size.width + 0.01F
            || rects.back().bottom() > layout.size.height + 0.01F)
            return QString("box %1 is outside").arg(i);
    }
    std::vector<std::size_t> order(rects.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return rects[a].y < rects[b].y; });
    for (std::size_t i = 0; i < order.size(); ++i) {
        for (std::size_t k = i + 1; k < order.size() && rects[order[k]].y < rects[order[i]].bottom(); ++k) {
            if (overlap(rects[order[i]], rects[order[k]]))
                return QString("boxes %1 and %2 overlap").arg(order[i]).arg(order[k]);
        }
    }
    return {};
}

inline Point pointOn(const Point* curve, float t)
{
    const float s = 1 - t;
    const float a = s * s * s;
    const float b = 3 * s * s * t;
    const float c = 3 * s * t * t;
    const float d = t * t * t;
    return {a * curve[0].x + b * curve[1].x + c * curve[2].x + d * curve[3].x,
            a * curve[0].y + b * curve[1].y + c * curve[2].y + d * curve[3].y};
}

/// Returns the first fault in the route of an edge of an acyclic graph.
inline QString routeFault(const BoxGraph& graph, const BoxLayout& layout, std::size_t e)
{
    const BezierPath& route = layout.routes[e];
    const BoxGraph::Edge& edge = graph.edges[e];
    const Rect from = rectOf(graph.boxes[edge.from], layout.centers[edge.from]);
    const Rect to = rectOf(graph.boxes[edge.to], layout.centers[edge.to]);
    if (route.size() < 4 || route.size() % 3 != 1)
        return QString("edge %1 is no chain of curves").arg(e);
    if (from.bottom() > to.y)
        return QString("edge %1 does not run down").arg(e);
    const auto isOn = [](const Rect& rect, Point p, float y) {
        return std::abs(p.y - y) < 0.01F && p.x >= rect.x - 0.51F && p.x <= rect.right() + 0.51F;
    };
    if (!isOn(from, route.front(), from.bottom()) || !isOn(to, route.back(), to.y))
        return QString("edge %1 misses a border").arg(e);
    for (std::size_t i = 0; i + 3 < route.size(); i += 3) {
        for (int step = 0; step <= 16; ++step) {
            const Point p = pointOn(&route[i], float(step) / 16);
            for (std::size_t b = 0; b < graph.boxes.size(); ++b) {
                Rect rect = rectOf(graph.boxes[b], layout.centers[b]);
                if (b != edge.from && b != edge.to) {
                    rect.x -= graph.boxes[b].extraLeft;
                    rect.width += graph.boxes[b].extraLeft + graph.boxes[b].extraRight;
                }
                if (p.x > rect.x + 0.1F && p.x < rect.right() - 0.1F && p.y > rect.y + 0.1F && p.y < rect.bottom() - 0.1F)
                    return QString("edge %1 runs through box %2").arg(e).arg(b);
            }
        }
    }
    return {};
}

/// Returns the first fault in a layout of an acyclic graph, or an empty string.
inline QString faultOf(const BoxGraph& graph, const BoxLayout& layout)
{
    if (layout.centers.size() != graph.boxes.size() || layout.routes.size() != graph.edges.size())
        return "something is missing";
    QString fault = overlapOf(graph, layout);
    for (std::size_t e = 0; fault.isEmpty() && e < graph.edges.size(); ++e)
        fault = routeFault(graph, layout, e);
    return fault;
}

} // namespace sunder::test
