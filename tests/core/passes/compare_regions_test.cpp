#include "passes/regions/compare_regions.h"
#include "test_case.h"
#include "test_support.h"

#include <QTest>

using namespace sunder;

namespace {

constexpr std::size_t kCalls = 8;

/// n0 → n1 → … → n7
Program chain()
{
    std::string text = "x = placeholder()\n";
    for (std::size_t i = 0; i < kCalls; ++i)
        text += "n" + std::to_string(i) + " = relu(" + (i == 0 ? "x" : "n" + std::to_string(i - 1)) + ")\n";
    return test::programFromText((text + "output(n7)\n").c_str());
}

/// {2, {0, 1, 4, 5}}: two regions of two nodes each.
RegionGroup group(const Program& program, std::uint32_t length, const std::vector<int>& nodes)
{
    RegionGroup made{.length = length, .nodes = {}};
    for (const int at : nodes)
        made.nodes.push_back(program.rootGraph().find(intern("n" + std::to_string(at))));
    return made;
}

} // namespace

class CompareRegionsTest final : public QObject {
    Q_OBJECT

private slots:
    void groupsAreTakenForThoseWithWhichTheyShareMost()
    {
        const Program program = chain();
        const RegionResult before{.groups = {group(program, 2, {0, 1, 2, 3}), group(program, 1, {4, 5})}, .rejected = {}};
        const RegionResult after{.groups = {group(program, 1, {4, 5}), group(program, 2, {0, 1, 2, 3})}, .rejected = {}};
        const RegionComparison made = compareRegions(program, {before}, {after});
        QVERIFY(made.moved.empty()); // only their numbers have changed
        QCOMPARE(made.parts[0].before, 1);
        QCOMPARE(made.savedBefore(), std::uint64_t(3));
        QCOMPARE(made.savedAfter(), std::uint64_t(3));
    }

    void saysWhichOccurrencesAreLost()
    {
        const Program program = chain();
        const RegionResult before{.groups = {group(program, 2, {0, 1, 2, 3, 4, 5})}, .rejected = {}};
        const RegionResult after{.groups = {group(program, 2, {0, 1, 2, 3})}, .rejected = {}};
        const RegionComparison made = compareRegions(program, {before}, {after});
        QCOMPARE(made.moved.size(), std::size_t(2));
        QCOMPARE(made.moved[0].after, TagAssignment::kUntagged);
        QCOMPARE(made.figuresBefore(made.parts[0]).regions, std::size_t(3));
        QCOMPARE(made.figuresAfter(made.parts[0]).regions, std::size_t(2));
        QCOMPARE(made.savedBefore() - made.savedAfter(), std::uint64_t(2));
    }

    void saysWhichGroupsAreGainedAndLost()
    {
        const Program program = chain();
        const RegionResult before{.groups = {group(program, 1, {0, 1})}, .rejected = {}};
        const RegionResult after{.groups = {group(program, 1, {6, 7})}, .rejected = {}};
        const RegionComparison made = compareRegions(program, {before}, {after});
        QCOMPARE(made.parts.size(), std::size_t(2));
        QCOMPARE(made.parts[0].before, TagAssignment::kUntagged); // gained
        QCOMPARE(made.parts[1].after, TagAssignment::kUntagged);  // lost
        QCOMPARE(made.figuresAfter(made.parts[1]).regions, std::size_t(0));
    }

    void takesNamesAndSavingsAsTheyAreGiven()
    {
        const Program program = chain();
        const RegionResult found{.groups = {group(program, 1, {0, 1, 2})}, .rejected = {}};
        const RegionComparison made = compareRegions(program, {found, {intern("R1")}, {1}}, {found});
        QCOMPARE(made.before.order[0].str(), std::string("R1"));
        QCOMPARE(made.after.order[0].str(), std::string("group 0"));
        QCOMPARE(made.savedBefore(), std::uint64_t(1)); // some ops were not shared
        QCOMPARE(made.savedAfter(), std::uint64_t(2));
    }
};

const test::Registered<CompareRegionsTest> compareRegionsTest("compare_regions_test");
#include "compare_regions_test.moc"
