#include "analysis/cut/cut_edges.h"
#include "analysis/cut/cut_text.h"
#include "random_cut_program.h"
#include "test_case.h"
#include "test_support.h"

#include <QTest>

#include <algorithm>

using namespace sunder;
using test::randomCut;
using test::randomCutProgram;

/// Calls with an edge to another part.
class BoundaryCallsTest final : public QObject {
    Q_OBJECT

private:
    static TagAssignment inParts(const Program& program, int calls)
    {
        TagAssignment tags{.order = {intern("p0"), intern("p1")}, .tagOf = {}};
        tags.tagOf.assign(program.rootGraph().idBound(), TagAssignment::kUntagged);
        int seen = 0;
        for (const NodeId id : program.rootGraph().nodes())
            if (program.rootGraph()[id].isCall())
                tags.tagOf[id.index()] = seen++ < calls ? 0 : 1;
        return tags;
    }

    static std::vector<PartBoundary> boundariesOf(const CutGraph& graph, const TagAssignment& tags, std::size_t most)
    {
        return partBoundaries(graph, tags, cutMetrics(graph, tags), most);
    }

    static std::string name(const Program& program, NodeId id) { return program.rootGraph()[id].name.str(); }

private slots:
    void namesWhatEntersAndLeaves()
    {
        const Program program = test::programFromText("x = placeholder() : 10\na = f(x) : 10\nb = f(a) : 20\n"
                                                      "c = g(b, a) : 10\nd = f(c, x) : 10\ne = f(b) : 5\noutput(d, e)\n");
        const std::vector<PartBoundary> parts = boundariesOf(cutGraph(program), inParts(program, 2), 8);
        QCOMPARE(parts[0].calls.size(), 2U);
        QCOMPARE(parts[0].leaving, 2U);
        QCOMPARE(parts[0].entering, 0U);
        QCOMPARE(name(program, parts[0].calls[1].node), std::string("b"));
        QCOMPARE(parts[0].calls[1].to, std::vector{1});
        QCOMPARE(parts[0].calls[1].bytes, 80U);
        QCOMPARE(parts[1].entering, 2U);
        QCOMPARE(name(program, parts[1].calls[0].node), std::string("c"));
        QCOMPARE(parts[1].calls[0].from, std::vector{0});
        QCOMPARE(parts[1].calls[0].bytes, 120U); // a and b
        QVERIFY(!parts[1].calls[0].leaves());
    }

    void listsThoseThatCarryMost()
    {
        const Program program = test::programFromText("x = placeholder() : 1\na = f(x) : 10\nb = f(x) : 30\nc = f(x) : 20\n"
                                                      "d = g(a, b, c) : 10\noutput(d)\n");
        const std::vector<PartBoundary> parts = boundariesOf(cutGraph(program), inParts(program, 3), 2);
        QCOMPARE(parts[0].leaving, 3U);
        QCOMPARE(parts[0].calls.size(), 2U);
        QCOMPARE(name(program, parts[0].calls[0].node), std::string("b")); // in graph order
        QCOMPARE(name(program, parts[0].calls[1].node), std::string("c"));
    }

    void isWhatTheEdgesSay()
    {
        for (unsigned seed = 0; seed < 60; ++seed) {
            const Program program = randomCutProgram(seed, 30);
            const TagAssignment tags = randomCut(program, seed, 1 + static_cast<int>(seed % 6), seed % 2 == 0);
            const CutGraph graph = cutGraph(program);
            const std::vector<std::int32_t> partOf = partsOfCalls(graph, tags);
            const std::vector<PartBoundary> parts = boundariesOf(graph, tags, 1000);
            for (std::uint32_t call = 0; call < graph.callCount; ++call) {
                if (partOf[call] < 0)
                    continue;
                const auto isOther = [&](std::uint32_t other) {
                    return other < graph.callCount && partOf[other] >= 0 && partOf[other] != partOf[call];
                };
                const bool enters = std::ranges::any_of(graph.inputs[call], isOther);
                const bool leaves = std::ranges::any_of(graph.readers[call], isOther);
                const PartBoundary& part = parts[static_cast<std::size_t>(partOf[call])];
                const auto found = std::ranges::find(part.calls, graph.nodes[call], &BoundaryCall::node);
                QCOMPARE(found != part.calls.end(), enters || leaves);
                if (enters || leaves) {
                    QCOMPARE(found->leaves(), leaves);
                    QCOMPARE(found->from.empty(), !enters);
                }
                QCOMPARE(part.calls.size(), part.entering + part.leaving);
            }
        }
    }

    void aNumberTakesNoBytes()
    {
        Program program = test::programFromText(
            "x = placeholder() : 10\nn = sym_size(x)\na = f(x) : 10\nb = g(a, n) : 10\noutput(b)\n");
        Graph& graph = program.rootGraph();
        graph.meta(graph.find(intern("n"))).val = Argument::symbolic(
            {.expression = intern("s27"), .kind = SymbolKind::integer, .hint = {}});
        const CutMetrics metrics = cutMetrics(program, inParts(program, 2));
        QCOMPARE(metrics.cutEdges.size(), 1U);
        QCOMPARE(metrics.cutEdges[0].values.size(), 2U);
        QCOMPARE(metrics.cutEdges[0].numbers, 1U);
        QCOMPARE(metrics.cutEdges[0].unknown, 0U);
        QCOMPARE(describe(metrics.cutEdges[0].values[0], graph), std::string("n: symbolic int s27, no bytes"));
    }
};

const test::Registered<BoundaryCallsTest> boundaryCallsTest("boundary_calls_test");
#include "boundary_calls_test.moc"
