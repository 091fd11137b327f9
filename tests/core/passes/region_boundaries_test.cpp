#include "ir/lint.h"
#include "layered_text.h"
#include "passes/regions/compare_regions.h"
#include "passes/regions/occurrences.h"
#include "passes/regions/region_boundaries.h"
#include "passes/regions/region_program.h"
#include "repeating_program.h"
#include "test_case.h"
#include "test_support.h"

#include <QTest>

using namespace sunder;

namespace {

QStringList reasonsOf(const Program& program, RegionBoundary::Kind kind, const RegionOptions& options = {})
{
    const RegionResult regions = *findRegions(program, options);
    QStringList reasons;
    if (regions.groups.empty())
        return {QStringLiteral("no group")};
    const auto boundaries = regionBoundaries(program, options, regions, 0);
    for (const RegionBoundary& boundary : *boundaries)
        if (boundary.kind == kind)
            reasons << QString::fromStdString(boundary.why);
    return reasons;
}

QStringList reasonsOf(const char* text, RegionBoundary::Kind kind)
{
    return reasonsOf(test::programFromText(text), kind);
}

} // namespace

class RegionBoundariesTest final : public QObject {
    Q_OBJECT

private slots:
    void namesTheConstantThatOneOccurrenceHasOtherwise()
    {
        const std::string text = "x = placeholder() : 4\n"
            + test::layersText({"scaled_# = mul(@, 2)", "bent_# = sin(@)", "done_# = cos(@)"}, 2, "x")
            + test::layersText({"scaled_# = mul(@, 3)", "bent_# = sin(@)", "done_# = cos(@)"}, 1, "done_1", 2)
            + "output(done_2)\n";
        QCOMPARE(reasonsOf(text.c_str(), RegionBoundary::Kind::nearMiss).first(),
                 QStringLiteral("in layers.2, the input scaled_2 has the argument 3, not 2 as elsewhere"));
    }

