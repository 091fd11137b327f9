#include "layout/picture/first_sight.h"
#include "layout/picture/picture_walk.h"
#include "picture_checks.h"
#include "test_case.h"

#include <QTest>

using namespace sunder;
using namespace sunder::test;

namespace {

/// Transposes the picture so that edges flow downward and the same checks apply.
Picture turned(Picture picture)
{
    const auto turn = [](Rect& rect) { rect = {rect.y, rect.x, rect.height, rect.width}; };
    std::swap(picture.size.width, picture.size.height);
    for (Item& item : picture.items) {
        turn(item.rect);
        for (Chip& chip : item.chips)
            turn(chip.rect);
    }
    for (PictureEdge& edge : picture.edges) {
        for (Point& point : edge.path)
            std::swap(point.x, point.y);
    }
    picture.direction = FlowDirection::down;
    return picture;
}

Picture toTheRight(const Program& program, PictureOptions options = {})
{
    options.direction = FlowDirection::right;
    return pictureOf(program, options);
}

QString faultsToTheRight(const Program& program, const Picture& picture)
{
    return picture.direction == FlowDirection::right ? faultsOf(program, turned(picture)) : QStringLiteral("flows down");
}

} // namespace

/// Pictures whose edges flow to the right.
class DirectionTest final : public QObject {
    Q_OBJECT
private slots:
    void holdsToAllRulesOfPictures()
    {
        const Program program = programFromText(decoder(9));
        for (const PictureOptions& options : {PictureOptions{}, PictureOptions{.open = {"layers.0…layers.8", "layers.3"}},
                                              PictureOptions{.openAll = true}, PictureOptions{.collapse = false}}) {
            const Picture picture = toTheRight(program, options);
            QCOMPARE(faultsToTheRight(program, picture), QString());
            QCOMPARE(edgesOf(picture), edgesOf(pictureOf(program, options)));
        }
    }

    void edgesLeaveAtTheRightAndArriveAtTheLeft()
    {
        const Picture picture = toTheRight(programFromText(decoder(3)), {.openAll = true});
        QVERIFY(!picture.edges.empty());
        for (const PictureEdge& edge : picture.edges) {
            const Rect& from = picture.items[edge.from.index()].rect;
            const Rect& to = picture.items[edge.to.index()].rect;
            QVERIFY(from.right() <= to.x);
            QVERIFY(std::abs(edge.path.front().x - from.right()) < 0.5F && std::abs(edge.path.back().x - to.x) < 0.5F);
        }
    }

    void boxesKeepTheirTextsUpright()
    {
        const Program program = programFromText(decoder(3));
        const Picture down = pictureOf(program);
        const Picture right = toTheRight(program);
        QCOMPARE(right.items.size(), down.items.size());
        for (std::size_t i = 0; i < down.items.size(); ++i) {
            QCOMPARE(right.items[i].rect.width, down.items[i].rect.width);
            QCOMPARE(right.items[i].rect.height, down.items[i].rect.height);
        }
        QVERIFY(right.size.width > right.size.height);
    }

    void framesHaveRoomForTheirTitles()
    {
        const Picture picture = toTheRight(programFromText(decoder(3)), {.openAll = true});
        for (const Item& inner : picture.items) {
            if (!inner.parent)
                continue;
            const Item& frame = picture.items[inner.parent.index()];
            QVERIFY(inner.rect.y >= frame.rect.y + 22);
            QVERIFY(frame.rect.width >= estimateTextWidth(frame.title, TextRole::title)
                        + estimateTextWidth(frame.subtitle, TextRole::mono) + estimateTextWidth(frame.detail, TextRole::mono));
        }
    }

    void branchesStandInOrderOfExecutionFromTheTop()
    {
        const Picture picture = toTheRight(programFromText("x = placeholder() : 4\nq = op(x) : 4\nk = op(x) : 4\nv = op(x) : 4\n"
                                                           "kt = op(k) : 4\ns = op(q, kt) : 4\nz = op(s, v) : 4\noutput(z)\n"));
        QList<float> tops;
        for (const char* name : {"q", "k", "v"}) {
            for (const Item& item : picture.items) {
                if (item.subtitle == name)
                    tops << item.rect.y;
            }
        }
        QCOMPARE(tops.size(), 3);
        QVERIFY(tops[0] < tops[1] && tops[1] < tops[2]);
    }

    void whatIsMuchWiderThanHighIsSetInLines()
    {
        std::string text = "x = placeholder() : 4\na0 = relu(x) : 4\n";
        for (int i = 1; i < 60; ++i)
            text += QString("a%1 = relu(a%2) : 4\n").arg(i).arg(i - 1).toStdString();
        const Program program = programFromText(text + "output(a59)\n");
        const ColumnOptions pane{ColumnOptions::Setting::fit, {1000, 600}};
        const Picture picture = toTheRight(program, {.columns = pane});
        QCOMPARE(faultsToTheRight(program, picture), QString());
        QVERIFY(picture.columnStarts.size() > 2);
        float top = 0;
        for (const ItemId start : picture.columnStarts) {
            const Rect& rect = picture.items[start.index()].rect;
            QCOMPARE(rect.x, picture.items.front().rect.x);
            QVERIFY(rect.y > top);
            top = rect.bottom();
        }
        QVERIFY(picture.size.width < toTheRight(program).size.width / 3);
    }

    void columnsCanBeCounted_data()
    {
        QTest::addColumn<unsigned>("wanted");
        for (const unsigned wanted : {1U, 2U, 3U, 5U})
            QTest::addRow("%u", wanted) << wanted;
    }
    void columnsCanBeCounted()
    {
        QFETCH(unsigned, wanted);
        std::string text = "x = placeholder() : 4\na0 = relu(x) : 4\n";
        for (int i = 1; i < 58; ++i)
            text += QString("a%1 = relu(a%2) : 4\n").arg(i).arg(i - 1).toStdString();
        const Program program = programFromText(text + "output(a57)\n");
        for (const FlowDirection direction : {FlowDirection::down, FlowDirection::right}) {
            const Picture picture = pictureOf(program,
                                              {.direction = direction, .columns = {ColumnOptions::Setting::count, {}, wanted}});
            QCOMPARE(picture.columnStarts.size() + 1, std::size_t{wanted});
        }
    }

    void keysWalkAlongAndAcrossTheFlow()
    {
        const Program program = programFromText(
            "x = placeholder() : 4\na = op(x) : 4\nb = op(x) : 4\nc = op(a, b) : 4\noutput(c)\n");
        const ScenePicturePtr scene = scenePictureOf(std::make_shared<const Picture>(toTheRight(program)));
        const auto named = [&](const std::string& name) {
            for (std::uint32_t i = 0; i < scene->picture->items.size(); ++i) {
                if (scene->picture->items[i].subtitle == name)
                    return ItemId(i);
            }
            return ItemId();
        };
        QCOMPARE(walk(*scene, named("a"), WalkDirection::behind), named("b"));
        QCOMPARE(walk(*scene, named("b"), WalkDirection::before), named("a"));
        QVERIFY(!walk(*scene, named("b"), WalkDirection::behind));
        QCOMPARE(walk(*scene, named("b"), WalkDirection::consumer), named("c"));
        QCOMPARE(walk(*scene, named("a"), WalkDirection::last), named("output"));
    }
};

const test::Registered<DirectionTest> directionTest("direction_test");
#include "direction_test.moc"
