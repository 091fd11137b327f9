#include "layout/picture/picture_edges.h"

#include "picture_checks.h"
#include "test_case.h"

#include <QTest>

using namespace sunder;
using namespace sunder::test;

/// Values of an edge, and its counterpart in another picture.
class PictureEdgesTest final : public QObject {
    Q_OBJECT
private slots:
    void saysWhoMakesAValueAndWhoReadsIt()
    {
        const Program program = programFromText("x = placeholder() : 4\n"
                                                "a = relu(x) : 4\n"
                                                "b = gelu(a) : 4\n"
                                                "c = add(b, a) : 4\n"
                                                "output(c)\n");
        const ScenePicture scene = drawn(program);
        const PictureEdge& edge = scene.picture->edges[edgeBetween(scene, program, "a", "b")];
        const std::vector<ValueBetween> carried = carriedBy(program.rootGraph(), *scene.picture, edge);
        QCOMPARE(carried.size(), 1U);
        QCOMPARE(carried[0].value, node(program, "a"));
        QCOMPARE(carried[0].producer, node(program, "a"));
        QVERIFY(!carried[0].item);
        QCOMPARE(carried[0].readers, std::vector{node(program, "b")});
        QCOMPARE(carried[0].further, 1U);
    }

    void anItemOfATupleComesFromTheOpThatMakesTheTuple()
    {
        const Program program = programFromText("x = placeholder() : 4\n"
                                                "s = split(x)\n"
                                                "first = call_function[_operator.getitem](s, 0) : 4\n"
                                                "second = call_function[_operator.getitem](s, 1) : 4\n"
                                                "c = add(first, second) : 4\n"
                                                "output(c)\n");
        const ScenePicture scene = drawn(program);
        const PictureEdge& edge = scene.picture->edges[edgeBetween(scene, program, "s", "c")];
        const std::vector<ValueBetween> carried = carriedBy(program.rootGraph(), *scene.picture, edge);
        QCOMPARE(carried.size(), 2U); // a bundle
        QCOMPARE(carried[1].value, node(program, "second"));
        QCOMPARE(carried[1].producer, node(program, "s"));
        QCOMPARE(carried[1].item, std::optional<std::int64_t>(1));
        QCOMPARE(carried[1].further, 0U);
    }

    void anEdgeIsFoundAgainWhateverIsOpen()
    {
        const Program program = programFromText("x = placeholder() : 4\n"
                                                "a = relu(x) : 4 @ enc Encoder > enc.act ReLU\n"
                                                "b = gelu(a) : 4 @ enc Encoder > enc.act ReLU\n"
                                                "c = tanh(b) : 4 @ dec Decoder > dec.out Tanh\n"
                                                "d = sin(c) : 4 @ dec Decoder > dec.out Tanh\n"
                                                "output(d)\n");
        const EdgeEnds ends{node(program, "b"), node(program, "c")};
        for (const bool isOpen : {true, false}) {
            const ScenePicture scene = drawn(program, {.openAll = isOpen});
            const std::int64_t edge = edgeWith(scene, ends);
            QVERIFY(edge >= 0);
            const PictureEdge& found = scene.picture->edges[static_cast<std::size_t>(edge)];
            QCOMPARE(found.from, scene.picture->itemOf[ends.value.index()]);
            QCOMPARE(found.to, scene.picture->itemOf[ends.reader.index()]);
        }
        const EdgeEnds inside{node(program, "a"), node(program, "b")};
        QVERIFY(edgeWith(drawn(program, {.openAll = true}), inside) >= 0);
        QCOMPARE(edgeWith(drawn(program), inside), std::int64_t{-1}); // both ends are in one box
    }

    void edgesOfAnItemAreThoseIntoItThenThoseOutOfIt()
    {
        const Program program = programFromText("x = placeholder() : 4\n"
                                                "a = relu(x) : 4\n"
                                                "b = gelu(a) : 4\n"
                                                "c = tanh(a) : 4\n"
                                                "d = add(b, c) : 4\n"
                                                "output(d)\n");
        const ScenePicture scene = drawn(program);
        const std::vector<std::uint32_t> edges = edgesAt(scene, scene.picture->itemOf[node(program, "a").index()]);
        QCOMPARE(edges.size(), 3U);
        const ItemId a = scene.picture->itemOf[node(program, "a").index()];
        QCOMPARE(scene.picture->edges[edges[0]].to, a);
        const auto x = [&](std::uint32_t edge) { return scene.tables.rectOf(scene.picture->edges[edge].to).center().x; };
        QCOMPARE(scene.picture->edges[edges[1]].from, a);
        QVERIFY(x(edges[1]) < x(edges[2]));
    }

    void chipsStandForTheirCutEdges()
    {
        std::string text = "x = placeholder() : 4x4\na0 = relu(x) : 4x4\n";
        for (int i = 1; i < 60; ++i)
            text += "a" + std::to_string(i) + " = relu(a" + std::to_string(i - 1) + ") : 4x4\n";
        const Program program = programFromText(text + "output(a59)\n");
        const ScenePicture scene = drawn(program, {.columns = {ColumnOptions::Setting::fit, {1000, 600}}});
        std::size_t cut = 0;
        for (const PictureEdge& edge : scene.picture->edges)
            cut += edge.isCut ? 1 : 0;
        QVERIFY(cut > 0);
        std::size_t found = 0;
        for (std::uint32_t i = 0; i < scene.picture->items.size(); ++i)
            for (const Chip& chip : scene.picture->items[i].chips) {
                const std::vector<std::uint32_t> edges = cutEdgesOf(scene, ItemId(i), chip);
                found += edges.size();
                for (const std::uint32_t edge : edges)
                    QVERIFY(scene.picture->edges[edge].isCut);
            }
        QCOMPARE(found, 2 * cut); // once at each end
    }

private:
    static NodeId node(const Program& program, const char* name) { return program.rootGraph().find(intern(name)); }
    static ScenePicture drawn(const Program& program, const PictureOptions& options = {})
    {
        return ScenePicture(std::make_shared<const Picture>(pictureOf(program, options)));
    }
    static std::size_t edgeBetween(const ScenePicture& scene, const Program& program, const char* from, const char* to)
    {
        const auto at = [&](const char* name) { return scene.picture->itemOf[node(program, name).index()]; };
        const auto& edges = scene.picture->edges;
        for (std::size_t i = 0; i < edges.size(); ++i)
            if (edges[i].from == at(from) && edges[i].to == at(to))
                return i;
        return edges.size();
    }
};

const test::Registered<PictureEdgesTest> pictureEdgesTest("picture_edges_test");
#include "picture_edges_test.moc"
