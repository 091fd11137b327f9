#include "ir/lint.h"
#include "passes/deduplicate/deduplicate.h"
#include "passes/deduplicate/region_details.h"
#include "repeating_program.h"
#include "test_case.h"
#include "test_support.h"
#include "verify/verify.h"

#include <QTest>

using namespace sunder;

namespace {

QStringList lines(const std::string& text)
{
    return QString::fromStdString(text).split('\n', Qt::SkipEmptyParts);
}

const char* const kTwice = R"(
    x = placeholder()
    y = placeholder()
    a1 = sin(x)
    b1 = add(a1, x)
    a2 = sin(y)
    b2 = add(a2, y)
    s = mul(b1, b2)
    out = output(s))";

/// Returns the reason if exactly one region was left in place.
QString whyLeft(const Program& program)
{
    const Result<DedupResult> result = deduplicate(program);
    return result && result->abandoned.size() > 0 ? QString::fromStdString(result->abandoned.front().why) : QString();
}

} // namespace

class DedupTest final : public QObject {
    Q_OBJECT
private slots:
    void callsOneSubgraphForEachRegion()
    {
        const Result<DedupResult> result = deduplicate(test::programFromText(kTwice));
        QVERIFY(result.has_value());
        QCOMPARE(lines(test::textOf(result->program.rootGraph())),
                 (QStringList{"subgraph_0 = get_attr[subgraph_0]()", "x = placeholder[x]()", "y = placeholder[y]()",
                              "invoke_subgraph = call_function[torch.ops.higher_order.invoke_subgraph](subgraph_0, x)",
                              "getitem = call_function[_operator.getitem](invoke_subgraph)",
                              "invoke_subgraph_1 = call_function[torch.ops.higher_order.invoke_subgraph](subgraph_0, y)",
                              "getitem_1 = call_function[_operator.getitem](invoke_subgraph_1)",
                              "s = call_function[torch.ops.test.mul](getitem, getitem_1)", "out = output[output](s)"}));
        QCOMPARE(lines(test::textOf(result->program.graph(result->subgraphs[0].graph))),
                 (QStringList{"subgraph_input_x = placeholder[subgraph_input_x]()",
                              "a1 = call_function[torch.ops.test.sin](subgraph_input_x)",
                              "b1 = call_function[torch.ops.test.add](a1, subgraph_input_x)", "output = output[output](b1)"}));
    }

    void drawsASubgraphWithItsWeights()
    {
        Program source = test::programFromText(
            "w = placeholder()\nv = placeholder()\nmask = placeholder()\nx = placeholder()\n"
            "a1 = add(x, w) @ layers.0 Layer\nb1 = mul(a1, mask) @ layers.0 Layer\n"
            "a2 = add(b1, v) @ layers.1 Layer\nb2 = mul(a2, mask) @ layers.1 Layer\noutput(b2)\n");
        source.signature.emplace();
        source.signature->inputs = {{.kind = InputKind::parameter, .target = intern("layers.0.weight"), .name = intern("w")},
                                    {.kind = InputKind::parameter, .target = intern("layers.1.weight"), .name = intern("v")}};
        const DedupResult result = *deduplicate(source);
        const RegionProgram drawn = subgraphProgram(result, result.subgraphs.at(0));
        QCOMPARE(drawn.program.root, result.subgraphs[0].graph);
        const std::vector<InputSpec>& inputs = drawn.program.signature->inputs;
        QCOMPARE(inputs.size(), 1U);
        QCOMPARE(inputs[0].target.str(), std::string("layers.0.weight"));
        QVERIFY(drawn.program.rootGraph().find(inputs[0].name).isValid());
        QCOMPARE(drawn.shared.size(), 1U);
        QVERIFY(drawn.program.rootGraph()[drawn.shared[0]].name.view().find("mask") != std::string_view::npos);
        QCOMPARE(drawn.within.str(), std::string("layers.0"));
    }

    void mapsTheNodesOfAllRegionsToTheSubgraph()
    {
        const Program source = test::programFromText(kTwice);
        const DedupResult result = *deduplicate(source);
        for (const char* name : {"b1", "b2"}) {
            QStringList places;
            for (const IdentityMap::Pair& pair : result.map.resultsOf({source.root, source.rootGraph().find(intern(name))}))
                places << QString::fromStdString(result.program.node(pair.result).name.str())
                        + (pair.created ? " carries" : " is");
            QCOMPARE(places, (QStringList{QString(name) == "b1" ? "getitem carries" : "getitem_1 carries", "b1 is"}));
        }
    }

