#include "ir/lint.h"
#include "split_module_text.h"
#include "test_case.h"
#include "verify/verify.h"

#include <QTest>

using namespace sunder;
using namespace sunder::test;

namespace {

QStringList names(const std::vector<InternedString>& strings)
{
    QStringList list;
    for (const InternedString string : strings)
        list << QString::fromStdString(string.str());
    return list;
}

const char* const kModuleChain = R"(
    x = placeholder()
    y = placeholder()
    a = relu(x)
    b = add(a, y)
    c = mul(b, a)
    out = output(c))";

/// a | b | c, without edges between them.
const char* const kIndependent = R"(
    x = placeholder()
    a = relu(x)
    b = sin(x)
    c = cos(x)
    out = output(c))";

void setExampleValue(Graph& graph, const char* name, Argument value)
{
    NodeMeta& meta = graph.meta(graph.find(intern(name)));
    meta.val = std::move(value);
    meta.valFrom = intern("example_value");
}

Argument symbol(const char* expression)
{
    return Argument::symbolic({.expression = intern(expression)});
}

Argument tensorOfSize(const char* expression)
{
    TensorMeta meta;
    meta.dtype = intern("float32");
    meta.shape = {symbol(expression)};
    return Argument::tensor(std::make_shared<const TensorMeta>(meta));
}

} // namespace

class SplitModuleTest final : public QObject {
    Q_OBJECT
private slots:
    void losesStarsWithOriginalNamesAsPyTorchDoesUnlessAskedToKeepThem()
    {
        Program source = test::programFromText(kModuleChain);
        Graph& graph = source.rootGraph();
        graph.setTarget(graph.find(intern("y")), intern("*y"), {});
        graph.setArguments(graph.find(intern("x")), {Argument::floating(2.0)}, {});
        const auto torchs = split(source, "0: a b; 1: c", {.keepOriginalNodeNames = true});
        const auto kept = split(source, "0: a b; 1: c", {.keepOriginalNodeNames = true, .keepSignature = true});
        QVERIFY(torchs && kept);
        QCOMPARE(lines(torchs->program.rootGraph()).first(2), (QStringList{"x = placeholder[x]()", "y = placeholder[y]()"}));
        QCOMPARE(lines(kept->program.rootGraph()).first(2), (QStringList{"x = placeholder[x]()", "y = placeholder[*y]()"}));
        QCOMPARE(kept->program.rootGraph().node(kept->program.rootGraph().first()).args.size(), std::size_t{1});
        QCOMPARE(verifyResult(source, torchs->program)->verdict, Verdict::different);
        QCOMPARE(verifyResult(source, kept->program)->verdict, Verdict::same);
    }

    void callsPartitionsAndTakesTheirResultsApart()
    {
        const Result<SplitResult> result = split(kModuleChain, "0: a b; 1: c");
        QVERIFY(result.has_value());
        QCOMPARE(lines(result->program.rootGraph()),
                 (QStringList{"x = placeholder[x]()", "y = placeholder[y]()", "submod_0 = call_module[submod_0](x, y)",
                              "getitem = call_function[_operator.getitem](submod_0)",
                              "getitem_1 = call_function[_operator.getitem](submod_0)",
                              "submod_1 = call_module[submod_1](getitem, getitem_1)", "output = output[output](submod_1)"}));
        QCOMPARE(lines(result->program.graph(result->parts[1])),
                 (QStringList{"b = placeholder[b]()", "a = placeholder[a]()", "mul = call_function[torch.ops.test.mul](b, a)",
                              "output = output[output](mul)"}));
        QCOMPARE(names(result->partNames), (QStringList{"submod_0", "submod_1"}));
        QVERIFY(lint(result->program).empty());
        QCOMPARE(verifyResult(test::programFromText(kModuleChain), result->program)->verdict, Verdict::same);
    }

    void callsIndependentPartitionsLastFirst()
    {
        QCOMPARE(names(split(kIndependent, "0: a; 1: b; 2: c")->partNames), (QStringList{"submod_2", "submod_1", "submod_0"}));
    }

