#include "passes/split_by_tags/split_by_tags.h"
#include "test_case.h"
#include "test_support.h"
#include "verify/verify.h"

#include <QTest>

using namespace sunder;

namespace {

/// Parses "a: relu add; b: sum": tags in order, each with its nodes.
TagAssignment tagsFromText(const Graph& graph, const QString& text)
{
    std::vector<InternedString> order;
    std::vector<TagPair> pairs;
    for (const QString& part : text.split(';', Qt::SkipEmptyParts)) {
        const InternedString tag = intern(part.section(':', 0, 0).trimmed().toStdString());
        order.push_back(tag);
        for (const QString& node : part.section(':', 1).split(' ', Qt::SkipEmptyParts))
            pairs.emplace_back(intern(node.toStdString()), tag);
    }
    return assignTags(graph, std::move(order), pairs);
}

const char* const kChain = R"(
    x = placeholder()
    y = placeholder()
    a = relu(x)
    b = add(a, y)
    c = mul(b, a)
    out = output(c))";

Result<SplitResult> splitText(const char* program, const QString& tags)
{
    const Program source = test::programFromText(program);
    return splitByTags(source, tagsFromText(source.rootGraph(), tags));
}

QStringList lines(const std::string& text)
{
    return QString::fromStdString(text).split('\n', Qt::SkipEmptyParts);
}

} // namespace

class SplitByTagsTest final : public QObject {
    Q_OBJECT
private slots:
    void callsPartsInTagOrder()
    {
        const Result<SplitResult> result = splitText(kChain, "p: a b; q: c");
        QVERIFY(result.has_value());
        QCOMPARE(lines(test::textOf(result->program.rootGraph())),
                 (QStringList{"x = placeholder[x]()", "y = placeholder[y]()", "p = call_module[p](x, y)",
                              "getitem = call_function[_operator.getitem](p)", "getitem_1 = call_function[_operator.getitem](p)",
                              "q = call_module[q](getitem, getitem_1)", "output = output[output](q)"}));
        QCOMPARE(lines(test::textOf(result->program.graph(result->parts[1]))),
                 (QStringList{"b = placeholder[b]()", "a = placeholder[a]()", "c = call_function[torch.ops.test.mul](b, a)",
                              "output = output[output](c)"}));
    }

    void mapsNodesToWhatBecameOfThem()
    {
        const Program source = test::programFromText(kChain);
        const SplitResult result = *splitByTags(source, tagsFromText(source.rootGraph(), "p: a b; q: c"));
        const NodeId a = source.rootGraph().find(intern("a"));
        QStringList places;
        for (const IdentityMap::Pair& pair : result.map.resultsOf({source.root, a}))
            places << QString::fromStdString(result.program.node(pair.result).name.str()) + (pair.created ? " carries" : " is");
        QCOMPARE(places, (QStringList{"getitem_1 carries", "a is", "a carries"}));
    }

    void refusesWithNodeAndTags_data()
    {
        QTest::addColumn<QString>("tags");
        QTest::addColumn<QString>("message");
        QTest::newRow("a call without a tag") << "p: a; q: c" << "b has no tag; every op needs one";
        QTest::newRow("an order against an edge") << "q: b; p: a c" << "a (tag p) feeds b (tag q), but p comes after q";
        QTest::newRow("a tag with a dot") << "p.q: a b c" << "the tag \"p.q\" cannot name a part: it contains a dot";
        QTest::newRow("a name of every module")
            << "forward: a b c"
            << "the tag \"forward\" cannot name a part: every module has an attribute with that name";
    }
    void refusesWithNodeAndTags()
    {
        QFETCH(QString, tags);
        QFETCH(QString, message);
        const Result<SplitResult> result = splitText(kChain, tags);
        QVERIFY(!result);
        QCOMPARE(QString::fromStdString(result.error().message), message);
        QCOMPARE(result.error().code, ErrorCode::refused);
    }

    void refusesATagThatIsNotInTheOrder()
    {
        const Program source = test::programFromText(kChain);
        const std::vector<TagPair> pairs = {{intern("a"), intern("p")}, {intern("b"), intern("lost")}};
        const auto result = splitByTags(source, assignTags(source.rootGraph(), {intern("p")}, pairs));
        QVERIFY(!result);
        QCOMPARE(result.error().where.node, std::string("b"));
        QCOMPARE(result.error().where.other, std::string("lost"));
    }

    void refusesAModuleThatIsNotThere()
    {
        Program source = test::programFromText("x = placeholder()\n l = call_module[lin](x)\n out = output(l)");
        source.rootGraph().setTarget(source.rootGraph().find(intern("l")), intern("gone"), {});
        const auto result = splitByTags(source, tagsFromText(source.rootGraph(), "p: l"));
        QVERIFY(!result);
        QCOMPARE(result.error().message, std::string("l calls module gone, which the program does not have"));
    }

    void keepsEmptyPartsAsCallsWithoutResults()
    {
        const Result<SplitResult> result = splitText(kChain, "e: ; p: a b c; f:");
        QVERIFY(result.has_value());
        QCOMPARE(result->parts.size(), std::size_t{3});
        QCOMPARE(lines(test::textOf(result->program.graph(result->parts[0]))), QStringList{"output = output[output]()"});
    }

    void losesStarsAndDefaultsAsPyTorchDoesUnlessAskedToKeepThem()
    {
        Program source = test::programFromText(kChain);
        Graph& graph = source.rootGraph();
        graph.setTarget(graph.find(intern("y")), intern("*y"), {});
        graph.setArguments(graph.find(intern("x")), {Argument::floating(2.0)}, {});
        const TagAssignment tags = tagsFromText(graph, "p: a b; q: c");
        const Result<SplitResult> torchs = splitByTags(source, tags);
        const Result<SplitResult> kept = splitByTags(source, tags, {.keepSignature = true});
        QVERIFY(torchs && kept);
        QCOMPARE(lines(test::textOf(torchs->program.rootGraph())).first(2),
                 (QStringList{"x = placeholder[x]()", "y = placeholder[y]()"}));
        QCOMPARE(lines(test::textOf(kept->program.rootGraph())).first(2),
                 (QStringList{"x = placeholder[x]()", "y = placeholder[*y]()"}));
        QCOMPARE(kept->program.rootGraph().node(kept->program.rootGraph().first()).args.size(), std::size_t{1});
        QCOMPARE(verifyResult(source, torchs->program)->verdict, Verdict::different);
        QCOMPARE(verifyResult(source, kept->program)->verdict, Verdict::same);
    }

    void stopsWhenAsked()
    {
        struct Cancelled final : ProgressMonitor {
            void report(double, std::string_view) override {}
            [[nodiscard]] bool isCancelled() const override { return true; }
        } monitor;
        const Program source = test::programFromText(kChain);
        const auto result = splitByTags(source, tagsFromText(source.rootGraph(), "p: a b c"), {}, monitor);
        QVERIFY(!result);
        QCOMPARE(result.error().code, ErrorCode::cancelled);
    }
};

const test::Registered<SplitByTagsTest> splitByTagsTest("split_by_tags_test");
#include "split_by_tags_test.moc"
