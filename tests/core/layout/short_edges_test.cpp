#include "layout/layered/layered_graph.h"
#include "layout/layered/rank.h"

#include "layout_graphs.h"
#include "test_case.h"

#include <QTest>

#include <map>

using namespace sunder;
using namespace sunder::test;

namespace {

using layered::FlowGraph;
using layered::Index;

double lengthOfArcs(const FlowGraph& graph, const std::vector<Index>& rank)
{
    double length = 0;
    for (const layered::Arc& arc : graph.arcs)
        length += double{arc.weight} * (double(rank[arc.to]) - double(rank[arc.from]));
    return length;
}

bool runsDown(const FlowGraph& graph, const std::vector<Index>& rank)
{
    return std::all_of(graph.arcs.begin(), graph.arcs.end(),
                       [&](const layered::Arc& arc) { return rank[arc.from] < rank[arc.to]; });
}

/// The minimum over all assignments of ranks.
double shortestLength(const FlowGraph& graph)
{
    std::vector<Index> rank(graph.boxes.size(), 0);
    const auto most = static_cast<Index>(graph.boxes.size());
    double shortest = 1e9;
    for (;;) {
        if (runsDown(graph, rank))
            shortest = std::min(shortest, lengthOfArcs(graph, rank));
        std::size_t i = 0;
        while (i < rank.size() && ++rank[i] == most)
            rank[i++] = 0;
        if (i == rank.size())
            return shortest;
    }
}

/// `ranks` ranks of `width` boxes; every third box also reads another one of the previous rank.
BoxGraph tangle(unsigned ranks, unsigned width)
{
    BoxGraph graph;
    std::mt19937 random(1);
    for (unsigned i = 0; i < ranks * width; ++i)
        graph.boxes.push_back({{120.0F + float(i % 5) * 20, 40}});
    for (unsigned i = width; i < ranks * width; ++i) {
        graph.edges.push_back({i - width, i});
        if (random() % 3 == 0)
            graph.edges.push_back({(i / width - 1) * width + static_cast<unsigned>(random() % width), i});
    }
    return graph;
}

} // namespace

class ShortEdgesTest final : public QObject {
    Q_OBJECT
private slots:
    void shortensArcsAsFarAsItGoes()
    {
        int shortened = 0;
        for (unsigned seed = 0; seed < 60; ++seed) {
            const layered::Parts parts = layered::connectedParts(randomGraph(seed, 6, 3, 6));
            for (const FlowGraph& graph : parts.graphs) {
                std::vector<Index> rank(graph.boxes.size()); // the longest edges: each box in its own rank
                for (Index i = 0; i < rank.size(); ++i)
                    rank[graph.topological[i]] = i;
                const double before = lengthOfArcs(graph, rank);
                layered::shortenArcs(graph, rank);
                QVERIFY(runsDown(graph, rank));
                const double after = lengthOfArcs(graph, rank);
                shortened += after < before ? 1 : 0;
                if (graph.arcs.size() > graph.boxes.size())
                    QVERIFY2(after < before || before * 0.95 <= shortestLength(graph), qPrintable(QString::number(seed)));
                if (after < before)
                    QCOMPARE(after, shortestLength(graph));
            }
        }
        QVERIFY(shortened > 10);
    }

    void leavesRanksThatAreNearlyAsShort()
    {
        const BoxGraph graph = graphOfKind("residual");
        const layered::Parts parts = layered::connectedParts(graph);
        std::vector<Index> rank = layered::assignRanks(parts.graphs.front());
        const std::vector<Index> before = rank;
        layered::shortenArcs(parts.graphs.front(), rank);
        QCOMPARE(rank, before);
    }

    void drawsTangledGraphsLittleWiderThanTheirWidestRank()
    {
        const BoxGraph graph = tangle(20, 10);
        const Result<BoxLayout> layout = makeLayeredEngine()->layout(graph, {}, ProgressMonitor::none());
        QVERIFY(layout.has_value());
        QCOMPARE(faultOf(graph, *layout), QString());
        std::map<float, float> widths;
        for (std::size_t i = 0; i < graph.boxes.size(); ++i)
            widths[layout->centers[i].y] += graph.boxes[i].size.width + LayoutOptions().boxGap;
        float widest = 0;
        for (const auto& [y, width] : widths)
            widest = std::max(widest, width);
        QVERIFY2(layout->size.width <= 1.6F * widest, qPrintable(QString::number(double(layout->size.width / widest))));
    }

    void keepsAMarkedMainPathStraightInATangle()
    {
        BoxGraph graph = tangle(20, 10);
        for (BoxGraph::Edge& edge : graph.edges)
            if (edge.from % 10 == 4 && edge.to == edge.from + 10)
                edge.weight = 10;
        const Result<BoxLayout> layout = makeLayeredEngine()->layout(graph, {}, ProgressMonitor::none());
        QVERIFY(layout.has_value());
        QCOMPARE(faultOf(graph, *layout), QString());
        for (unsigned box = 14; box < graph.boxes.size(); box += 10)
            QCOMPARE(layout->centers[box].x, layout->centers[4].x);
    }
};

const test::Registered<ShortEdgesTest> shortEdgesTest("short_edges_test");
#include "short_edges_test.moc"
