#include "analysis/cut/cut_edges.h"
#include "random_cut_program.h"
#include "test_case.h"
#include "test_support.h"

#include <QTest>

#include <map>

using namespace sunder;
using test::randomCut;
using test::randomCutProgram;

/// Values that pictures of a cut draw as edges, and values that they mark at each reader.
class SharedValuesTest final : public QObject {
    Q_OBJECT

private:
    /// A mask from the first part, read by each of five further calls that form a chain. One call per part.
    static Program withMask()
    {
        std::string lines = "x = placeholder() : 10\nmask = f(x) : 100\n";
        std::string before = "x";
        for (int i = 0; i < 5; ++i) {
            const std::string name = "c" + std::to_string(i);
            lines.append(name).append(" = g(").append(before).append(", mask) : 10\n");
            before = name;
        }
        return test::programFromText(lines + "output(" + before + ")\n");
    }

    /// Gives every call its own part, in the order of `parts`.
    static TagAssignment each(const Program& program, const std::vector<std::int32_t>& parts)
    {
        TagAssignment tags;
        tags.tagOf.assign(program.rootGraph().idBound(), TagAssignment::kUntagged);
        std::size_t call = 0;
        for (const NodeId id : program.rootGraph().nodes())
            if (program.rootGraph()[id].isCall())
                tags.tagOf[id.index()] = parts[call++];
        for (std::size_t i = 0; i < parts.size(); ++i)
            tags.order.push_back(intern("p" + std::to_string(i)));
        return tags;
    }

    static DrawnCut drawn(const Program& program, const TagAssignment& tags)
    {
        const CutGraph graph = cutGraph(program);
        return drawnCut(graph, tags, cutMetrics(graph, tags));
    }

private slots:
    void aValueThatManyPartsReadLeavesTheCutEdges()
    {
        const Program program = withMask();
        const DrawnCut cut = drawn(program, each(program, {0, 1, 2, 3, 4, 5}));
        QCOMPARE(cut.shared.size(), 1U);
        QCOMPARE(program.rootGraph()[cut.shared[0].node].name.str(), std::string("mask"));
        QCOMPARE(cut.shared[0].from, 0);
        QCOMPARE(cut.shared[0].to, (std::vector{1, 2, 3, 4, 5}));
        QCOMPARE(cut.shared[0].bytes, 400U);
        QCOMPARE(cut.cutEdges.size(), 4U); // of the chain; the first part sends only the mask
        QCOMPARE(cut.cutEdges[0].from, 1);
        QCOMPARE(cut.cutEdges[0].bytes, 40U);
    }

    void aValueThatThreePartsReadStaysInCutEdges()
    {
        const Program program = withMask();
        const DrawnCut cut = drawn(program, each(program, {0, 1, 2, 3, 3, 3}));
        QVERIFY(cut.shared.empty());
        QCOMPARE(cut.cutEdges.size(), 5U);
    }

    void whatRunsBackwardsIsSeenAsACutEdge()
    {
        const Program program = withMask();
        const DrawnCut cut = drawn(program, each(program, {1, 0, 2, 3, 4, 5}));
        QCOMPARE(cut.shared.size(), 1U);
        QCOMPARE(cut.shared[0].to, (std::vector{2, 3, 4, 5}));
        const auto back = std::ranges::find_if(cut.cutEdges, [](const CutEdge& cutEdge) { return cutEdge.isBackward(); });
        QVERIFY(back != cut.cutEdges.end());
        QCOMPARE(back->bytes, 400U);
    }

    void anInputThatManyPartsReadIsShared()
    {
        const Program program = test::programFromText("x = placeholder() : 10\na = f(x) : 1\nb = f(x, a) : 1\nc = f(x, b) : 1\n"
                                                      "d = f(x, c) : 1\noutput(d)\n");
        const DrawnCut cut = drawn(program, each(program, {0, 1, 2, 3}));
        QCOMPARE(cut.shared.size(), 1U);
        QCOMPARE(cut.shared[0].from, TagAssignment::kUntagged);
        QCOMPARE(cut.shared[0].to, (std::vector{0, 1, 2, 3}));
        QCOMPARE(cut.cutEdges.size(), 3U);
    }

    void everyCrossingIsInOneOfTheTwo()
    {
        std::size_t shared = 0;
        for (unsigned seed = 0; seed < 40; ++seed) {
            const Program program = randomCutProgram(seed, 60);
            const TagAssignment tags = randomCut(program, seed, 9, seed % 2 == 0);
            const CutGraph graph = cutGraph(program);
            const CutMetrics metrics = cutMetrics(graph, tags);
            const DrawnCut cut = drawnCut(graph, tags, metrics);
            std::map<std::pair<std::uint32_t, std::int32_t>, int> seen;
            std::uint64_t bytes = 0;
            for (const CutEdge& cutEdge : cut.cutEdges) {
                bytes += cutEdge.bytes;
                for (const CutEdgeValue& value : cutEdge.values)
                    ++seen[{value.node.index(), cutEdge.to}];
            }
            for (const Port& value : cut.shared)
                for (const std::int32_t to : value.to) {
                    bytes += value.from < 0 ? 0 : value.bytes;
                    ++seen[{value.node.index(), to}];
                }
            QCOMPARE(bytes, metrics.cutBytes);
            shared += cut.shared.size();
            for (const CutEdge& cutEdge : metrics.cutEdges)
                for (const CutEdgeValue& value : cutEdge.values)
                    QCOMPARE((seen[{value.node.index(), cutEdge.to}]), 1);
        }
        QVERIFY(shared > 40); // both kinds occur
    }
};

const test::Registered<SharedValuesTest> sharedValuesTest("shared_values_test");
#include "shared_values_test.moc"