    void namesTheUserOutsideThatKeepsANodeOut()
    {
        const char* const kText = R"(
            x = placeholder()
            y = placeholder()
            a1 = sin(x)
            b1 = cos(a1)
            other1 = tan(a1, 1)
            c1 = mul(b1, other1)
            a2 = sin(y)
            b2 = cos(a2)
            other2 = tan(a2, 2)
            c2 = mul(b2, other2)
            output(c1, c2)
        )";
        // tan has different constants, so it stays outside; it needs a, and c needs it.
        QCOMPARE(reasonsOf(kText, RegionBoundary::Kind::usedOutside),
                 QStringList{QStringLiteral("a1 is also used by other1, which is not part of the region but must "
                                            "run between its ops")});
        QCOMPARE(reasonsOf(kText, RegionBoundary::Kind::nearMiss).first(),
                 QStringLiteral("in c2, the input other2 has the argument 2, not 1 as elsewhere"));
    }

    void namesValuesThatAllShareAndInputsOfTheModel()
    {
        const char* const kText = R"(
            x = placeholder()
            y = placeholder()
            shared = neg(x)
            a1 = sin(x, shared)
            b1 = cos(a1)
            a2 = sin(y, shared)
            b2 = cos(a2)
            output(b1, b2)
        )";
        QCOMPARE(reasonsOf(kText, RegionBoundary::Kind::shared),
                 QStringList{QStringLiteral("shared is a shared input: all occurrences use the same value, so it "
                                            "is not part of any occurrence")});
        QCOMPARE(reasonsOf(kText, RegionBoundary::Kind::modelInput), QStringList{QStringLiteral("x is an input of the model")});
    }

    void namesTheOccurrenceBefore()
    {
        const char* const kText = R"(
            x = placeholder() : 4
            a1 = sin(x) : 4
            b1 = cos(a1) : 4
            a2 = sin(b1) : 4
            b2 = cos(a2) : 4
            a3 = sin(b2) : 4
            b3 = cos(a3) : 4
            output(b3)
        )";
        QCOMPARE(reasonsOf(kText, RegionBoundary::Kind::nearMiss).first(),
                 QStringLiteral("in b1, the input x is an input of the model; elsewhere it is an op like b1"));
    }

    void namesALayerThatTheGroupLeavesOut()
    {
        const std::string text = "x = placeholder() : 4\n" + test::layersText({"bent_# = sin(@)", "done_# = cos(@, 1)"}, 2, "x")
            + test::layersText({"bent_# = sin(@)", "done_# = cos(@, 9)"}, 1, "done_1", 2)
            + test::layersText({"bent_# = sin(@)", "done_# = cos(@, 9, 9)"}, 2, "done_2", 3) + "output(done_4)\n";
        const Program program = test::programFromText(text);
        const RegionResult regions = *findRegions(program);
        const auto wanted = std::ranges::find_if(regions.groups, [&](const RegionGroup& group) {
            return program.rootGraph()[group.nodes.back()].name.str() == "done_1";
        });
        QVERIFY(wanted != regions.groups.end());
        QStringList missing;
        const auto boundaries = *regionBoundaries(program, {}, regions,
                                                  static_cast<std::size_t>(wanted - regions.groups.begin()));
        for (const RegionBoundary& boundary : boundaries)
            if (boundary.kind == RegionBoundary::Kind::missing)
                missing << QString::fromStdString(boundary.why);
        QCOMPARE(missing,
                 (QStringList{QStringLiteral("layers.2 has no occurrence: its done_2 has the argument 9, not 1"),
                              QStringLiteral("layers.3 has no occurrence: its done_3 has 3 arguments, not 2 (and 1 other)")}));
    }

    void saysWhatDiffersFirst_data()
    {
        QTest::addColumn<QString>("other");
        QTest::addColumn<QString>("difference");
        QTest::newRow("target") << "cos(x, 1)" << "calls test.cos, not test.sin";
        QTest::newRow("constant") << "sin(x, 2)" << "has the argument 2, not 1";
        QTest::newRow("number of arguments") << "sin(x)" << "has 1 argument, not 2";
        QTest::newRow("input") << "sin(y, 1)" << "takes f32[4], not f32[8]";
        QTest::newRow("nothing") << "sin(x, 1)" << "";
    }
    void saysWhatDiffersFirst()
    {
        QFETCH(QString, other);
        QFETCH(QString, difference);
        const Program program = test::programFromText(
            "x = placeholder() : 8\ny = placeholder() : 4\na = sin(x, 1)\nb = " + other.toStdString() + "\noutput(a, b)\n");
        const Graph& graph = program.rootGraph();
        QCOMPARE(QString::fromStdString(nodeDifference(graph, graph.find(intern("b")), graph.find(intern("a")))), difference);
    }

    void namesOccurrencesByTheirModules()
    {
        const char* const kText = R"(
            x = placeholder()
            a = sin(x) @ enc.layers.0 Layer > enc.layers.0.norm Norm
            b = cos(a) @ enc.layers.0 Layer
            c = sin(b) @ enc.layers.1 Layer > enc.layers.1.norm Norm
            d = cos(c) @ enc.layers.1 Layer
            output(d)
        )";
        const Program program = test::programFromText(kText);
        const RegionResult regions = *findRegions(program);
        QCOMPARE(occurrenceNames(program, regions.groups[0]), (std::vector<std::string>{"enc.layers.0", "enc.layers.1"}));
    }

    void tellsOccurrencesOfOneModuleApart()
    {
        const char* const kText = R"(
            x = placeholder()
            a = sin(x) @ mlp Mlp
            b = cos(a) @ mlp Mlp
            c = sin(b) @ mlp Mlp
            d = cos(c) @ mlp Mlp
            output(d)
        )";
        const Program program = test::programFromText(kText);
        const RegionResult regions = *findRegions(program);
        QCOMPARE(occurrenceNames(program, regions.groups[0]), (std::vector<std::string>{"mlp: b", "mlp: d"}));
    }

    void makesARegionAProgramOfItsOwn()
    {
        const Program program = test::programFromText(
            "x = placeholder()\nw = get_attr[lin.weight]()\na = sin(x, w)\nb = cos(a, x)\n"
            "c = tan(a)\noutput(b, c)\n");
        const Graph& graph = program.rootGraph();
        const RegionGroup group{.length = 2, .nodes = {graph.find(intern("a")), graph.find(intern("b"))}};
        const RegionProgram cut = regionProgram(program, group);
        QCOMPARE(QString::fromStdString(test::textOf(cut.program.rootGraph())).simplified(),
                 QStringLiteral("x = placeholder[x]() w = get_attr[lin.weight]() a = call_function[torch.ops.test.sin](x, w) "
                                "b = call_function[torch.ops.test.cos](a, x) output = output[output](a, b)"));
        QCOMPARE(cut.nodes.size(), 2U);
        QCOMPARE(cut.program.rootGraph()[cut.nodes[1]].name.str(), std::string("b"));
    }

    void tellsWhatAllRegionsRead()
    {
        const Program program = test::programFromText(
            "x = placeholder()\nmask = placeholder()\n"
            "a = add(x, mask) @ layers.0 Layer > layers.0.mlp Mlp\nb = cos(a, x) @ layers.0 Layer > layers.0.mlp Mlp\n"
            "c = add(b, mask) @ layers.1 Layer > layers.1.mlp Mlp\nd = cos(c, b) @ layers.1 Layer > layers.1.mlp Mlp\n"
            "output(d)\n");
        const RegionResult regions = *findRegions(program);
        const RegionProgram cut = regionProgram(program, regions.groups[0]);
        const Graph& graph = cut.program.rootGraph();
        QCOMPARE(cut.shared, std::vector{graph.find(intern("mask"))});
        QCOMPARE(cut.within.str(), std::string("layers.0.mlp"));
    }

    void explainsEveryGroupOfRandomPrograms()
    {
        for (unsigned seed = 0; seed < 200; ++seed) {
            const Program program = test::repeatingProgram(seed, {.writes = seed % 3 == 0, .interleaved = seed % 2 == 0});
            for (const RegionOptions& options :
                 {RegionOptions(), RegionOptions{.key = RegionKey::structural, .asUpstream = true}}) {
                const RegionResult regions = *findRegions(program, options);
                for (std::size_t group = 0; group < regions.groups.size(); ++group) {
                    const auto boundaries = regionBoundaries(program, options, regions, group);
                    QVERIFY(boundaries.has_value());
                    QVERIFY(!boundaries->empty());
                    for (const RegionBoundary& boundary : *boundaries)
                        QVERIFY(!boundary.why.empty() && boundary.outside.isValid());
                    const RegionProgram cut = regionProgram(program, regions.groups[group]);
                    QCOMPARE(cut.nodes.size(), std::size_t{regions.groups[group].length});
                    QVERIFY(lint(cut.program).empty());
                }
            }
        }
    }
};

const test::Registered<RegionBoundariesTest> regionBoundariesTest("region_boundaries_test");
#include "region_boundaries_test.moc"
