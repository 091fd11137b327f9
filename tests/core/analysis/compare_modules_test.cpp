#include "analysis/cut/compare_assignments.h"
#include "parameter_chain.h"
#include "passes/split_by_tags/split_by_tags.h"
#include "test_case.h"

#include <QTest>

using namespace sunder;

namespace {

/// Splits a chain: the calls in `first` go to module p0, the others to p1.
SplitResult cutBehind(const Program& chain, std::initializer_list<const char*> first)
{
    TagAssignment tags;
    tags.order = {intern("p0"), intern("p1")};
    if (first.size() == 0)
        tags.order.erase(tags.order.begin());
    tags.tagOf.assign(chain.rootGraph().idBound(), static_cast<std::int32_t>(tags.order.size()) - 1);
    for (const char* name : first)
        tags.tagOf[chain.rootGraph().find(intern(name)).index()] = 0;
    return splitByTags(chain, tags).value();
}

std::string moves(const Program& source, const ModuleComparison& made)
{
    std::string text;
    for (const MovedNode& moved : made.moved)
        text += source.rootGraph()[moved.node].name.str() + ": " + made.before.order[static_cast<std::size_t>(moved.before)].str()
            + " to " + made.after.order[static_cast<std::size_t>(moved.after)].str();
    return text;
}

std::vector<std::string> changed(const ModuleComparison& made)
{
    std::vector<std::string> paths;
    for (const ModuleChange& module : made.modules)
        paths.push_back(module.path.str());
    return paths;
}

} // namespace

class CompareModulesTest final : public QObject {
    Q_OBJECT

private slots:
    void aCallThatRunsInAnotherModuleHasMoved()
    {
        const Program chain = test::parameterChain();
        const SplitResult before = cutBehind(chain, {"a", "b"});
        const SplitResult after = cutBehind(chain, {"a"});
        const ModuleComparison made = compareModules(chain, {before.program, before.map}, {after.program, after.map});
        QCOMPARE(moves(chain, made), std::string("b: p0 to p1"));
        const std::vector<std::string> both{"p0", "p1"};
        QCOMPARE(changed(made), both);
        QCOMPARE(*made.modules[0].nodesBefore, *made.modules[0].nodesAfter + 1);
        QCOMPARE(made.modulesBefore, std::size_t(3));
    }

    void aModuleThatOneResultLacksIsListed()
    {
        const Program chain = test::parameterChain();
        const SplitResult before = cutBehind(chain, {"a", "b"});
        const SplitResult after = cutBehind(chain, {});
        const ModuleComparison made = compareModules(chain, {before.program, before.map}, {after.program, after.map});
        QVERIFY(!made.modules.empty());
        QCOMPARE(made.modules.back().path.str(), std::string("p0"));
        QVERIFY(made.modules.back().nodesBefore && !made.modules.back().nodesAfter);
    }

    void equalResultsDoNotDiffer()
    {
        const Program chain = test::parameterChain();
        const SplitResult one = cutBehind(chain, {"a", "b"});
        const ModuleComparison made = compareModules(chain, {one.program, one.map}, {one.program, one.map});
        QVERIFY(made.moved.empty() && made.modules.empty());
        QCOMPARE(made.nodesBefore, made.nodesAfter);
    }
};

const test::Registered<CompareModulesTest> compareModulesTest("compare_modules_test");
#include "compare_modules_test.moc"
