#include "picture_checks.h"
#include "test_case.h"

#include <QTest>

#include <set>

using namespace sunder;
using namespace sunder::test;

namespace {

constexpr int kDenseLayers = 7;

/// Every layer joins the values of all previous layers and adds one value: "block.K.conv".
Program denseBlock()
{
    QString text = "x = placeholder() : 4\n";
    QString all = "x";
    for (int i = 0; i < kDenseLayers; ++i) {
        text += QString(
                    "j%1 = cat(%2) : 4 @ block.%1 DenseLayer\nv%1 = conv(j%1) : 4 @ block.%1 DenseLayer > block.%1.conv Conv\n")
                    .arg(i)
                    .arg(all);
        all += QString(", v%1").arg(i);
    }
    return programFromText((text + "y = cat(" + all + ") : 4\noutput(y)\n").toStdString());
}

std::set<std::string> allLayers()
{
    std::set<std::string> open;
    for (int i = 0; i < kDenseLayers; ++i)
        open.insert("block." + std::to_string(i));
    return open;
}

ItemId itemIdOf(const Program& program, const Picture& picture, const std::string& name)
{
    return picture.itemOf[program.rootGraph().find(intern(name)).index()];
}

const Item& itemOfNode(const Program& program, const Picture& picture, const std::string& name)
{
    return picture.items[itemIdOf(program, picture, name).index()];
}

std::vector<std::string> chipTexts(const Item& item)
{
    std::vector<std::string> texts;
    for (const Chip& chip : item.chips)
        texts.push_back(chip.text);
    return texts;
}

} // namespace

class DenseTest : public QObject {
    Q_OBJECT

private slots:
    void layersOfADenseBlockAreDrawnAlike()
    {
        const Program program = denseBlock();
        const Picture picture = pictureOf(program, {.open = allLayers()});
        QCOMPARE(faultsOf(program, picture), QString());
        for (int i = 0; i < kDenseLayers; ++i) {
            const ItemId join = itemIdOf(program, picture, "j" + std::to_string(i));
            QCOMPARE(std::ranges::count(picture.edges, join, &PictureEdge::to), std::ptrdiff_t{1});
            QCOMPARE(valuesOfChips(picture.items[join.index()]), std::size_t(i));
        }
    }

    void whatSiblingsGiveIsOneChip()
    {
        const Program program = denseBlock();
        const Picture picture = pictureOf(program, {.open = allLayers()});
        const auto texts = [&](const char* name) { return chipTexts(itemOfNode(program, picture, name)); };
        QCOMPARE(texts("j1"), std::vector<std::string>{"x"});
        QCOMPARE(texts("j2"), (std::vector<std::string>{"x", "block.0.conv"}));
        QCOMPARE(texts("j3"), (std::vector<std::string>{"x", "block.0 … 1 · conv"}));
        QCOMPARE(texts("j6"), (std::vector<std::string>{"x", "block.0 … 4 · conv"}));
        QCOMPARE(texts("y"), (std::vector<std::string>{"x", "block.0 … 5 · conv"}));
        const Chip& group = itemOfNode(program, picture, "j6").chips.back();
        QCOMPARE(group.more.size(), std::size_t{5});
        QVERIFY(group.value == group.more.front() && group.value == program.rootGraph().find(intern("v0")));
    }

    void opsOfOpenModulesAreGroupedByTheirOp()
    {
        const Program program = denseBlock();
        std::set<std::string> open = allLayers();
        for (const std::string& layer : allLayers())
            open.insert(layer + ".conv");
        const Picture picture = pictureOf(program, {.open = open});
        QCOMPARE(chipTexts(itemOfNode(program, picture, "j4")).back(), std::string("block.0 … 2 · conv"));
    }

    void otherNumbersAndPlacesAreNoGroup()
    {
        // 0 and 2 are not consecutive; "p" and "q" are different paths.
        QString text = "x = placeholder() : 4\n";
        for (const char* path : {"m.0.p", "m.2.p", "m.3.q", "m.4.p"})
            text += QString("n%1 = op(x) : 4 @ %2 Q\n").arg(QString(path).at(2)).arg(path);
        text += "a = op(x) : 4\nb = add(a, n0, n2, n3, n4) : 4\nc = add(b, n0, n2, n3, n4) : 4\nd = add(c, n0, n2, n3, n4) : 4\n";
        const Program program = programFromText((text + "output(d)\n").toStdString());
        const Picture picture = pictureOf(program);
        for (const Chip& chip : itemOfNode(program, picture, "d").chips)
            QVERIFY2(chip.text.find("…") == std::string::npos && chip.more.empty(), chip.text.c_str());
        QVERIFY(!itemOfNode(program, picture, "d").chips.empty());
    }

private:
    static std::size_t valuesOfChips(const Item& item)
    {
        std::size_t values = 0;
        for (const Chip& chip : item.chips)
            values += std::max<std::size_t>(1, chip.more.size());
        return values;
    }
};

const test::Registered<DenseTest> denseTest("dense_test");
#include "dense_test.moc"
