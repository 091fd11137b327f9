// Figures of repeated regions: counts, order, the position of a node, and the occurrence that each call runs.

#include "passes/deduplicate/deduplicate.h"
#include "passes/deduplicate/region_details.h"
#include "passes/deduplicate/sharing_summary.h"
#include "passes/regions/occurrences.h"
#include "test_case.h"
#include "test_support.h"

#include <QTest>

using namespace sunder;

class RegionFiguresTest final : public QObject {
    Q_OBJECT
private slots:
    void initTestCase()
    {
        Result<RegionResult> found = findRegions(m_source, {});
        QVERIFY(found.has_value());
        m_found = std::move(*found);
        QCOMPARE(m_found.groups.size(), 1U);
        Result<DedupResult> dedup = deduplicate(m_source);
        QVERIFY(dedup.has_value());
        m_dedup = std::move(*dedup);
    }

    void saysWhatSharingSaves()
    {
        const ProgramSizes sizes = programSizes(m_source);
        const std::vector<RegionFigures> found = regionFigures(m_found, nullptr, sizes);
        QCOMPARE(titleOf(found.at(0)), std::string("R1 ×2"));
        QCOMPARE(found[0].length, 2U);
        QCOMPARE(found[0].saved, 2U);
        QVERIFY(!found[0].isShared);
        const std::vector<RegionFigures> shared = regionFigures(m_found, &m_dedup, sizes);
        QVERIFY(shared.at(0).isShared);
        QCOMPARE(shared[0].shared, 2U);
    }

    void sumsUpWhatIsSharedAndWhatIsNot()
    {
        for (const DedupResult* dedup : {static_cast<const DedupResult*>(nullptr), static_cast<const DedupResult*>(&m_dedup)}) {
            const SharingSummary sharing = sharingSummary(m_source, m_found, dedup);
            QCOMPARE(sharing.ops, 5U);
            QCOMPARE(sharing.shared, 4U);
            QCOMPARE(sharing.subgraphs, 1U);
            QCOMPARE(sharing.calls, 2U);
            QCOMPARE(sharing.copies, 2U);
            QCOMPARE(sharing.rest.size(), 1U);
            QCOMPARE(sharing.rest[0].nodes, std::vector{node("s")});
            QCOMPARE(describePlace(sharing.rest[0]), std::string("outside all modules"));
        }
        DedupResult none; // found but left in place
        const SharingSummary left = sharingSummary(m_source, m_found, &none);
        QCOMPARE(left.shared, 0U);
        QCOMPARE(left.rest.size(), 2U);
        QCOMPARE(left.rest[0].nodes.size(), 4U); // most ops first
        QVERIFY(left.rest[0].why == UnsharedOps::Why::leftInPlace);
    }

    void unsharedOpsOfLikeModulesAreOnePlace()
    {
        const Program program = test::programFromText("x = placeholder()\n"
                                                      "a = sin(x) @ layers.0 Layer > layers.0.mlp Mlp\n"
                                                      "b = cos(a) @ layers.1 Layer > layers.1.mlp Mlp\n"
                                                      "c = tan(b) @ head Head\n"
                                                      "output(c)\n");
        const SharingSummary sharing = sharingSummary(program, {}, nullptr);
        QCOMPARE(sharing.unshared(), 3U);
        QCOMPARE(sharing.rest.size(), 2U);
        QCOMPARE(describePlace(sharing.rest[0]), std::string("in layers.*.mlp"));
        QCOMPARE(sharing.rest[0].nodes.size(), 2U);
        QCOMPARE(describePlace(sharing.rest[1]), std::string("in head"));
    }

    void findsTheRegionOfANode()
    {
        const RegionIndex index(m_found, m_source.rootGraph().idBound());
        QVERIFY(!index.at(node("x")));
        const std::optional<RegionPlace> first = index.at(node("b1"));
        const std::optional<RegionPlace> second = index.at(node("b2"));
        QVERIFY(first && second);
        QCOMPARE(first->place, second->place);
        QVERIFY(first->occurrence != second->occurrence);
    }

    void occurrencesStandInTheOrderOfTheProgram()
    {
        const OccurrenceOrder order(m_found.groups[0], m_source.rootGraph().positions());
        QCOMPARE(order.rowCount(), 2);
        QCOMPARE(order.nodesAt(0).front(), node("a1"));
        QCOMPARE(order.nodesAt(1).front(), node("a2"));
        QCOMPARE(order.rowOf(order.occurrenceAt(1)), 1);
    }

    void everyCallStandsForItsRegion()
    {
        const std::vector<Representative> calls = regionCalls(m_found, m_dedup);
        QCOMPARE(calls.size(), 2U);
        std::vector<NodeId> all;
        for (const Representative& call : calls)
            all.insert(all.end(), call.sources.begin(), call.sources.end());
        QCOMPARE(all, (std::vector{node("a1"), node("b1"), node("a2"), node("b2")}));
    }

    void detailsShowTheSharedSubgraph()
    {
        const auto details = regionDetails(m_source, {}, m_found, &m_dedup, 0);
        QVERIFY(details.has_value());
        QCOMPARE((*details)->names.size(), 2U);
        const Graph& graph = (*details)->program->graph((*details)->graph);
        for (const NodeId place : (*details)->places)
            QVERIFY(graph[place].isCall());
        const auto alone = regionDetails(m_source, {}, m_found, nullptr, 0);
        QVERIFY(alone.has_value());
        QCOMPARE((*alone)->places.size(), (*details)->places.size());
    }

private:
    [[nodiscard]] NodeId node(const char* name) const { return m_source.rootGraph().find(intern(name)); }

    const Program m_source = test::programFromText("x = placeholder()\n"
                                                   "y = placeholder()\n"
                                                   "a1 = sin(x)\n"
                                                   "b1 = add(a1, x)\n"
                                                   "a2 = sin(y)\n"
                                                   "b2 = add(a2, y)\n"
                                                   "s = mul(b1, b2)\n"
                                                   "out = output(s)\n");
    RegionResult m_found;
    DedupResult m_dedup;
};

const test::Registered<RegionFiguresTest> regionFiguresTest("region_figures_test");
#include "region_figures_test.moc"
