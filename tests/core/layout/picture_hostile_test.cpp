#include "picture_checks.h"
#include "test_case.h"

#include <QTest>

#include <random>

using namespace sunder;
using namespace sunder::test;

namespace {

/// A random DAG whose nodes are in random modules, often wrong ones.
std::string muddle(unsigned seed, int nodes)
{
    std::mt19937 random(seed);
    const auto below = [&](int n) { return int(random() % unsigned(n)); };
    std::string text = "n0 = placeholder()\nn1 = placeholder()\nw = get_attr[w]()\n";
    for (int i = 2; i < nodes; ++i) {
        text += "n" + std::to_string(i) + " = op" + std::to_string(below(3)) + "(n" + std::to_string(below(i)) + ", n"
            + std::to_string(std::max(0, i - 1 - below(4))) + (below(5) == 0 ? ", w)" : ")");
        const int outer = below(5);
        if (outer > 0) {
            text += " @ m" + std::to_string(outer) + " M";
            if (const int inner = below(4); inner > 0)
                text += " > m" + std::to_string(outer) + ".k" + std::to_string(inner) + " K";
        }
        text += "\n";
    }
    return text + "output(n" + std::to_string(nodes - 1) + ")\n";
}

} // namespace

/// Pictures of graphs with inconsistent module stacks.
class PictureHostileTest final : public QObject {
    Q_OBJECT
private slots:
    void isTheSameEveryTime()
    {
        const Program program = programFromText(muddle(3, 120));
        const Picture a = pictureOf(program, {.open = {"m1", "m2"}});
        const Picture b = pictureOf(program, {.open = {"m1", "m2"}});
        QCOMPARE(outlineOf(a), outlineOf(b));
        QCOMPARE(edgesOf(a), edgesOf(b));
        for (std::size_t i = 0; i < a.edges.size(); ++i)
            QVERIFY(a.edges[i].path == b.edges[i].path);
    }

    void survivesModulesThatGoAcrossEachOther_data()
    {
        QTest::addColumn<unsigned>("seed");
        for (unsigned seed = 0; seed < 15; ++seed)
            QTest::addRow("seed %u", seed) << seed;
    }
    void survivesModulesThatGoAcrossEachOther()
    {
        QFETCH(unsigned, seed);
        const Program program = programFromText(muddle(seed, 12 + int(seed) * 7));
        QCOMPARE(faultsOf(program, pictureOf(program)), QString());
        QCOMPARE(faultsOf(program, pictureOf(program, {.openAll = true})), QString());
        PictureOptions some{.chipReaders = 2};
        Picture picture = pictureOf(program, some);
        std::mt19937 random(seed);
        for (int step = 0; step < 6; ++step) {
            std::vector<std::string> keys;
            for (const Item& item : picture.items) {
                if (item.canOpen && item.kind != ItemKind::frame)
                    keys.push_back(item.key);
            }
            if (keys.empty())
                break;
            const std::string key = keys[random() % keys.size()];
            some.open.insert(key);
            picture = pictureOf(program, some);
            QCOMPARE(faultsOf(program, picture), QString());
            const auto isFrame = [&](const Item& item) { return item.key == key && item.kind == ItemKind::frame; };
            QCOMPARE(std::count_if(picture.items.begin(), picture.items.end(), isFrame), std::ptrdiff_t{1});
        }
    }

    void survivesStacksWithoutEnd()
    {
        Program program = programFromText("x = placeholder()\ny = op(x) @ m M\nz = op(y)\noutput(z)\n");
        ModuleStack deep;
        for (int i = 0; i < 5000; ++i)
            deep.push_back({intern("k" + std::to_string(i)), intern("p" + std::to_string(i)), InternedString()});
        program.stacks[0] = deep;
        const Picture picture = pictureOf(program, {.openAll = true});
        QCOMPARE(faultsOf(program, picture), QString());
        const std::string key = itemTitled(pictureOf(program), "p0")->key;
        QCOMPARE(faultsOf(program, pictureOf(program, {.openDeep = {key}})), QString());
    }

    void survivesEmptyNamesAndRepeatedFrames()
    {
        Program program = programFromText("x = placeholder()\ny = op(x) @ m M\nz = op(y) @ n N\noutput(z)\n");
        const ModuleFrame empty{};
        const ModuleFrame again{intern("m"), intern("m"), InternedString()};
        program.stacks[0] = {empty, again, again, empty, again};
        program.stacks[1] = {};
        const Picture picture = pictureOf(program, {.openAll = true});
        QCOMPARE(faultsOf(program, picture), QString());
    }

    void survivesAnEmptyGraph()
    {
        const Picture picture = pictureOf(programFromText(""));
        QVERIFY(picture.items.empty() && picture.edges.empty());
    }
};

const test::Registered<PictureHostileTest> pictureHostileTest("picture_hostile_test");
#include "picture_hostile_test.moc"
