#include "layout/picture/picture_index.h"
#include "picture_checks.h"
#include "test_case.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace sunder;
using namespace sunder::test;

namespace {

constexpr ColumnOptions kPane{ColumnOptions::Setting::fit, {1000, 600}};

/// A chain of ops; every tenth also reads the first one.
std::string longChain(int ops)
{
    std::string text = "x = placeholder() : 4x4\na0 = relu(x) : 4x4\n";
    for (int i = 1; i < ops; ++i) {
        const std::string before = "a" + std::to_string(i - 1);
        text += "a" + std::to_string(i) + (i % 10 == 0 ? " = add(" + before + ", a0)" : " = relu(" + before + ")") + " : 4x4\n";
    }
    return text + "output(a" + std::to_string(ops - 1) + ")\n";
}

bool isAtBorder(Point point, const Rect& rect)
{
    return grown(rect, 1).contains(point) && !grown(rect, -1).contains(point);
}

bool passesThrough(const BezierPath& path, const Rect& rect)
{
    for (std::size_t piece = 0; 3 * piece + 3 < path.size(); ++piece)
        for (int step = 0; step <= 200; ++step)
            if (rect.contains(pointAt(path, piece, static_cast<float>(step) / 200)))
                return true;
    return false;
}

float zoomIn(const Picture& picture, Size room)
{
    return std::min(room.width / picture.size.width, room.height / picture.size.height);
}

QStringList startsOf(const Picture& picture)
{
    QStringList starts;
    for (const ItemId start : picture.columnStarts)
        starts += QString::fromStdString(picture.items[start.index()].subtitle);
    return starts;
}

QStringList chipsOf(const Picture& picture, const std::string& subtitle)
{
    QStringList chips;
    for (const Item& item : picture.items) {
        for (const Chip& chip : item.chips) {
            if (item.subtitle == subtitle)
                chips += QString::fromStdString(chip.text);
        }
    }
    return chips;
}

} // namespace

class ColumnsTest final : public QObject {
    Q_OBJECT
private slots:
    void whatIsReadableStaysInOneColumn()
    {
        const Program program = programFromText(longChain(6));
        const Picture picture = pictureOf(program, {.columns = kPane});
        QVERIFY(picture.columnStarts.empty());
        QCOMPARE(picture.size.height, pictureOf(program).size.height);
    }

    void aLongChainIsSeenMuchLargerInColumns()
    {
        const Program program = programFromText(longChain(100));
        const Picture one = pictureOf(program);
        const Picture columns = pictureOf(program, {.columns = kPane});
        QCOMPARE(faultsOf(program, one), QString());
        QCOMPARE(faultsOf(program, columns), QString());
        QVERIFY(!columns.columnStarts.empty());
        QVERIFY2(zoomIn(columns, kPane.room) > 3 * zoomIn(one, kPane.room),
                 qPrintable(QString("%1 and %2").arg(zoomIn(columns, kPane.room)).arg(zoomIn(one, kPane.room))));
    }

    void everyDependencyIsDrawnOrCut()
    {
        const Program program = programFromText(longChain(100));
        const Picture one = pictureOf(program);
        const Picture columns = pictureOf(program, {.columns = kPane});
        QCOMPARE(edgesOf(columns), edgesOf(one));
        const auto isCut = [](const PictureEdge& edge) { return edge.isCut; };
        QVERIFY(std::none_of(one.edges.begin(), one.edges.end(), isCut));
        const auto cut = std::count_if(columns.edges.begin(), columns.edges.end(), isCut);
        QVERIFY(cut >= static_cast<std::ptrdiff_t>(columns.columnStarts.size()));
    }

    void edgesBetweenColumnsRunThroughTheGaps_data()
    {
        QTest::addColumn<bool>("toTheRight");
        QTest::addColumn<bool>("inAFrame");
        QTest::newRow("down") << false << false;
        QTest::newRow("down, in a frame") << false << true;
        QTest::newRow("to the right") << true << false;
        QTest::newRow("to the right, in a frame") << true << true;
    }
    void edgesBetweenColumnsRunThroughTheGaps()
    {
        QFETCH(bool, toTheRight);
        QFETCH(bool, inAFrame);
        PictureOptions options{.direction = toTheRight ? FlowDirection::right : FlowDirection::down, .columns = kPane};
        if (inAFrame)
            options.open = {"layers.0…layers.39"};
        const Picture picture = pictureOf(programFromText(inAFrame ? decoder(40) : longChain(100)), options);
        std::size_t cut = 0;
        for (const PictureEdge& edge : picture.edges) {
            if (!edge.isCut)
                continue;
            ++cut;
            QVERIFY(edge.path.size() > 4);
            const QString name = QString::fromStdString(picture.items[edge.from.index()].title + " to "
                                                        + picture.items[edge.to.index()].title);
            QVERIFY2(isAtBorder(edge.path.front(), picture.items[edge.from.index()].rect), qPrintable(name));
            QVERIFY2(isAtBorder(edge.path.back(), picture.items[edge.to.index()].rect), qPrintable(name));
            for (const Item& item : picture.items)
                QVERIFY2(item.kind == ItemKind::frame || !passesThrough(edge.path, grown(item.rect, -2)),
                         qPrintable(name + " meets " + QString::fromStdString(item.subtitle)));
        }
        QVERIFY(cut >= picture.columnStarts.size());
    }

