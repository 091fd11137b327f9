#include "../verify/program_text.h"
#include "ir/lint.h"
#include "passes/deduplicate/deduplicate.h"
#include "test_case.h"
#include "test_support.h"
#include "verify/verify.h"

#include <QTest>

using namespace sunder;
using sunder::test::ProgramText;

namespace {

/// Returns a program of two layers; the second reads the result of the first. In `layer`, H is the layer's input, # is its
/// number, and h# is its result. `between` is inserted between the layers.
Program layers(const QString& layer, const QString& between, const QString& results)
{
    const auto written = [&](const char* input, const char* number) {
        return QString(layer).replace('H', input).replace('#', number);
    };
    const QString text = "x = input [4]; " + written("x", "1") + between + written("h1", "2") + "return " + results;
    return ProgramText::program(text.toStdString());
}

QStringList lines(const Graph& graph)
{
    return QString::fromStdString(test::textOf(graph)).split('\n', Qt::SkipEmptyParts);
}

std::size_t callsOf(const DedupResult& result)
{
    std::size_t calls = 0;
    for (const SharedSubgraph& subgraph : result.subgraphs)
        calls += subgraph.calls.size();
    return calls;
}

} // namespace

/// Values that are identical, and calls that only inspect values.
class DedupValuesTest final : public QObject {
    Q_OBJECT
private slots:
    /// Users of t# outside the regions read h# of the previous layer: t# becomes neither a result nor another name for memory.
    void givesWhoReadsAConversionWhatIsConverted_data()
    {
        QTest::addColumn<QString>("convert");
        QTest::newRow("to") << "aten.to.dtype(H, float32) : [4]";
        QTest::newRow("two conversions") << "aten.to.dtype(H, float32) : [4]; t# = aten.to.dtype(t#, float32) : [4]";
        QTest::newRow("a method") << "method.float(H) : [4]";
        QTest::newRow("type_as") << "aten.type_as.default(H, H) : [4]";
        QTest::newRow("dropout in eval mode") << "aten.dropout.default(H, 0.5, False) : [4]";
    }
    void givesWhoReadsAConversionWhatIsConverted()
    {
        QFETCH(QString, convert);
        const Program source = layers(
            "t# = " + convert + "; s# = aten.sin.default(t#) : [4]; h# = aten.add.Tensor(s#, t#) : [4]; ", {}, "(h2, t1, t2)");
        const DedupResult result = *deduplicate(source);
        QCOMPARE(callsOf(result), 2U);
        QCOMPARE(result.subgraphs.size(), 1U);
        QCOMPARE(lines(result.program.rootGraph()).back(), QString("output = output[output](getitem_1, x, getitem)"));
        QVERIFY(lint(result.program).empty());
        const VerifyReport report = *verifyResult(source, result.program);
        QVERIFY2(report.verdict == Verdict::same, report.why.c_str());
    }

    /// t1 is x, so h2 and the state of x after the run depend on the position of the write.
    void keepsWritesToAConversionInTheirPlace_data()
    {
        QTest::addColumn<QString>("between");
        QTest::addColumn<QString>("results");
        QTest::newRow("read afterward by its other name")
            << "w = aten.add_.Tensor(t1, 1.0) : [4]; r = aten.mul.Tensor(x, 2.0) : [4]; " << "(h2, r)";
        QTest::newRow("written by its other name")
            << "w = aten.add_.Tensor(x, 1.0) : [4]; r = aten.mul.Tensor(t1, 2.0) : [4]; " << "(h2, r)";
        QTest::newRow("read by the next layer")
            << "w = aten.mul_.Tensor(t1, h1) : [4]; u = aten.add_.Tensor(h1, w) : [4]; " << "(h2, t1, t2)";
    }
    void keepsWritesToAConversionInTheirPlace()
    {
        QFETCH(QString, between);
        QFETCH(QString, results);
        const Program source = layers(
            "t# = aten.to.dtype(H, float32) : [4]; s# = aten.sin.default(t#) : [4]; h# = aten.add.Tensor(s#, t#) : [4]; ",
            between, results);
        const DedupResult result = *deduplicate(source);
        QCOMPARE(callsOf(result), 2U);
        QVERIFY(lint(result.program).empty());
        const VerifyReport report = *verifyResult(source, result.program);
        QVERIFY2(report.verdict == Verdict::same, report.why.c_str());
        const Graph& graph = result.program.rootGraph();
        const std::vector<std::uint32_t> position = graph.positions();
        const auto at = [&](const char* name) { return position[graph.find(intern(name)).index()]; };
        QVERIFY(at("invoke_subgraph") < at("w"));
        QVERIFY(at("w") < at("invoke_subgraph_1") || graph.find(intern("r")).isValid());
    }