    void keepsTheOriginalOrderOnRequest()
    {
        QCOMPARE(names(split(kIndependent, "0: a; 1: b; 2: c", {.keepOriginalOrder = true})->partNames),
                 (QStringList{"submod_0", "submod_1", "submod_2"}));
    }

    void refusesAnOriginalOrderThatRunsBackwards()
    {
        const char* const source = R"(
            x = placeholder()
            a = relu(x)
            b = sin(x)
            c = add(a, b)
            out = output(c))";
        QVERIFY(split(source, "first: a c; second: b").has_value());
        const Result<SplitResult> result = split(source, "first: a c; second: b", {.keepOriginalOrder = true});
        QVERIFY(!result);
        QCOMPARE(result.error().code, ErrorCode::refused);
        QVERIFY(result.error().message.find("partition first needs b of partition second") != std::string::npos);
    }

    void namesTheRingOfPartitionsThatDependOnEachOther()
    {
        const Result<SplitResult> result = split(kModuleChain, "0: a c; 1: b");
        QVERIFY(!result);
        QCOMPARE(result.error().code, ErrorCode::refused);
        QVERIFY2(result.error().message.find("c (partition 0) uses b (partition 1), b (partition 1) uses a (partition 0)")
                     != std::string::npos,
                 result.error().message.c_str());
    }

    void namesOnlyTheRingOfALongerTangle()
    {
        const Result<SplitResult> result = split(R"(
            x = placeholder()
            a = relu(x)
            b = sin(a)
            c = cos(b)
            d = tan(c)
            e = exp(d)
            f = add(b, e)
            out = output(f))",
                                                 "0: a; 1: b d; 2: c; 3: e; 4: f");
        QVERIFY(!result);
        QVERIFY(result.error().message.find("d (partition 1) uses c (partition 2), c (partition 2) uses b (partition 1)")
                != std::string::npos);
        QVERIFY(result.error().message.find("partition 0") == std::string::npos);
        QVERIFY(result.error().message.find("partition 4") == std::string::npos);
    }

    void refusesACallWithoutAPartition()
    {
        const Result<SplitResult> result = split(kModuleChain, "0: a");
        QVERIFY(!result);
        QCOMPARE(result.error().message, std::string("b and 1 later op have no partition; every op needs one"));
        QCOMPARE(result.error().where.node, std::string("b"));
    }

    void keepsNamesOnRequest()
    {
        const Result<SplitResult> result = split(kModuleChain, "0: a b; 1: c", {.keepOriginalNodeNames = true});
        QVERIFY(lines(result->program.graph(result->parts[0])).contains("b = call_function[torch.ops.test.add](a, y)"));
    }

    void numbersInputsOnRequest()
    {
        const Program source = test::programFromText(kModuleChain);
        const Result<SplitResult> result = split(source, "0: a b; 1: c", {.dropOriginalInputNames = true});
        QVERIFY(result.has_value());
        QCOMPARE(lines(result->program.rootGraph()).first(2), (QStringList{"x = placeholder[x]()", "y = placeholder[y]()"}));
        QCOMPARE(lines(result->program.graph(result->parts[1])),
                 (QStringList{"arg_0 = placeholder[arg_0]()", "arg_1 = placeholder[arg_1]()",
                              "mul = call_function[torch.ops.test.mul](arg_0, arg_1)", "output = output[output](mul)"}));
        QVERIFY(lint(result->program).empty());
        QCOMPARE(verifyResult(source, result->program)->verdict, Verdict::same);
    }

    void givesNodesThatKeepTheirNamesAnotherOneThanANumberedInput()
    {
        const Result<SplitResult> result = split(R"(
            x = placeholder()
            arg_0 = relu(x)
            out = output(arg_0))",
                                                 "0: arg_0", {.keepOriginalNodeNames = true, .dropOriginalInputNames = true});
        QVERIFY(result.has_value());
        QCOMPARE(lines(result->program.graph(result->parts[0])),
                 (QStringList{"arg_0 = placeholder[arg_0]()", "arg_1 = call_function[torch.ops.test.relu](arg_0)",
                              "output = output[output](arg_1)"}));
    }

    void putsAnAffixIntoTheNamesOfPartsOnRequest()
    {
        const Program source = test::programFromText(kModuleChain);
        const Result<SplitResult> result = split(source, "0: a b; 1: c", {.partitionAffix = "pp"});
        QVERIFY(result.has_value());
        QCOMPARE(names(result->partNames), (QStringList{"submod_pp_0", "submod_pp_1"}));
        QVERIFY(lines(result->program.rootGraph()).contains("submod_pp_0 = call_module[submod_pp_0](x, y)"));
        QVERIFY(result->program.modules.find(intern("submod_pp_1")).isValid());
        QCOMPARE(names(split(source, "0: a b c", {.partitionAffix = ""})->partNames), (QStringList{"submod__0"}));
        QCOMPARE(verifyResult(source, result->program)->verdict, Verdict::same);
    }

    void wrapsASingleResultOnRequest()
    {
        const Result<SplitResult> result = split(kModuleChain, "0: a b c", {.tupleReturn = true});
        QVERIFY(lines(result->program.rootGraph()).contains("getitem = call_function[_operator.getitem](submod_0)"));
        QCOMPARE(verifyResult(test::programFromText(kModuleChain), result->program)->verdict, Verdict::same);
    }

    void flattensPathsOfCalledModules()
    {
        const char* const source = R"(
            x = placeholder()
            a = call_module[layers.0.fc](x)
            out = output(a))";
        const Result<SplitResult> result = split(source, "0: a");
        QVERIFY(result.has_value());
        QVERIFY(lines(result->program.graph(result->parts[0])).contains("layers_0_fc = call_module[layers_0_fc](x)"));
        QVERIFY(result->program.modules.find(intern("submod_0.layers_0_fc")).isValid());
        QCOMPARE(result->fqnMap.size(), std::size_t{1});
        QCOMPARE(result->fqnMap[0].first.str(), std::string("layers.0.fc"));
        QCOMPARE(result->fqnMap[0].second.str(), std::string("submod_0.layers_0_fc"));
    }

    void doesNotProveModulesWhoseNamesFallTogether()
    {
        const Program source = test::programFromText(R"(
            x = placeholder()
            a = call_module[m.fc](x)
            b = call_module[m_fc](a)
            out = output(b))");
        const Result<SplitResult> result = split(source, "0: a b");
        QVERIFY(result.has_value());
        QCOMPARE(verifyResult(source, result->program)->verdict, Verdict::undecided); // both may contain the same weights
    }

    void handsAttributesOverButReadsModulesInPlace()
    {
        Program source = test::programFromText(R"(
            x = placeholder()
            w = get_attr[fc.weight]()
            g = get_attr[branch]()
            a = cond(x, g, w)
            out = output(a))");
        source.modules.ensure("branch");
        source.modules.ensure("fc");
        source.tensors.add({.fqn = intern("fc.weight"), .persistent = true});
        const Result<SplitResult> result = split(source, "0: a");
        QVERIFY(result.has_value());
        QCOMPARE(lines(result->program.graph(result->parts[0])),
                 (QStringList{"x = placeholder[x]()", "w = placeholder[w]()", "branch = get_attr[branch]()",
                              "cond = call_function[torch.ops.test.cond](x, branch, w)", "output = output[output](cond)"}));
        QVERIFY(lines(result->program.rootGraph()).contains("submod_0 = call_module[submod_0](x, fc_weight)"));
        QVERIFY(result->program.modules.find(intern("submod_0.branch")).isValid());
        QVERIFY(lint(result->program).empty());
    }

    void carriesTheAttributesOfLeafModules()
    {
        Program source = test::programFromText(R"(
            x = placeholder()
            a = call_module[block.act](x)
            b = relu(a)
            out = output(b))");
        const std::vector<ModuleAttribute> attributes{{intern("inplace"), Argument::boolean(true)},
                                                      {intern("training"), Argument::boolean(false)}};
        source.modules[source.modules.ensure("block.act")].attributes = attributes;
        const Result<SplitResult> result = split(source, "0: a; 1: b");
        QVERIFY(result.has_value());
        const ModuleId carried = result->program.modules.find(intern("submod_0.block_act"));
        QVERIFY(carried.isValid());
        QVERIFY(result->program.modules[carried].attributes == attributes);
    }

    void registersNamesWithFewerDotsFirst()
    {
        Program source = test::programFromText(R"(
            x = placeholder()
            w = get_attr[fc.weight]()
            a = mul(x, w)
            out = output(a))");
        source.modules.ensure("fc");
        source.tensors.add({.fqn = intern("fc.weight"), .persistent = true});
        const Result<SplitResult> result = split(source, "0: a");
        QStringList children;
        for (const ModuleId child : result->program.modules[ModuleTree::root()].children)
            children << QString::fromStdString(result->program.modules[child].name.str());
        QCOMPARE(children, (QStringList{"submod_0", "fc"}));
    }

    void passesSymbolsOfSizesAlong()
    {
        Program source = test::programFromText(R"(
            s = placeholder()
            x = placeholder()
            a = relu(x)
            out = output(a))");
        setExampleValue(source.rootGraph(), "s", symbol("s0"));
        setExampleValue(source.rootGraph(), "x", tensorOfSize("2*s0 + Max(1, 3)"));
        const Result<SplitResult> result = split(source, "0: a");
        QVERIFY(lines(result->program.rootGraph()).contains("submod_0 = call_module[submod_0](x, s)"));
    }

    void refusesASymbolThatNoNodeGives()
    {
        Program source = test::programFromText(R"(
            x = placeholder()
            a = relu(x)
            out = output(a))");
        setExampleValue(source.rootGraph(), "x", tensorOfSize("u7"));
        const Result<SplitResult> result = split(source, "0: a");
        QVERIFY(!result);
        QVERIFY(result.error().message.find("u7") != std::string::npos);
    }

    void callsDeadPartitionsAllTheSame()
    {
        const Result<SplitResult> result = split(kIndependent, "0: a b; 1: c");
        QVERIFY(lines(result->program.rootGraph()).contains("submod_0 = call_module[submod_0](x)"));
        QCOMPARE(lines(result->program.graph(result->parts[1])).back(), QString("output = output[output]()"));
    }

    void mapsEveryCallToItsCopyAndMarksBoundaries()
    {
        const Program source = test::programFromText(kModuleChain);
        const Result<SplitResult> result = split(source, "0: a b; 1: c");
        const NodeId a = source.rootGraph().find(intern("a"));
        int copies = 0;
        int created = 0;
        for (const IdentityMap::Pair& pair : result->map.resultsOf({source.root, a}))
            ++(pair.created ? created : copies);
        QCOMPARE(copies, 1);
        QCOMPARE(created, 2); // the getitem in the root, the placeholder of the other part
    }

    void acceptsNamesWithDots()
    {
        const Result<SplitResult> result = split(kIndependent, "p: a; p.q: b c");
        QVERIFY(result.has_value());
        QVERIFY(result->program.modules.find(intern("submod_p.q")).isValid());
        QVERIFY(lint(result->program).empty());
    }

    void splitsAGraphWithoutCallsIntoNoParts()
    {
        const Result<SplitResult> result = split("x = placeholder()\n out = output(x)", "");
        QVERIFY(result.has_value());
        QVERIFY(result->parts.empty());
        QCOMPARE(lines(result->program.rootGraph()), (QStringList{"x = placeholder[x]()", "output = output[output](x)"}));
    }
};

const test::Registered<SplitModuleTest> splitModuleTest("split_module_test");
#include "split_module_test.moc"
