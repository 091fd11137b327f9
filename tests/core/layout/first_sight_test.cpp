#include "layout/picture/first_sight.h"
#include "picture_checks.h"
#include "test_case.h"

#include <QTest>

#include <sstream>

using namespace sunder;
using namespace sunder::test;

namespace {

using Keys = std::set<std::string>;

FirstSight sightOf(const Program& program, Size room)
{
    Result<FirstSight> sight = firstSight(program, program.root, {.columns = {ColumnOptions::Setting::fit, room}},
                                          *makeLayeredEngine());
    if (!sight)
        throw std::runtime_error(sight.error().message);
    return std::move(*sight);
}

/// Wraps all calls in one module.
std::string inModel(const std::string& text)
{
    std::string nested;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        const std::size_t at = line.find("@ ");
        nested += at == std::string::npos ? line : line.substr(0, at) + "@ model Model > " + line.substr(at + 2);
        nested += "\n";
    }
    return nested;
}

bool isReadableIn(const Picture& picture, Size room)
{
    return picture.size.width * kReadableZoom <= room.width && picture.size.height * kReadableZoom <= room.height;
}

} // namespace

class FirstSightTest final : public QObject {
    Q_OBJECT
private slots:
    void aSmallModelIsOpenToItsOps()
    {
        const Program program = programFromText(decoder(2));
        const FirstSight sight = sightOf(program, {2400, 1600});
        QCOMPARE(sight.open, (Keys{"layers.0", "layers.0.attn", "layers.1", "layers.1.attn"}));
        QCOMPARE(faultsOf(program, sight.picture), QString());
    }

    void ofARunTheFirstMemberIsOpened()
    {
        const FirstSight sight = sightOf(programFromText(decoder(100)), {900, 700});
        QCOMPARE(sight.open, (Keys{"layers.0", "layers.0.attn"}));
        QVERIFY(itemTitled(sight.picture, "layers.1 … layers.99") != nullptr);
        QVERIFY(isReadableIn(sight.picture, {900, 700}));
    }

    void opensTheOutermostLevelThatSaysSomething()
    {
        const FirstSight sight = sightOf(programFromText(inModel(decoder(100))), {100, 100});
        QCOMPARE(sight.open, Keys{"model"}); // the only member of the enclosing level
        QCOMPARE(sightOf(programFromText(decoder(100)), {100, 100}).open, Keys{});
    }

    void staysOutsideWhereTheInsideWouldNotBeSeen()
    {
        std::string text = "x = placeholder() : 4x4\n";
        std::string last = "x";
        for (const std::string name : {"a", "b", "c"}) {
            for (int i = 0; i < 20; ++i) {
                const std::string op = name + std::to_string(i);
                text += op + " = relu(" + last + ") : 4x4 @ " + name + " Half\n";
                last = op;
            }
        }
        const Program program = programFromText(text + "output(" + last + ")\n");
        QCOMPARE(sightOf(program, {200, 300}).open, Keys{});
        QCOMPARE(sightOf(program, {1400, 900}).open, (Keys{"a", "b", "c"}));
    }

    void opensLessWhereThereIsLessRoom()
    {
        const Program program = programFromText(decoder(30));
        std::size_t before = 1000;
        for (const Size room : {Size{1600, 1000}, Size{700, 500}, Size{400, 300}}) {
            const FirstSight sight = sightOf(program, room);
            QVERIFY(sight.open.size() <= before);
            QVERIFY(sight.open.empty() || isReadableIn(sight.picture, room));
            before = sight.open.size();
        }
        QCOMPARE(before, std::size_t{0});
    }

    void equalModulesOpenTogetherOrNotAtAll()
    {
        std::string text = "x = placeholder() : 4x4\n";
        std::string last = "x";
        for (const std::string name : {"left", "right"}) { // not a run: the names are not numbered
            for (int i = 0; i < 8; ++i) {
                const std::string op = name + std::to_string(i);
                text += op + " = relu(" + last + ") : 4x4 @ " + name + " Half\n";
                last = op;
            }
        }
        const Program program = programFromText(text + "output(" + last + ")\n");
        for (const Size room : {Size{300, 400}, Size{400, 500}, Size{500, 600}, Size{900, 900}}) {
            const FirstSight sight = sightOf(program, room);
            QCOMPARE(sight.open.contains("left"), sight.open.contains("right"));
        }
        QCOMPARE(sightOf(program, {900, 900}).open, (Keys{"left", "right"}));
    }

    void aGraphWithoutModulesIsShownAsItIs()
    {
        const Program program = programFromText("x = placeholder() : 4\ny = relu(x) : 4\noutput(y)\n");
        const FirstSight sight = sightOf(program, {900, 700});
        QCOMPARE(sight.open, Keys{});
        QCOMPARE(sight.picture.items.size(), std::size_t{3});
    }

    void stopsWhenItIsCancelled()
    {
        struct Stopped final : ProgressMonitor {
            void report(double, std::string_view) override {}
            [[nodiscard]] bool isCancelled() const override { return true; }
        } monitor;
        const Program program = programFromText(decoder(9));
        const Result<FirstSight> sight = firstSight(program, program.root, {}, *makeLayeredEngine(), monitor);
        QVERIFY(!sight);
        QCOMPARE(sight.error().code, ErrorCode::cancelled);
    }
};

const test::Registered<FirstSightTest> firstSightTest("first_sight_test");
#include "first_sight_test.moc"