    void returnsCopies()
    {
        const Program source = layers("t# = aten.to.dtype(H, float16) : [4] float16; s# = aten.sin.default(t#) : [4] float16; "
                                      "h# = aten.add.Tensor(s#, H) : [4]; ",
                                      {}, "(h2, t1, t2)");
        const DedupResult result = *deduplicate(source);
        QCOMPARE(callsOf(result), 2U);
        QCOMPARE(lines(result.program.rootGraph()).back(), QString("output = output[output](getitem_3, getitem, getitem_2)"));
        QCOMPARE(verifyResult(source, result.program)->verdict, Verdict::same);
    }

    /// t# may be its argument or a copy, so no value can replace it outside; no subgraph is left behind.
    void leavesInPlaceWhatMayBeEither()
    {
        const Program source = layers(
            "t# = aten.to.dtype(H, float32); s# = aten.sin.default(t#) : [4]; h# = aten.add.Tensor(s#, t#) : [4]; ", {},
            "(h2, t1, t2)");
        Program described = source;
        Graph& graph = described.rootGraph();
        for (const char* name : {"t1", "t2"}) { // tensors of unknown storage
            TensorMeta meta = graph.node(graph.find(intern("x"))).meta.val->asTensor();
            meta.dtype = {};
            graph.meta(graph.find(intern(name))).val = Argument::tensor(std::move(meta));
        }
        const DedupResult result = *deduplicate(described);
        QVERIFY(result.subgraphs.empty());
        QCOMPARE(result.abandoned.size(), 2U);
        QCOMPARE(test::textOf(result.program.rootGraph()), test::textOf(described.rootGraph()));
    }

    /// p and q alias x and y through operators with different names, so they are in no region.
    void passesAValueOnce()
    {
        const Program source = ProgramText::program(
            "x = input [4]; y = input [4]; p = aten.to.dtype(x, float32) : [4]; q = aten.dropout.default(y, 0.5, False) : [4]; "
            "a1 = aten.sin.default(x) : [4]; b1 = aten.mul.Tensor(a1, p) : [4]; a2 = aten.sin.default(y) : [4]; "
            "b2 = aten.mul.Tensor(a2, q) : [4]; return (b1, b2)");
        const DedupResult result = *deduplicate(source);
        QCOMPARE(callsOf(result), 2U);
        QVERIFY(lint(result.program).empty());
        QCOMPARE(
            lines(result.program.graph(result.subgraphs[0].graph)),
            (QStringList{"subgraph_input_x = placeholder[subgraph_input_x]()",
                         "a1 = call_function[torch.ops.aten.sin.default](subgraph_input_x)",
                         "b1 = call_function[torch.ops.aten.mul.Tensor](a1, subgraph_input_x)", "output = output[output](b1)"}));
        QCOMPARE(verifyResult(source, result.program)->verdict, Verdict::same);
    }

    /// v# is a view of s#; both have users outside the region only because of assertions on them.
    void takesAssertionsIntoTheSubgraph()
    {
        const Program source = layers(
            "s# = aten.sin.default(H) : [4]; k# = aten._assert_tensor_metadata.default(s#, None, None, float32); "
            "v# = aten.view.default(s#, [4]) : [4]; m# = aten._assert_tensor_metadata.default(v#, None, None, float32); "
            "h# = aten.cos.default(v#) : [4]; ",
            {}, "h2");
        const DedupResult result = *deduplicate(source);
        QVERIFY2(result.abandoned.empty(), result.abandoned.empty() ? "" : result.abandoned[0].why.c_str());
        QCOMPARE(callsOf(result), 2U);
        QCOMPARE(lines(result.program.graph(result.subgraphs[0].graph)).size(), 7);
        QCOMPARE(lines(result.program.rootGraph()).size(), 7);
        QVERIFY(lint(result.program).empty());
        QCOMPARE(verifyResult(source, result.program)->verdict, Verdict::same);
    }