    void chipsNameTheOtherEnd()
    {
        const Program program = programFromText(longChain(100));
        const Picture picture = pictureOf(program, {.columns = kPane});
        const QString start = startsOf(picture).front();
        const QString before = "a" + QString::number(start.mid(1).toInt() - 1);
        QVERIFY2(chipsOf(picture, start.toStdString()).contains("← " + before), qPrintable(start));
        QVERIFY2(chipsOf(picture, before.toStdString()).join(' ').startsWith("→ " + start), qPrintable(before));
    }

    void columnsStandBesideEachOtherAtOneHeight()
    {
        const Picture picture = pictureOf(programFromText(longChain(100)), {.columns = kPane});
        const float top = picture.items.front().rect.y;
        float left = 0;
        for (const ItemId start : picture.columnStarts) {
            const Rect& rect = picture.items[start.index()].rect;
            QCOMPARE(rect.y, top);
            QVERIFY(rect.x > left);
            left = rect.right();
        }
    }

    void aFrameThatIsTooHighHoldsColumns()
    {
        const Program program = programFromText(decoder(40));
        const Picture picture = pictureOf(program, {.open = {"layers.0…layers.39"}, .columns = kPane});
        QCOMPARE(faultsOf(program, picture), QString());
        QVERIFY(!picture.columnStarts.empty());
        for (const ItemId start : picture.columnStarts)
            QCOMPARE(picture.items[start.index()].depth, 1U);
    }

    void whatFollowsAFrameInColumnsStandsBelowItsExit()
    {
        checkExit(FlowDirection::down);
        checkExit(FlowDirection::right);
    }

    void whatPassesAFrameInColumnsIsNotLedAside()
    {
        std::string text = decoder(40); // the output of head is added to the embedding
        text.replace(text.find("output(h)"), std::string::npos, "z = add(h, e) : 1x8x64\noutput(z)\n");
        const Program program = programFromText(text);
        const Picture picture = pictureOf(program, {.open = {"layers.0…layers.39"}, .columns = kPane});
        QCOMPARE(faultsOf(program, picture), QString());
        const Item* head = itemTitled(picture, "head");
        const Item& frame = picture.items[itemTitled(picture, "layers.39")->parent.index()];
        QVERIFY(head->rect.right() < frame.rect.x + frame.rect.width / 2);
    }

    void columnsStayWhereTheyBeganWhenAModuleOpens()
    {
        const Program program = programFromText(decoder(40));
        const Picture before = pictureOf(program, {.open = {"layers.0…layers.39"}, .columns = kPane});
        const Picture after = pictureOf(
            program,
            {.open = {"layers.0…layers.39", "layers.3"}, .columns = {ColumnOptions::Setting::keep}, .previous = &before});
        QCOMPARE(faultsOf(program, after), QString());
        QCOMPARE(after.columnStarts.size(), before.columnStarts.size());
        for (std::size_t i = 0; i < before.columnStarts.size(); ++i)
            QCOMPARE(after.items[after.columnStarts[i].index()].key, before.items[before.columnStarts[i].index()].key);
        QVERIFY(after.size.height > before.size.height);
    }

    void withoutColumnsBeforeNoneAreKept()
    {
        const Program program = programFromText(longChain(100));
        const Picture before = pictureOf(program);
        const Picture after = pictureOf(program, {.columns = {ColumnOptions::Setting::keep}, .previous = &before});
        QVERIFY(after.columnStarts.empty());
    }

private:
    static void checkExit(FlowDirection direction)
    {
        const bool isRight = direction == FlowDirection::right;
        const Program program = programFromText(decoder(40));
        const Picture picture = pictureOf(program, {.open = {"layers.0…layers.39"}, .direction = direction, .columns = kPane});
        if (!isRight)
            QCOMPARE(faultsOf(program, picture), QString());
        const Item* head = itemTitled(picture, "head");
        const Item* last = itemTitled(picture, "layers.39");
        const Item& frame = picture.items[last->parent.index()];
        const auto edge = std::find_if(picture.edges.begin(), picture.edges.end(),
                                       [&](const PictureEdge& one) { return &picture.items[one.to.index()] == head; });
        QVERIFY(edge != picture.edges.end());
        QVERIFY(!edge->isCut);
        const auto across = [&](Point point) { return isRight ? point.y : point.x; };
        for (const Point& point : edge->path)
            QVERIFY(std::fabs(across(point) - across(edge->path.front())) < 1);
        const Item* embed = itemTitled(picture, "embed");
        const auto middle = [&](const Item& item) {
            return isRight ? item.rect.y + item.rect.height / 2 : item.rect.x + item.rect.width / 2;
        };
        QVERIFY(middle(*head) > middle(*embed) + 200);
        QVERIFY(head->rect.right() <= frame.rect.right() || isRight);
    }
};

const test::Registered<ColumnsTest> columnsTest("columns_test");
#include "columns_test.moc"
