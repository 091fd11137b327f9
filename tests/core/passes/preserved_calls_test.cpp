#include "passes/unflatten/open_calls.h"

#include "outlining.h"
#include "test_case.h"

#include <QTest>

using namespace sunder;
using test::Outlining;

/// A call of `a` with the signature (x, *, scale=2) → relu.
class PreservedCallsTest final : public QObject {
    Q_OBJECT

private:
    [[nodiscard]] static CallSignature signatureIn(const Outlining& cut)
    {
        return {.inSpec = Argument::string(intern("in")),
                .outSpec = Argument::string(intern("out")),
                .positionals = 1,
                .keywords = {intern("scale")},
                .inputs = {{.node = cut.node("x"), .name = intern("x")}, {.constant = Argument::integer(2)}},
                .outputs = {{.node = cut.node("relu"), .name = intern("relu")}}};
    }
    static void openA(Outlining& cut, const CallSignature& signature)
    {
        cut.copy(0, "x");
        cut.goTo("relu");
        cut.open("a");
        cut.draft.frames[1].signature = &signature;
        cut.draft.frames[1].closed = true;
        cut.preserved.adaptInputs();
        cut.preserved.passInputs();
    }

private slots:
    void theModuleTakesTheOriginalArgumentsApart()
    {
        Outlining cut(test::twoModules());
        const CallSignature signature = signatureIn(cut);
        openA(cut, signature);
        QCOMPARE(cut.nodesOf(1),
                 (std::vector<std::string>{"_positional_arg_0: _positional_arg_0", "scale: scale", "_spec_0: _spec_0",
                                           "tree_flatten_spec: torch.fx._pytree.tree_flatten_spec", "x: _operator.getitem",
                                           "_constant_1: _operator.getitem"}));
        QCOMPARE(cut.in(1, cut.values.of(1, cut.node("x"))).name.str(), "x");
        QCOMPARE(cut.draft.outline.objects[cut.draft.frames[1].object].ownInputs, 2U);
    }

    void theCallerPacksThem()
    {
        Outlining cut(test::twoModules());
        const CallSignature signature = signatureIn(cut);
        openA(cut, signature);
        const Node& call = cut.in(0, cut.draft.frames[1].callNode);
        QCOMPARE(call.args.size(), std::size_t(1));
        QCOMPARE(call.kwargs.size(), std::size_t(1));
        QCOMPARE(call.kwargs.front().key.str(), "scale");
        QCOMPARE(cut.nodesOf(0),
                 (std::vector<std::string>{"x: x", "_spec_0: _spec_0", "tree_unflatten: torch.utils._pytree.tree_unflatten",
                                           "getitem: _operator.getitem", "getitem_1: _operator.getitem",
                                           "getitem_2: _operator.getitem", "getitem_3: _operator.getitem", "a: a"}));
    }

    void theResultIsPackedAndTakenApart()
    {
        Outlining cut(test::twoModules());
        const CallSignature signature = signatureIn(cut);
        openA(cut, signature);
        cut.copy(1, "relu");
        cut.goTo("view");
        NodeId given = cut.draft.frames[1].callNode;
        QCOMPARE(cut.preserved.giveOutputs(given), std::vector{cut.node("relu")});
        QCOMPARE(cut.in(0, given).target.str(), "torch.fx._pytree.tree_flatten_spec");
        QCOMPARE(cut.nodesOf(1).back(), "output: output");
    }

    void aResultThatIsNotThereIsRefused()
    {
        Outlining cut(test::twoModules());
        const CallSignature signature = signatureIn(cut);
        openA(cut, signature);
        cut.goTo("view");
        NodeId given = cut.draft.frames[1].callNode;
        cut.preserved.giveOutputs(given);
        QCOMPARE(cut.error(),
                 "module a with a preserved signature returns relu, which it neither computes nor takes as an argument");
    }
};

const test::Registered<PreservedCallsTest> preservedCallsTest("preserved_calls_test");
#include "preserved_calls_test.moc"
