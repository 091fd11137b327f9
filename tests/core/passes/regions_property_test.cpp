#include "passes/regions/correct_regions.h"
#include "passes/regions/find_regions.h"
#include "passes/regions/region_order.h"
#include "plain_regions.h"
#include "repeating_program.h"
#include "test_case.h"

#include <QTest>

using namespace sunder;

namespace {

test::RepeatingProgramOptions optionsFor(unsigned seed)
{
    return {.writes = seed % 3 == 0, .setters = seed % 7 == 0, .interleaved = seed % 2 == 0};
}

std::vector<test::PlainGroup> plain(const RankedGraph& graph, const std::vector<RegionGroup>& groups)
{
    std::vector<test::PlainGroup> result;
    for (const RegionGroup& group : groups) {
        result.emplace_back();
        for (std::size_t i = 0; i < group.regionCount(); ++i) {
            result.back().emplace_back();
            for (const NodeId id : group.region(i))
                result.back().back().push_back(graph.rank(id));
        }
    }
    return result;
}

} // namespace

class RegionsPropertyTest final : public QObject {
    Q_OBJECT
private slots:
    void growsAsTheDefinitionSays()
    {
        std::size_t found = 0;
        for (unsigned seed = 0; seed < 300; ++seed) {
            const Program program = test::repeatingProgram(seed, optionsFor(seed));
            const RankedGraph graph = *RankedGraph::of(program.rootGraph());
            for (const RegionClasses& classes : {trackedClasses(graph), structuralClasses(graph)}) {
                const std::vector<test::PlainGroup> grown = plain(graph, *growRegions(graph, classes, ProgressMonitor::none()));
                QCOMPARE(grown, test::PlainGrowth(graph, classes).run());
                found += grown.size();
            }
        }
        QVERIFY(found > 300);
    }

    void keepsNoRegionThatClosesALoopAndDropsNoneThatDoesNot()
    {
        std::size_t loops = 0;
        for (unsigned seed = 0; seed < 300; ++seed) {
            const Program program = test::repeatingProgram(seed, optionsFor(seed));
            const RankedGraph graph = *RankedGraph::of(program.rootGraph());
            const MemoryDependencies dependencies = recordedOrder(graph);
            ContractedOrder order(graph, dependencies);
            std::vector<test::PlainRegion> kept;
            std::set<std::uint32_t> taken;
            const std::vector<RegionGroup> grown = *growRegions(graph, trackedClasses(graph), ProgressMonitor::none());
            for (const test::PlainGroup& group : plain(graph, grown))
                for (const test::PlainRegion& region : group) {
                    if (std::ranges::any_of(region, [&](std::uint32_t rank) { return taken.contains(rank); })
                        || std::set(region.begin(), region.end()).size() < region.size())
                        continue;
                    kept.push_back(region);
                    const bool loop = test::plainLoop(graph, dependencies, kept);
                    QCOMPARE(order.contract(region).has_value(), loop);
                    if (!loop && seed % 5 == 0) { // as if its group had been discarded
                        order.undo();
                        QVERIFY(!order.contract(region));
                    }
                    loops += loop ? 1 : 0;
                    if (loop)
                        kept.pop_back();
                    else
                        taken.insert(region.begin(), region.end());
                }
        }
        QVERIFY(loops > 20);
    }

    void givesTheSameForEqualPrograms()
    {
        for (unsigned seed = 0; seed < 40; ++seed) {
            const Program program = test::repeatingProgram(seed, optionsFor(seed));
            const Program again = test::repeatingProgram(seed, optionsFor(seed));
            const RegionResult a = *findRegions(program);
            const RegionResult b = *findRegions(again);
            QCOMPARE(a.groups.size(), b.groups.size());
            for (std::size_t i = 0; i < a.groups.size(); ++i)
                QVERIFY(a.groups[i].nodes == b.groups[i].nodes);
            QCOMPARE(a.rejected.size(), b.rejected.size());
        }
    }
};

const test::Registered<RegionsPropertyTest> regionsPropertyTest("regions_property_test");
#include "regions_property_test.moc"
