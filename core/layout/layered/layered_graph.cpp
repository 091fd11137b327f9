#include "layout/layered/layered_graph.h"

#include "support/disjoint_sets.h"

#include <algorithm>
#include <numeric>

namespace sunder::layered {

namespace {

struct Adjacency {
    std::vector<Index> start;
    std::vector<Index> target;
};

/// Sorts edge indices by their ends, so that no result depends on the order of the edges.
std::vector<Index> sortedEdges(const BoxGraph& graph)
{
    std::vector<Index> order(graph.edges.size());
    std::iota(order.begin(), order.end(), Index{0});
    std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
        const BoxGraph::Edge& x = graph.edges[a];
        const BoxGraph::Edge& y = graph.edges[b];
        if (x.from != y.from)
            return x.from < y.from;
        return x.to != y.to ? x.to < y.to : x.weight > y.weight;
    });
    return order;
}

Adjacency adjacencyOf(const BoxGraph& graph, const std::vector<Index>& order)
{
    Adjacency out;
    out.start.assign(graph.boxes.size() + 1, 0);
    out.target.reserve(order.size());
    for (const Index e : order) {
        ++out.start[graph.edges[e].from + 1];
        out.target.push_back(graph.edges[e].to);
    }
    std::partial_sum(out.start.begin(), out.start.end(), out.start.begin());
    return out;
}

/// Returns the position of every box in an order where only edges that close a cycle run backward: the reverse postorder of a
/// depth-first search that starts with the first boxes.
std::vector<Index> searchOrder(const Adjacency& out)
{
    const std::size_t count = out.start.size() - 1;
    std::vector<Index> place(count, kNone);
    std::vector<bool> seen(count, false);
    std::vector<Index> next(out.start.begin(), out.start.end() - 1);
    std::vector<Index> stack;
    auto left = static_cast<Index>(count);
    for (Index root = 0; root < count; ++root) {
        if (seen[root])
            continue;
        seen[root] = true;
        stack.push_back(root);
        while (!stack.empty()) {
            const Index box = stack.back();
            if (next[box] == out.start[box + 1]) {
                place[box] = --left;
                stack.pop_back();
                continue;
            }
            const Index target = out.target[next[box]++];
            if (!seen[target]) {
                seen[target] = true;
                stack.push_back(target);
            }
        }
    }
    return place;
}

bool runsForward(const BoxGraph& graph)
{
    return std::all_of(graph.edges.begin(), graph.edges.end(), [](const BoxGraph::Edge& e) { return e.from <= e.to; });
}

/// An edge in its drawn direction.
struct DirectedEdge {
    Index upper;
    Index lower;
    Index edge;
    bool isTurned;
};

/// Returns all edges except self-loops, reversed where necessary to remove cycles, sorted by their ends.
std::vector<DirectedEdge> directedEdges(const BoxGraph& graph)
{
    const std::vector<Index> order = sortedEdges(graph);
    std::vector<Index> place;
    if (!runsForward(graph))
        place = searchOrder(adjacencyOf(graph, order));
    std::vector<DirectedEdge> directed;
    directed.reserve(order.size());
    bool isAnyTurned = false;
    for (const Index e : order) {
        const BoxGraph::Edge& edge = graph.edges[e];
        const bool isTurned = !place.empty() && place[edge.from] > place[edge.to];
        isAnyTurned = isAnyTurned || isTurned;
        if (edge.from != edge.to)
            directed.push_back({isTurned ? edge.to : edge.from, isTurned ? edge.from : edge.to, e, isTurned});
    }
    if (isAnyTurned)
        std::stable_sort(directed.begin(), directed.end(), [](const DirectedEdge& a, const DirectedEdge& b) {
            return a.upper != b.upper ? a.upper < b.upper : a.lower < b.lower;
        });
    return directed;
}
/// Returns the part of every box; parts are numbered by their first boxes.
std::vector<Index> partOfBoxes(const BoxGraph& graph, Index& partCount)
{
    std::vector<Index> parent(graph.boxes.size());
    std::iota(parent.begin(), parent.end(), Index{0});
    for (const BoxGraph::Edge& e : graph.edges) {
        const Index a = rootOf(parent, e.from);
        const Index b = rootOf(parent, e.to);
        parent[std::max(a, b)] = std::min(a, b);
    }
    std::vector<Index> part(graph.boxes.size());
    partCount = 0;
    for (Index box = 0; box < graph.boxes.size(); ++box) {
        const Index root = rootOf(parent, box);
        part[box] = root == box ? partCount++ : part[root];
    }
    return part;
}