    /// An unrelated assertion must keep its place between two others, so all assertions stay outside.
    void leavesAssertionsOutsideThatOthersStandBetween()
    {
        const Program source = ProgramText::program(
            "x = input [4]; y = input [4]; s1 = aten.sin.default(x) : [4]; k1 = aten._assert_tensor_metadata.default(s1, None, None, float32); "
            "other = aten._assert_tensor_metadata.default(y, None, None, float32); h1 = aten.cos.default(s1) : [4]; "
            "m1 = aten._assert_tensor_metadata.default(h1, None, None, float32); s2 = aten.sin.default(h1) : [4]; "
            "k2 = aten._assert_tensor_metadata.default(s2, None, None, float32); h2 = aten.cos.default(s2) : [4]; "
            "m2 = aten._assert_tensor_metadata.default(h2, None, None, float32); return h2");
        const DedupResult result = *deduplicate(source);
        QCOMPARE(callsOf(result), 2U);
        QVERIFY(lint(result.program).empty());
        QVERIFY(result.program.rootGraph().find(intern("k1")).isValid());
        QCOMPARE(verifyResult(source, result.program)->verdict, Verdict::same);
    }

    /// The verifier does not track writes of control flow graphs to outer memory. The result is then undecided, and after
    /// refinement nothing is shared.
    void provesWhatItLeavesAsItIs()
    {
        const Program source = ProgramText::program(
            "graph yes; a = input [4]; w = aten.add_.Tensor(a, 1.0); s = aten.sin.default(a); return (s,); end; "
            "graph no; a = input [4]; s = aten.cos.default(a); return (s,); end; "
            "x = input [4]; p = input True; t = attr yes; f = attr no; c = torch.ops.higher_order.cond(p, t, f, (x,)); "
            "g = _operator.getitem(c, 0) : [4]; a1 = aten.sin.default(g) : [4]; b1 = aten.cos.default(a1) : [4]; "
            "a2 = aten.sin.default(b1) : [4]; b2 = aten.cos.default(a2) : [4]; return b2");
        ProvableDedup dedup(source, {});
        DedupResult result = *dedup.attempt();
        QCOMPARE(callsOf(result), 2U);
        QCOMPARE(verifyResult(source, result.program)->verdict, Verdict::undecided);
        while (dedup.refine(result, *verifyResult(source, result.program)))
            result = *dedup.attempt();
        QVERIFY(result.subgraphs.empty());
        QCOMPARE(verifyResult(source, result.program)->verdict, Verdict::same);
        result.program.graph(GraphId(1U))
            .setTarget(result.program.graph(GraphId(1U)).find(intern("s")), intern("torch.ops.aten.tan.default"), {});
        QVERIFY(verifyResult(source, result.program)->verdict != Verdict::same);
    }

    void knowsTheItemsOfATupleApart()
    {
        const Program source = layers(
            "k# = aten.topk.default(H, 4); v# = _operator.getitem(k#, 0) : [4]; i# = _operator.getitem(k#, 1) : [4] int64; "
            "h# = aten.sin.default(v#) : [4]; ",
            {}, "(h2, v1, i1, v2, i2)");
        Program described = source;
        Graph& graph = described.rootGraph();
        for (const char* name : {"k1", "k2"})
            graph.meta(graph.find(intern(name))).val = Argument::tuple(
                {*graph.node(graph.find(intern("v1"))).meta.val, *graph.node(graph.find(intern("i1"))).meta.val});
        const DedupResult result = *deduplicate(described);
        QVERIFY2(result.abandoned.empty(), result.abandoned.empty() ? "" : result.abandoned[0].why.c_str());
        QCOMPARE(verifyResult(described, result.program)->verdict, Verdict::same);
    }
};

const test::Registered<DedupValuesTest> dedupValuesTest("dedup_values_test");
#include "dedup_values_test.moc"