    void leavesInPlaceWhatCannotBeShared_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("why");
        QTest::newRow("a write to an input") << R"(
            x = placeholder()
            y = placeholder()
            a1 = call_method[add_](x, 1)
            b1 = sin(a1)
            a2 = call_method[add_](y, 1)
            b2 = sin(a2)
            out = output(b1, b2))" << "a1 writes to memory of x, which comes from outside the region";
        QTest::newRow("a module's buffers") << R"(
            x = placeholder()
            a1 = call_module[bn](x)
            b1 = sin(a1)
            a2 = call_module[bn](b1)
            b2 = sin(a2)
            out = output(b2))" << "a1 may write to buffers of the module that it calls";
        QTest::newRow("random numbers in between") << R"(
            x = placeholder()
            y = placeholder()
            a1 = call_method[bernoulli](x)
            a2 = call_method[bernoulli](y)
            b2 = call_method[exponential](a2)
            b1 = call_method[exponential](a1)
            out = output(b1, b2))" << "b1 depends on b2, which is outside the region and must run after another node of it";
    }
    void leavesInPlaceWhatCannotBeShared()
    {
        QFETCH(QString, text);
        QFETCH(QString, why);
        Program program = test::programFromText(text.toStdString());
        if (const ModuleId bn = program.modules.find(intern("bn")))
            program.modules[bn].cls = intern("torch.nn.modules.batchnorm.BatchNorm2d");
        QCOMPARE(whyLeft(program), why);
        const DedupResult result = *deduplicate(program);
        QVERIFY(std::ranges::none_of(result.subgraphs, [](const SharedSubgraph& subgraph) { return subgraph.calls.empty(); }));
    }

    void sharesModulesThatRegionsCall()
    {
        Program source = test::programFromText(R"(
            x = placeholder()
            a1 = call_module[block.lin](x)
            b1 = sin(a1)
            a2 = call_module[block.lin](b1)
            b2 = sin(a2)
            out = output(b2))");
        source.modules[source.modules.find(intern("block.lin"))].cls = intern("torch.nn.modules.linear.Linear");
        const DedupResult result = *deduplicate(source);
        QVERIFY(lint(result.program).empty());
        QCOMPARE(result.program.modules.resolve("subgraph_0.block.lin"), result.program.modules.find(intern("block.lin")));
        QCOMPARE(verifyResult(source, result.program)->verdict, Verdict::same);
    }

    /// PyTorch's sort would move `late`, which reads the memory of the written tensor, before `early`.
    void keepsModulesBeforeWritesToTheirTensors_data()
    {
        QTest::addColumn<QString>("path");
        QTest::newRow("a leaf module") << "lin";
        QTest::newRow("another path of it") << "same";
        QTest::newRow("a module around it") << "outer";
    }
    void keepsModulesBeforeWritesToTheirTensors()
    {
        QFETCH(QString, path);
        Program source = test::programFromText(R"(
            x = placeholder()
            w = get_attr[lin.weight]()
            a1 = sin(x)
            b1 = cos(a1)
            early = call_module[)" + path.toStdString()
                                               + R"(](b1)
            late = call_method[mul_](w, 2)
            a2 = sin(w)
            b2 = cos(a2)
            out = output(early, b2))");
        const ModuleId lin = source.modules.ensure("lin");
        source.modules[lin].cls = intern("torch.nn.modules.linear.Linear");
        source.tensors.add({.fqn = intern("lin.weight"), .meta = {.dtype = intern("float32")}});
        source.modules[source.modules.ensure("same")].same = lin;
        source.modules[source.modules.ensure("outer.inner")].same = lin;
        const DedupResult result = *deduplicate(source);
        QCOMPARE(result.subgraphs.size(), std::size_t{1});
        const Graph& graph = result.program.rootGraph();
        const std::vector<std::uint32_t> position = graph.positions();
        QVERIFY(position[graph.find(intern("early")).index()] < position[graph.find(intern("late")).index()]);
    }

    void assumesThatTensorsWithoutAStorageShareMemory()
    {
        Program source = test::programFromText(R"(
            w = get_attr[w]()
            v = get_attr[v]()
            x = placeholder()
            y = placeholder()
            a1 = add(x, w)
            write = call_method[add_](v, y)
            b1 = mul(a1, w)
            a2 = add(y, w)
            b2 = mul(a2, w)
            out = output(b1, b2))");
        Program stored = source;
        for (const char* name : {"w", "v"}) {
            source.tensors.add({.fqn = intern(name)});
            const StorageId storage = stored.tensors.addStorage({.id = intern(name), .byteCount = 4});
            stored.tensors.add({.fqn = intern(name), .storage = storage});
        }
        QCOMPARE(whyLeft(stored), QString());
        QCOMPARE(deduplicate(stored)->subgraphs.size(), std::size_t{1});
        QCOMPARE(whyLeft(source),
                 QString("b1 depends on write, which is outside the region and must run after another node of it"));
    }

    void keepsTheOrderOfWhatMayBeWrittenInPlace()
    {
        Program source = test::programFromText(R"(
            x = placeholder()
            a1 = sin(x)
            b1 = cos(a1)
            r = call_module[act](x)
            a2 = sin(r)
            b2 = cos(a2)
            out = output(b1, b2))");
        Graph& graph = source.rootGraph();
        auto memory = std::make_shared<TensorMeta>();
        memory->dtype = intern("float32");
        memory->storage = intern("v0");
        for (const char* name : {"x", "r"})
            graph.meta(graph.find(intern(name))).val = Argument::tensor(memory);
        source.modules[source.modules.find(intern("act"))].cls = intern("torch.nn.modules.activation.ReLU");
        const DedupResult result = *deduplicate(source);
        QCOMPARE(result.subgraphs.size(), std::size_t{1});
        QCOMPARE(verifyResult(source, result.program)->verdict, Verdict::same);
    }

    void neverChangesWhatRandomProgramsCompute()
    {
        std::size_t calls = 0;
        for (unsigned seed = 0; seed < 200; ++seed) {
            const Program source = test::repeatingProgram(
                seed, {.writes = seed % 3 == 0, .setters = seed % 7 == 0, .interleaved = seed % 2 == 0});
            for (const RegionKey key : {RegionKey::tracked, RegionKey::structural}) {
                const Result<DedupResult> result = deduplicate(source, {.key = key});
                QVERIFY2(result.has_value(), result ? "" : result.error().message.c_str());
                QVERIFY(lint(result->program).empty());
                const VerifyReport report = *verifyResult(source, result->program);
                QVERIFY2(report.verdict == Verdict::same, (std::to_string(seed) + ": " + report.why).c_str());
                for (const SharedSubgraph& subgraph : result->subgraphs)
                    calls += subgraph.calls.size();
            }
        }
        QVERIFY(calls > 500);
    }

    void growsMoreCautiousUntilThereIsAProof()
    {
        const Program source = test::programFromText(R"(
            x = placeholder()
            a1 = sin(x)
            b1 = add(a1, x)
            c = neg(x)
            a2 = sin(c)
            b2 = add(a2, c)
            d = exp(x)
            out = output(b1, b2, d))");
        const VerifyReport doubt{.verdict = Verdict::undecided, .why = "no reason"};
        ProvableDedup dedup(source, {});
        const DedupResult asTorch = *dedup.attempt();
        QCOMPARE(asTorch.subgraphs.size(), std::size_t{1});
        QVERIFY(!dedup.refine(asTorch, {.verdict = Verdict::same}));
        QVERIFY(dedup.refine(asTorch, doubt));
        const DedupResult asSource = *dedup.attempt();
        QStringList names;
        for (const NodeId id : asSource.program.rootGraph().nodes())
            names << QString::fromStdString(asSource.program.rootGraph().node(id).name.str());
        QCOMPARE(
            names,
            (QStringList{"subgraph_0", "x", "invoke_subgraph", "getitem", "c", "invoke_subgraph_1", "getitem_1", "d", "out"}));
        QCOMPARE(verifyResult(source, asSource.program)->verdict, Verdict::same);
        QVERIFY(dedup.refine(asSource, doubt));
        const DedupResult nothing = *dedup.attempt();
        QVERIFY(nothing.subgraphs.empty());
        QCOMPARE(nothing.abandoned.size(), std::size_t{2});
        QCOMPARE(nothing.abandoned[0].why, std::string("sharing it is not proven to be equivalent: no reason"));
        QCOMPARE(test::textOf(nothing.program.rootGraph()), test::textOf(source.rootGraph()));
        QVERIFY(!dedup.refine(nothing, doubt));
    }

    void isTheSameForEqualPrograms()
    {
        for (unsigned seed = 0; seed < 20; ++seed) {
            const DedupResult a = *deduplicate(test::repeatingProgram(seed, {.writes = true}));
            const DedupResult b = *deduplicate(test::repeatingProgram(seed, {.writes = true}));
            QCOMPARE(test::textOf(a.program.rootGraph()), test::textOf(b.program.rootGraph()));
        }
    }

    void sharesTenThousandRegionsIntoOneWideResult()
    {
        std::string text = "x = placeholder()\n";
        std::string all;
        for (int i = 0; i < 10'000; ++i) {
            const std::string n = std::to_string(i);
            text += "a" + n + " = sin(x)\nb" + n + " = cos(a" + n + ")\n";
            all += (all.empty() ? "b" : ", b") + n;
        }
        const Program source = test::programFromText(text + "out = output(" + all + ")");
        const DedupResult result = *deduplicate(source);
        QCOMPARE(result.subgraphs.size(), std::size_t{1});
        QCOMPARE(result.subgraphs[0].calls.size(), std::size_t{10'000});
    }
};

const test::Registered<DedupTest> dedupTest("dedup_test");
#include "dedup_test.moc"
