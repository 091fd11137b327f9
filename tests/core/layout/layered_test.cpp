#include "layout/box_layout.h"

#include "layout_graphs.h"
#include "test_case.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <random>

using namespace sunder;
using namespace sunder::test;

namespace {

BoxLayout laidOut(const BoxGraph& graph, const LayoutOptions& options = {})
{
    const Result<BoxLayout> layout = makeLayeredEngine()->layout(graph, options, ProgressMonitor::none());
    return layout ? *layout : BoxLayout{};
}

/// Minimum number of crossings of a graph in two ranks with the given edges, by trying all orders of both ranks.
std::uint64_t fewestCrossings(const std::vector<std::pair<unsigned, unsigned>>& edges, unsigned upper, unsigned lower)
{
    std::vector<unsigned> top(upper);
    std::iota(top.begin(), top.end(), 0U);
    std::uint64_t fewest = ~std::uint64_t{0};
    do {
        std::vector<unsigned> bottom(lower);
        std::iota(bottom.begin(), bottom.end(), 0U);
        do {
            std::uint64_t crossings = 0;
            for (const auto& [a, b] : edges) {
                for (const auto& [c, d] : edges)
                    crossings += top[a] < top[c] && bottom[b] > bottom[d] ? 1 : 0;
            }
            fewest = std::min(fewest, crossings);
        } while (std::next_permutation(bottom.begin(), bottom.end()));
    } while (std::next_permutation(top.begin(), top.end()));
    return fewest;
}

} // namespace

class LayeredTest final : public QObject {
    Q_OBJECT
private slots:
    void drawsAnyGraphSoundly_data()
    {
        QTest::addColumn<QString>("kind");
        for (const char* kind : {"empty", "one box", "chain", "residual", "u-net", "dense", "experts", "mask", "encoder",
                                 "loose boxes", "parallel edges", "zero-sized boxes", "tall next to small"})
            QTest::newRow(kind) << kind;
    }
    void drawsAnyGraphSoundly()
    {
        QFETCH(QString, kind);
        const BoxGraph graph = graphOfKind(kind);
        const BoxLayout layout = laidOut(graph);
        QCOMPARE(faultOf(graph, layout), QString());
    }

    void drawsRandomGraphsSoundly()
    {
        for (unsigned seed = 0; seed < 120; ++seed) {
            const BoxGraph graph = randomGraph(seed, 2 + seed % 60, 1 + seed % 4, 3 + seed % 30);
            const BoxLayout layout = laidOut(graph);
            const QString fault = faultOf(graph, layout);
            QVERIFY2(fault.isEmpty(), qPrintable(QString("seed %1: %2").arg(seed).arg(fault)));
        }
    }

    void drawsAChainAsOneVerticalLine()
    {
        const BoxGraph graph = graphOfKind("chain");
        const BoxLayout layout = laidOut(graph);
        for (const Point& center : layout.centers)
            QCOMPARE(center.x, layout.centers.front().x);
        for (const BezierPath& route : layout.routes) {
            for (const Point& p : route)
                QCOMPARE(p.x, layout.centers.front().x);
        }
    }

    void keepsTheChainStraightBesideItsSkips_data()
    {
        QTest::addColumn<QString>("kind");
        for (const char* kind : {"residual", "u-net", "dense"})
            QTest::newRow(kind) << kind;
    }
    void keepsTheChainStraightBesideItsSkips()
    {
        QFETCH(QString, kind);
        const BoxLayout layout = laidOut(graphOfKind(kind));
        for (const Point& center : layout.centers)
            QCOMPARE(center.x, layout.centers.front().x);
    }

    void runsResidualSkipsAtOneSide()
    {
        const BoxGraph graph = graphOfKind("residual");
        const BoxLayout layout = laidOut(graph);
        bool left = false;
        bool right = false;
        for (const BezierPath& route : layout.routes) {
            for (const Point& p : route) {
                left = left || p.x < layout.centers.front().x - 50;
                right = right || p.x > layout.centers.front().x + 50;
            }
        }
        QVERIFY(left != right);
    }