/// Replaces invalid weights of callers: zero, negative, infinite, or not a number.
float usableWeight(float weight)
{
    return weight > 0.001F ? std::min(weight, 1e6F) : 0.001F;
}

void topologicalOrder(FlowGraph& graph)
{
    std::vector<Index> missing(graph.boxes.size());
    graph.topological.clear();
    graph.topological.reserve(graph.boxes.size());
    for (Index box = 0; box < graph.boxes.size(); ++box) {
        missing[box] = graph.inStart[box + 1] - graph.inStart[box];
        if (missing[box] == 0)
            graph.topological.push_back(box);
    }
    for (std::size_t done = 0; done < graph.topological.size(); ++done) {
        const Index box = graph.topological[done];
        for (Index a = graph.outStart[box]; a < graph.outStart[box + 1]; ++a) {
            if (--missing[graph.arcs[a].to] == 0)
                graph.topological.push_back(graph.arcs[a].to);
        }
    }
}

} // namespace

void indexArcs(FlowGraph& graph)
{
    graph.outStart.assign(graph.boxes.size() + 1, 0);
    graph.inStart.assign(graph.boxes.size() + 1, 0);
    for (const Arc& arc : graph.arcs) {
        ++graph.outStart[arc.from + 1];
        ++graph.inStart[arc.to + 1];
    }
    std::partial_sum(graph.outStart.begin(), graph.outStart.end(), graph.outStart.begin());
    std::partial_sum(graph.inStart.begin(), graph.inStart.end(), graph.inStart.begin());
    std::vector<Index> next(graph.inStart.begin(), graph.inStart.end() - 1);
    graph.inArcs.resize(graph.arcs.size());
    for (Index a = 0; a < graph.arcs.size(); ++a)
        graph.inArcs[next[graph.arcs[a].to]++] = a;
    topologicalOrder(graph);
}

Parts connectedParts(const BoxGraph& graph)
{
    Index partCount = 0;
    const std::vector<Index> part = partOfBoxes(graph, partCount);
    Parts parts;
    parts.graphs.resize(partCount);
    parts.boxes.resize(partCount);
    parts.edges.resize(graph.edges.size());
    std::vector<Index> local(graph.boxes.size());
    for (Index box = 0; box < graph.boxes.size(); ++box) {
        local[box] = static_cast<Index>(parts.boxes[part[box]].size());
        parts.boxes[part[box]].push_back(box);
        parts.graphs[part[box]].boxes.push_back(graph.boxes[box]);
    }
    for (const DirectedEdge& edge : directedEdges(graph)) {
        std::vector<Arc>& arcs = parts.graphs[part[edge.upper]].arcs;
        const Index upper = local[edge.upper];
        const Index lower = local[edge.lower];
        if (arcs.empty() || arcs.back().from != upper || arcs.back().to != lower)
            arcs.push_back({upper, lower, 0, 0});
        Arc& arc = arcs.back();
        parts.edges[edge.edge] = {part[edge.upper], static_cast<Index>(arcs.size() - 1), arc.edges, edge.isTurned};
        arc.weight = std::max(arc.weight, usableWeight(graph.edges[edge.edge].weight));
        ++arc.edges;
    }
    for (FlowGraph& each : parts.graphs)
        indexArcs(each);
    return parts;
}

} // namespace sunder::layered
