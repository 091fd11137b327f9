#include "layout/collapse/collapse_stretches.h"

#include "picture_checks.h"
#include "test_case.h"

#include <QTest>

#include <random>

using namespace sunder;
using namespace sunder::collapse;

namespace {

/// Returns units 0 … n - 1; `reads` lists the inputs of each.
UnitGraph unitsReading(const std::vector<std::vector<Index>>& reads)
{
    UnitGraph graph;
    for (Index unit = 0; unit < reads.size(); ++unit) {
        graph.heads.push_back(NodeId(unit));
        graph.readStart.push_back(static_cast<Index>(graph.reads.size()));
        for (const Index producer : reads[unit])
            graph.reads.push_back({producer, NodeId(producer)});
    }
    graph.readStart.push_back(static_cast<Index>(graph.reads.size()));
    return graph;
}

std::vector<Index> divided(const UnitGraph& graph, const std::vector<Index>& groups)
{
    std::vector<Index> units(graph.size());
    std::iota(units.begin(), units.end(), Index{0});
    return Grouping(graph).divideCycles(units, groups, *std::max_element(groups.begin(), groups.end()) + 1);
}

QString textOf(const std::vector<Index>& numbers)
{
    QStringList words;
    for (const Index number : numbers)
        words << QString::number(number);
    return words.join(' ');
}

bool hasCycle(const Quotient& graph)
{
    const StrongComponents components = componentsOf(graph);
    return std::any_of(components.size.begin(), components.size.end(), [](Index size) { return size > 1; });
}

} // namespace

class CollapseTest final : public QObject {
    Q_OBJECT
private slots:
    void leavesGroupsWithoutCyclesWhole()
    {
        QCOMPARE(textOf(divided(unitsReading({{}, {0}, {0}, {1}, {2}}), {0, 1, 2, 1, 2})), QString("0 1 2 1 2"));
    }

    void dividesAGroupThatSurroundsAnother()
    {
        QCOMPARE(textOf(divided(unitsReading({{}, {0}, {1}}), {0, 1, 0})), QString("0 1 2"));
    }

    void dividesIntoFewStretches()
    {
        // The second unit of group 0 reads only the first one, but comes after group 1.
        QCOMPARE(textOf(divided(unitsReading({{}, {0}, {0}, {1}, {3}}), {0, 1, 0, 1, 0})), QString("0 1 0 1 2"));
    }

    void endsInNoCycle_data()
    {
        QTest::addColumn<unsigned>("seed");
        for (unsigned seed = 0; seed < 40; ++seed)
            QTest::addRow("seed %u", seed) << seed;
    }
    void endsInNoCycle()
    {
        QFETCH(unsigned, seed);
        std::mt19937 random(seed);
        std::vector<std::vector<Index>> reads(200);
        std::vector<Index> groups(200);
        for (Index unit = 0; unit < reads.size(); ++unit) {
            groups[unit] = unit < 6 ? unit : Index(random() % 6);
            for (Index k = Index(random() % 3); unit > 0 && k > 0; --k)
                reads[unit].push_back(Index(random() % unit));
        }
        const UnitGraph graph = unitsReading(reads);
        const std::vector<Index> stretches = divided(graph, groups);
        std::vector<Index> units(graph.size());
        std::iota(units.begin(), units.end(), Index{0});
        const Index count = *std::max_element(stretches.begin(), stretches.end()) + 1;
        const Quotient quotient = Grouping(graph).quotient(units, stretches, count);
        QVERIFY(!hasCycle(quotient));
        std::vector<Index> groupOfStretch(count, kNone);
        for (Index unit = 0; unit < units.size(); ++unit) {
            Index& group = groupOfStretch[stretches[unit]];
            QVERIFY(group == kNone || group == groups[unit]);
            group = groups[unit];
        }
        std::vector<Index> place(count);
        const std::vector<Index> order = executionOrder(quotient);
        QCOMPARE(order.size(), std::size_t{count});
        for (Index i = 0; i < count; ++i)
            place[order[i]] = i;
        for (Index to = 0; to < count; ++to) {
            for (Index e = quotient.inStart[to]; e < quotient.inStart[to + 1]; ++e)
                QVERIFY(place[quotient.in[e]] < place[to]);
        }
    }

    void findsComponentsOfALongChainWithoutRecursion()
    {
        Quotient chain{200'000, {0, 0}, {}};
        for (Index i = 1; i < chain.count; ++i) {
            chain.in.push_back(i - 1);
            chain.inStart.push_back(i);
        }
        QCOMPARE(componentsOf(chain).size.size(), std::size_t{200'000});
    }
};

const test::Registered<CollapseTest> collapseTest("collapse_test");
#include "collapse_test.moc"