    void takesTheHeaviestEdgesForTheMainPath()
    {
        // A long light chain and a short heavy one with the same ends.
        BoxGraph graph;
        graph.boxes.resize(9, {{100, 40}});
        graph.edges = {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 8}, {0, 6, 8}, {6, 7, 8}, {7, 8, 8}};
        const BoxLayout layout = laidOut(graph);
        for (const unsigned box : {6U, 7U, 8U})
            QCOMPARE(layout.centers[box].x, layout.centers[0].x);
    }

    void pullsSideInputsDownToTheirReaders()
    {
        // 0 → 1 → … → 9, and 10, 11 → 12 → 9: the side chain ends just above its reader.
        BoxGraph graph;
        graph.boxes.resize(13, {{100, 40}});
        for (unsigned i = 0; i < 9; ++i)
            graph.edges.push_back({i, i + 1});
        graph.edges.insert(graph.edges.end(), {{10, 12}, {11, 12}, {12, 9}});
        const BoxLayout layout = laidOut(graph);
        QCOMPARE(layout.centers[12].y, layout.centers[8].y);
        QCOMPARE(layout.centers[10].y, layout.centers[7].y);
        QCOMPARE(layout.centers[11].y, layout.centers[7].y);
    }

    void placesChainsOfAWidelyReadValueBesideTheirReaders()
    {
        // A main chain of 60 boxes, and a value that reaches every tenth of them through a chain of two boxes.
        BoxGraph graph = chainOf(60);
        const unsigned value = 60;
        graph.boxes.push_back({{100, 40}});
        for (unsigned reader = 9; reader < 60; reader += 10) {
            const auto first = static_cast<unsigned>(graph.boxes.size());
            graph.boxes.resize(first + 2, {{100, 40}});
            graph.edges.insert(graph.edges.end(), {{value, first}, {first, first + 1}, {first + 1, reader}});
        }
        const BoxLayout layout = laidOut(graph);
        QCOMPARE(faultOf(graph, layout), QString());
        for (unsigned reader = 19, last = 64; reader < 60; reader += 10, last += 2)
            QCOMPARE(layout.centers[last].y, layout.centers[reader - 1].y);
    }

    void runsLanesAtTheLeftWhereverChipsStand()
    {
        for (const float chips : {0.F, 70.F}) {
            BoxGraph graph = graphOfKind("u-net");
            for (BoxGraph::Box& box : graph.boxes)
                box.extraRight = chips;
            const BoxLayout layout = laidOut(graph);
            QCOMPARE(faultOf(graph, layout), QString());
            for (const BezierPath& route : layout.routes) {
                for (const Point& p : route)
                    QVERIFY(p.x < layout.centers.front().x + 50);
            }
        }
    }

    void allSkipsOfAChainRunAtTheLeft()
    {
        BoxGraph graph = chainOf(12);
        for (BoxGraph::Edge& edge : graph.edges)
            edge.weight = 10;
        for (const auto& [from, to] : {std::pair{0U, 3U}, {3U, 6U}, {6U, 11U}, {7U, 9U}})
            graph.edges.push_back({from, to});
        const BoxLayout layout = laidOut(graph);
        QCOMPARE(faultOf(graph, layout), QString());
        for (const BezierPath& route : layout.routes) {
            for (const Point& p : route)
                QVERIFY(p.x < layout.centers.front().x + 50);
        }
    }

    void drawsBoxesThatAreNotInTheMiddleOfTheirRoom()
    {
        BoxGraph graph = graphOfKind("experts");
        graph.boxes[4] = {{40, 300}, 10, 400};
        graph.boxes[14] = {{40, 200}, 500, 0};
        QCOMPARE(faultOf(graph, laidOut(graph)), QString());
    }

    void keepsAFanInTheOrderOfExecution()
    {
        const BoxGraph graph = graphOfKind("experts");
        const BoxLayout layout = laidOut(graph);
        for (unsigned i = 2; i < 9; ++i)
            QVERIFY(layout.centers[i].x < layout.centers[i + 1].x);
    }

    void spreadsTheEndsOfEdgesAlongABorder()
    {
        const BoxGraph graph = graphOfKind("experts");
        const BoxLayout layout = laidOut(graph);
        for (std::size_t a = 0; a < graph.edges.size(); ++a) {
            for (std::size_t b = 0; b < a; ++b) {
                if (graph.edges[a].from == graph.edges[b].from)
                    QVERIFY(std::abs(layout.routes[a].front().x - layout.routes[b].front().x) > 3);
                if (graph.edges[a].to == graph.edges[b].to)
                    QVERIFY(std::abs(layout.routes[a].back().x - layout.routes[b].back().x) > 3);
            }
        }
    }

    void survivesCyclesAndLoops()
    {
        for (unsigned seed = 0; seed < 40; ++seed) {
            BoxGraph graph = randomGraph(seed, 20, 2, 8);
            std::mt19937 random(seed);
            for (int i = 0; i < 6; ++i)
                graph.edges.push_back({unsigned(random() % 20), unsigned(random() % 20)});
            const BoxLayout layout = laidOut(graph);
            QCOMPARE(layout.centers.size(), graph.boxes.size());
            QCOMPARE(overlapOf(graph, layout), QString());
            for (const BezierPath& route : layout.routes)
                QVERIFY(route.size() >= 4 && route.size() % 3 == 1);
        }
    }

    void survivesMeaninglessWeights()
    {
        BoxGraph graph = graphOfKind("u-net");
        const float odd[] = {0, -5, NAN, INFINITY, 1e30F};
        for (std::size_t e = 0; e < graph.edges.size(); ++e)
            graph.edges[e].weight = odd[e % 5];
        QCOMPARE(faultOf(graph, laidOut(graph)), QString());
    }

    void givesTheSameForTheSame()
    {
        const BoxGraph graph = randomGraph(7, 80, 3, 20);
        const BoxLayout first = laidOut(graph);
        const BoxLayout second = laidOut(graph);
        QVERIFY(first.centers == second.centers);
        QVERIFY(first.routes == second.routes);
    }

    void doesNotDependOnTheOrderOfEdges()
    {
        std::mt19937 random(3);
        for (unsigned seed = 0; seed < 20; ++seed) {
            BoxGraph graph = randomGraph(seed, 60, 3, 15);
            dropParallelEdges(graph);
            const BoxLayout first = laidOut(graph);
            std::vector<std::size_t> order(graph.edges.size());
            std::iota(order.begin(), order.end(), std::size_t{0});
            std::shuffle(order.begin(), order.end(), random);
            BoxGraph shuffled{graph.boxes, {}};
            for (const std::size_t e : order)
                shuffled.edges.push_back(graph.edges[e]);
            const BoxLayout second = laidOut(shuffled);
            QVERIFY(first.centers == second.centers);
            for (std::size_t i = 0; i < order.size(); ++i)
                QVERIFY(second.routes[i] == first.routes[order[i]]);
        }
    }

    void crossesLittleMoreThanTheBestOrder()
    {
        std::mt19937 random(11);
        std::uint64_t ours = 0;
        std::uint64_t best = 0;
        for (int round = 0; round < 40; ++round) {
            std::vector<std::pair<unsigned, unsigned>> edges;
            BoxGraph graph;
            graph.boxes.resize(10, {{60, 30}});
            for (unsigned a = 0; a < 5; ++a) {
                for (unsigned b = 0; b < 5; ++b) {
                    // Every box gets an edge, so that all sources share one rank and all targets the next.
                    if (a == b || random() % 4 == 0) {
                        edges.push_back({a, b});
                        graph.edges.push_back({a, b + 5});
                    }
                }
            }
            const std::uint64_t fewest = fewestCrossings(edges, 5, 5);
            const BoxLayout layout = laidOut(graph);
            QVERIFY2(layout.crossings <= fewest + 2,
                     qPrintable(QString("%1 crossings, best %2").arg(layout.crossings).arg(fewest)));
            ours += layout.crossings;
            best += fewest;
        }
        QVERIFY2(ours <= best + best / 10, qPrintable(QString("%1 crossings, best %2").arg(ours).arg(best)));
    }

    void branchesAreInOrderOfExecution_data()
    {
        QTest::addColumn<QList<QList<unsigned>>>("edges"); // from, to; branches start with the readers of box 0
        QTest::addColumn<unsigned>("branches");
        using Edges = QList<QList<unsigned>>;
        QTest::newRow("equal") << Edges{{0, 1}, {0, 2}, {1, 3}, {2, 4}, {3, 5}, {4, 5}} << 2U;
        QTest::newRow("q, k, v") << Edges{{0, 1}, {0, 2}, {0, 3}, {1, 4}, {2, 5},  {5, 6},
                                          {3, 7}, {4, 8}, {6, 8}, {8, 9}, {9, 10}, {7, 10}}
                                 << 3U;
        QTest::newRow("with inputs of their own")
            << Edges{{0, 1}, {0, 2}, {0, 3}, {1, 7}, {4, 7}, {2, 8}, {5, 8}, {3, 9}, {6, 9}, {7, 10}, {8, 10}, {9, 10}} << 3U;
        QTest::newRow("of different length") << Edges{{0, 1}, {0, 2}, {1, 3}, {3, 4}, {4, 5}, {2, 5}} << 2U;
    }
    void branchesAreInOrderOfExecution()
    {
        QFETCH(QList<QList<unsigned>>, edges);
        QFETCH(unsigned, branches);
        BoxGraph graph;
        graph.boxes.resize(11, {{100, 40}});
        for (const QList<unsigned>& edge : edges)
            graph.edges.push_back({edge[0], edge[1]});
        for (const bool isMirrored : {false, true}) { // for any initial order
            LayoutOptions options;
            for (const Point& center : laidOut(graph).centers)
                options.previousCenters.push_back({isMirrored ? -center.x : center.x, center.y});
            for (const BoxLayout& layout : {laidOut(graph), laidOut(graph, options)}) {
                QCOMPARE(faultOf(graph, layout), QString());
                for (unsigned i = 1; i < branches; ++i)
                    QVERIFY2(layout.centers[i].x < layout.centers[i + 1].x, qPrintable(QString::number(i)));
            }
        }
    }

    void placesNewBoxesBesideFormerOnes()
    {
        BoxGraph graph = graphOfKind("experts");
        LayoutOptions options;
        options.previousCenters = laidOut(graph).centers;
        graph.boxes.push_back({{130, 40}});
        graph.edges.push_back({1, 18});
        options.previousCenters.push_back({NAN, NAN});
        const BoxLayout after = laidOut(graph, options);
        QCOMPARE(faultOf(graph, after), QString());
        for (unsigned i = 2; i < 9; ++i)
            QVERIFY(after.centers[i].x < after.centers[i + 1].x);
    }

    void leavesRoomForChips()
    {
        BoxGraph graph = graphOfKind("experts");
        for (BoxGraph::Box& box : graph.boxes)
            box.extraRight = 80;
        QCOMPARE(faultOf(graph, laidOut(graph)), QString());
    }

    void drawsManyReadersOfOneValue()
    {
        // One mask that every block reads, and dense blocks: without shared lanes there would be millions of dummies.
        BoxGraph graph = chainWithMask(3'000);
        QCOMPARE(overlapOf(graph, laidOut(graph)), QString());
    }

    void drawsLongEdgesBeyondTheBudgetAsDetours()
    {
        // Every box of a long chain also feeds a distant one: lanes would exceed the budget.
        BoxGraph graph;
        const unsigned count = 1'200;
        graph.boxes.resize(count, {{100, 40}});
        for (unsigned i = 0; i + 1 < count; ++i) {
            graph.edges.push_back({i, i + 1});
            if (i + 400 < count)
                graph.edges.push_back({i, i + 400});
        }
        const BoxLayout layout = laidOut(graph);
        QCOMPARE(faultOf(graph, layout), QString());
    }
};

const test::Registered<LayeredTest> layeredTest("layered_test");
#include "layered_test.moc"
