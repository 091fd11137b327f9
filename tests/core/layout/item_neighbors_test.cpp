#include "layout/picture/isolation.h"

#include "picture_checks.h"
#include "test_case.h"

#include <QTest>

using namespace sunder;
using namespace sunder::test;

/// Neighbors of an item.
class ItemNeighborsTest final : public QObject {
    Q_OBJECT
private slots:
    void anOpenModuleIsConnectedAsTheClosedOneIs()
    {
        const Program program = programFromText("x = placeholder() : 4\n"
                                                "y = placeholder() : 4\n"
                                                "a = add(x, y) : 4 @ enc Encoder > enc.first Add\n"
                                                "b = gelu(a) : 4 @ enc Encoder > enc.second GELU\n"
                                                "c = mul(b, x) : 4 @ enc Encoder > enc.third Mul\n"
                                                "d = tanh(c) : 4\n"
                                                "e = sin(a) : 4\n"
                                                "f = add(d, e) : 4\n"
                                                "output(f)\n");
        for (const PictureOptions& options :
             {PictureOptions{}, PictureOptions{.open = {"enc"}}, PictureOptions{.openAll = true}}) {
            const ScenePicture scene = scenePicture(program, options);
            const ItemNeighbors found = neighborsOf(scene, itemKeyed(*scene.picture, "enc"));
            QCOMPARE(namesOf(scene, found.inputs), (std::set<std::string>{"x", "y"}));
            QCOMPARE(namesOf(scene, found.readers), (std::set<std::string>{"d", "e"}));
            QVERIFY(found.alsoRead.empty());
        }
    }

    void aFrameAlsoReadsWhatChipsInsideStandFor()
    {
        const Program program = programFromText(decoder(12));
        const ScenePicture closed = scenePicture(program, {.chipReaders = 3});
        const ScenePicture open = scenePicture(program, {.openAll = true, .chipReaders = 3});
        const ItemNeighbors found = neighborsOf(open, itemKeyed(*open.picture, "layers.5"));
        QCOMPARE(found.inputs.size(), 1U); // the sum of the previous layer
        QCOMPARE(found.alsoRead.size(), 1U);
        QCOMPARE(found.alsoRead.front()->text, std::string("mask"));
        QVERIFY(neighborsOf(closed, closed.picture->itemOf[program.rootGraph().find(intern("e")).index()]).alsoRead.empty());
    }

private:
    static ScenePicture scenePicture(const Program& program, const PictureOptions& options)
    {
        return ScenePicture(std::make_shared<const Picture>(pictureOf(program, options)));
    }

    static ItemId itemKeyed(const Picture& picture, const std::string& key)
    {
        for (std::uint32_t i = 0; i < picture.items.size(); ++i)
            if (picture.items[i].key == key)
                return ItemId(i);
        return {};
    }

    /// Node names of the given boxes.
    static std::set<std::string> namesOf(const ScenePicture& scene, const std::vector<ItemId>& items)
    {
        std::set<std::string> names;
        for (const ItemId item : items)
            names.insert(scene.picture->items[item.index()].kind == ItemKind::node ? scene.picture->items[item.index()].subtitle
                                                                                   : "a module");
        return names;
    }
};

const test::Registered<ItemNeighborsTest> itemNeighborsTest("item_neighbors_test");
#include "item_neighbors_test.moc"
