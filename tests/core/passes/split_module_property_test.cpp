#include "compare_programs.h"
#include "ir/lint.h"
#include "passes/split_module/split_module.h"
#include "random_program.h"
#include "test_case.h"
#include "verify/verify.h"

#include <QTest>

#include <algorithm>
#include <map>
#include <random>

using namespace sunder;
using test::randomProgram;

namespace {

std::vector<PartitionPair> randomPartitions(const Graph& graph, unsigned seed, unsigned count, bool legal)
{
    std::mt19937 random(seed);
    std::vector<std::int64_t> numbers(count);
    for (unsigned i = 0; i < count; ++i)
        numbers[i] = i;
    std::shuffle(numbers.begin(), numbers.end(), random);
    std::vector<unsigned> at(graph.idBound(), 0);
    std::vector<PartitionPair> pairs;
    for (const NodeId id : graph.nodes()) {
        if (!graph[id].isCall())
            continue;
        unsigned part = static_cast<unsigned>(random()) % count;
        for (const NodeId input : graph.inputs(id))
            part = legal ? std::max(part, at[input.index()]) : part;
        at[id.index()] = part;
        pairs.push_back({graph[id].name, {intern(std::to_string(numbers[part])), numbers[part]}});
    }
    return pairs;
}

/// Whether some partition depends on itself through others. Follows edges between partitions exhaustively.
bool hasRing(const Graph& graph, const PartitionAssignment& partitions)
{
    const std::size_t count = partitions.ids.size();
    std::vector<std::vector<char>> needs(count, std::vector<char>(count, 0));
    for (const NodeId id : graph.nodes())
        if (graph[id].isCall())
            for (const NodeId input : graph.inputs(id))
                if (graph[input].isCall() && partitions[input] != partitions[id])
                    needs[partitions[id]][partitions[input]] = 1;
    for (std::size_t k = 0; k < count; ++k)
        for (std::size_t i = 0; i < count; ++i)
            for (std::size_t j = 0; j < count; ++j)
                if (needs[i][k] != 0 && needs[k][j] != 0)
                    needs[i][j] = 1;
    for (std::size_t i = 0; i < count; ++i)
        if (needs[i][i] != 0)
            return true;
    return false;
}

/// Number of copies of each source call.
std::map<NodeId, int> copiesOf(const Program& source, const SplitResult& split)
{
    std::map<NodeId, int> copies;
    for (const IdentityMap::Pair& pair : split.map.pairs())
        if (!pair.created && source.node(pair.source).isCall())
            ++copies[pair.source.node];
    return copies;
}

} // namespace

class SplitModulePropertyTest final : public QObject {
    Q_OBJECT
private slots:
    void splitsRandomProgramsIntoTheSameThing()
    {
        for (unsigned seed = 0; seed < 80; ++seed) {
            const Program source = randomProgram(seed, 5 + static_cast<int>(seed));
            const Graph& graph = source.rootGraph();
            const PartitionAssignment partitions = assignPartitions(graph,
                                                                    randomPartitions(graph, seed + 1000, 1 + seed % 7, true));
            const Result<SplitResult> split = splitModule(source, partitions,
                                                          {.keepOriginalNodeNames = seed % 3 == 0, .tupleReturn = seed % 2 == 0});
            QVERIFY2(split.has_value(), split ? "" : split.error().message.c_str());
            QVERIFY(lint(split->program).empty());
            const std::map<NodeId, int> copies = copiesOf(source, *split);
            for (const NodeId id : graph.nodes())
                if (graph[id].isCall())
                    QCOMPARE(copies.at(id), 1);
            const VerifyReport report = *verifyResult(source, split->program);
            QVERIFY2(report.verdict == Verdict::same, report.why.c_str());
        }
    }

    void refusesExactlyRings()
    {
        int refused = 0;
        for (unsigned seed = 0; seed < 200; ++seed) {
            const Program source = randomProgram(seed, 8);
            const Graph& graph = source.rootGraph();
            const PartitionAssignment partitions = assignPartitions(graph, randomPartitions(graph, seed, 2 + seed % 4, false));
            const Result<SplitResult> split = splitModule(source, partitions);
            QCOMPARE(!split.has_value(), hasRing(graph, partitions));
            refused += split ? 0 : 1;
        }
        QVERIFY(refused > 20 && refused < 180);
    }

    void doesNotDependOnTheOrderOfThePartitionsFile()
    {
        for (unsigned seed = 0; seed < 40; ++seed) {
            const Program source = randomProgram(seed, 30);
            const Graph& graph = source.rootGraph();
            std::vector<PartitionPair> pairs = randomPartitions(graph, seed, 5, true);
            const Result<SplitResult> first = splitModule(source, assignPartitions(graph, pairs));
            std::mt19937 random(seed);
            std::shuffle(pairs.begin(), pairs.end(), random);
            const Result<SplitResult> second = splitModule(source, assignPartitions(graph, pairs));
            QVERIFY(first.has_value() && second.has_value());
            QVERIFY(test::differences(first->program, second->program).empty());
            QVERIFY(first->partNames == second->partNames);
        }
    }
};

const test::Registered<SplitModulePropertyTest> splitModulePropertyTest("split_module_property_test");
#include "split_module_property_test.moc"
