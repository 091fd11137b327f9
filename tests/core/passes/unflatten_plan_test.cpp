#include "passes/unflatten/unflatten_plan.h"

#include "module_program.h"
#include "passes/unflatten/side_reads.h"
#include "test_case.h"
#include "verify/verify.h"

#include <QTest>

using namespace sunder;
using test::ModuleProgram;

namespace {

constexpr std::string_view kLeaf = R"({"type": null, "context": null, "children_spec": []})";

/// The module call of a module from one value to one value.
ModuleCall preserved(const std::string& path, NodeId input, NodeId output)
{
    const std::string leaf(kLeaf);
    const std::string in = R"([1, {"type": "builtins.tuple", "context": "null", "children_spec": [{"type": "builtins.tuple", )"
                           R"("context": "null", "children_spec": [)"
        + leaf + R"(]}, {"type": "builtins.dict", "context": "[]", "children_spec": []}]}])";
    return {.fqn = intern(path),
            .hasSignature = true,
            .inSpec = StoredTreeSpec(in),
            .outSpec = StoredTreeSpec("[1, " + leaf + "]"),
            .inputs = {Argument::node(input)},
            .outputs = {Argument::node(output)}};
}

/// A chain of modules with preserved signatures. All but the last add a value of the root that is not an argument.
Program chain(int modules)
{
    ModuleProgram made;
    std::vector<ModuleCall> calls;
    NodeId value = made.input("x");
    for (int i = 0; i < modules; ++i) {
        const std::string number = std::to_string(i);
        const std::string path = "m" + number;
        const NodeId before = value;
        const NodeId ones = made.call("ones_" + number, "ones.default", {}, {});
        value = i + 1 < modules ? made.call("add_" + number, "add.Tensor", {before, ones}, {path})
                                : made.call("relu", "relu.default", {before}, {path});
        calls.push_back(preserved(path, before, value));
    }
    Program program = made.finish({value});
    program.calls.insert(program.calls.end(), calls.begin(), calls.end());
    return program;
}

} // namespace

/// Decisions before a program is unflattened.
class UnflattenPlanTest final : public QObject {
    Q_OBJECT

private slots:
    void valuesEnterModulesBySignatureOrFromTheSide()
    {
        ModuleProgram made;
        const NodeId x = made.input("x");
        const NodeId relu = made.call("relu", "relu.default", {x}, {});
        const NodeId view = made.call("view", "view.default", {relu}, {});
        const NodeId ones = made.call("ones", "ones.default", {}, {});
        const Program program = made.finish({view, ones});
        const auto way = [&](NodeId id, CrossingValues crossing) { return sideWay(program.rootGraph()[id], crossing); };
        QCOMPARE(way(x, CrossingValues::buffer), SideWay::argument);
        QCOMPARE(way(view, CrossingValues::buffer), SideWay::recomputed);
        QCOMPARE(way(relu, CrossingValues::buffer), SideWay::buffer);
        QCOMPARE(way(ones, CrossingValues::buffer), SideWay::unreachable);
        QCOMPARE(way(ones, CrossingValues::attribute), SideWay::attribute);
    }

    /// Rounds of the cut found one such signature each, and after eight rounds no signature was kept.
    void keepsTheSignaturesThatDescribeAllValues()
    {
        const Program program = chain(13);
        const Result<UnflattenPlans> plans = planUnflattening(program, {}, ProgressMonitor::none());
        QVERIFY2(plans.has_value(), plans ? "" : plans.error().message.c_str());
        QVERIFY(!plans->stale);
        QCOMPARE(plans->plan.notes.size(), std::size_t(12));
        QCOMPARE(plans->plan.notes.front().message,
                 "the call signature of m0 is not kept: ones_0 crosses it without being an argument or a result");
        QVERIFY(plans->plan.signatures.find(intern("m0")) == nullptr);
        QVERIFY(plans->plan.signatures.find(intern("m12")) != nullptr);
        const Result<UnflattenResult> result = unflatten(program);
        QVERIFY(result.has_value());
        QCOMPARE((*verifyResult(program, result->program)).verdict, Verdict::same);
    }

    void callsChangeWhereModulesDo()
    {
        const Program program = chain(2);
        const Result<UnflattenPlans> plans = planUnflattening(program, {}, ProgressMonitor::none());
        QVERIFY(plans.has_value());
        std::vector<std::string> changes;
        for (const CallChange& change : plans->plan.changes)
            changes.push_back(plans->plan.program().rootGraph()[change.node].name.str() + " " + std::to_string(change.kept)
                              + (change.opened ? " opens" : ""));
        QCOMPARE(changes, (std::vector<std::string>{"add_0 1 opens", "relu 1 opens", "output 1"}));
    }
};

const test::Registered<UnflattenPlanTest> unflattenPlanTest("unflatten_plan_test");
#include "unflatten_plan_test.moc"
