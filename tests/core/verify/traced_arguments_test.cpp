#include "verify/traced_arguments.h"

#include "test_case.h"
#include "traced_program.h"

#include <QTest>

using namespace sunder;
using sunder::test::TracedProgram;
using sunder::test::undecidedWhy;

namespace {

/// A program with an input and a tensor, and a reader of its arguments.
struct ReadArguments {
    TracedProgram traced{"x = input; w = attr w; y = lib.op(x, b=1, a=2); return y"};
    TracedAttributes attributes{traced.draft};
    TracedArguments arguments{traced.draft, traced.containers, attributes, traced.spelling};
    TraceFrame frame = traced.frame();

    ReadArguments() { frame.values[traced.id("x").index()] = traced.leaf(); }
    [[nodiscard]] ValueId x() const { return frame.values[traced.id("x").index()]; }
    const Value& read(const Argument& argument) { return traced.draft.at(arguments.valueOf(frame, argument)); }
};

} // namespace

/// Arguments of nodes as values of a trace.
class TracedArgumentsTest final : public QObject {
    Q_OBJECT
private slots:
    void readsNodesLiteralsAndTensors()
    {
        ReadArguments given;
        QCOMPARE(given.arguments.valueOf(given.frame, Argument::node(given.traced.id("x"))), given.x());
        QCOMPARE(given.read(Argument::integer(3)).term, given.traced.terms.integer(3));
        const Argument constant = Argument::word(ArgumentKind::constant, intern("w"));
        QCOMPARE(given.arguments.valueOf(given.frame, constant), given.attributes.tensor(TensorId(0U)));
        const Value other = given.read(Argument::word(ArgumentKind::constant, intern("scale")));
        QCOMPARE(given.traced.draft.termOf(other).kind, TermKind::attribute);
    }

    void readsContainersItemByItem()
    {
        ReadArguments given;
        const Value pair = given.read(Argument::tuple({Argument::node(given.traced.id("x")), Argument::integer(1)}));
        QCOMPARE(pair.kind, ValueKind::container);
        QCOMPARE(pair.depth, std::uint16_t(1));
        QCOMPARE(pair.itemCount, 2U);
        QCOMPARE(given.traced.draft.trace.items(pair)[0], given.x());
        QCOMPARE(pair.term, given.traced.containers.shapeOf(ArgumentKind::tuple, {}));
        const Value dict = given.read(Argument::dict({Argument::string(intern("a"))}, {Argument::integer(1)}));
        const std::array keys{given.traced.terms.text(intern("a"))};
        QCOMPARE(dict.term, given.traced.containers.shapeOf(ArgumentKind::dict, {}, keys));
        const Value named = given.read(Argument::namedTuple(intern("m.Pair"), {intern("a")}, {Argument::integer(1)}));
        QCOMPARE(named.term, given.traced.containers.shapeOf(ArgumentKind::namedTuple, intern("m.Pair"), keys));
    }

    void sortsKeywordsUnlessTheirOrderMayMatter()
    {
        ReadArguments given;
        const TracedCall sorted = given.arguments.ofModule(given.frame, given.traced.node("y"));
        QCOMPARE(sorted.positional, std::vector{given.x()});
        QVERIFY(sorted.isSorted && sorted.keywords[0].first == intern("a"));
        const TracedCall asWritten = given.arguments.ofFunction(given.frame, given.traced.node("y"), given.traced.facts("y"));
        QVERIFY(!asWritten.isSorted && asWritten.keywords[0].first == intern("b"));
        QCOMPARE(given.traced.draft.at(asWritten.keyword("a")).term, given.traced.terms.integer(2));
    }

    void givesUpOnWhatNoValueStandsFor()
    {
        ReadArguments early;
        early.read(Argument::node(early.traced.id("y")));
        QCOMPARE(undecidedWhy(early.traced.draft.trace), "a node is used before it is computed");
        ReadArguments described;
        described.read(Argument::tensor(TensorMeta{.dtype = intern("float32")}));
        QCOMPARE(undecidedWhy(described.traced.draft.trace), "an argument is the description of a tensor, not a tensor");
        ReadArguments keyed;
        keyed.read(Argument::dict({Argument::tuple({Argument::integer(1)})}, {Argument::integer(1)}));
        QCOMPARE(undecidedWhy(keyed.traced.draft.trace), "a dict has a key that is not a plain constant");
    }
};

const test::Registered<TracedArgumentsTest> tracedArgumentsTest("traced_arguments_test");
#include "traced_arguments_test.moc"
